import { once } from 'node:events';
import { eventually } from '../support/eventually.js';
import { HOSTILE } from '../support/hostile-data.js';
import { FAR_SHEET, sheetXml, workbookXml, xlsxOf } from '../support/xlsx.js';
import { numberIn, PanelBrowser } from '../support/panel.js';
import type { Answer, TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const PICKUP = { 'recogida.lat': '14.6349', 'recogida.lng': '-90.5069', 'recogida.nombre': 'Bodega' };
const FIELDS = {
  nombre: 'Karla Ixcoy',
  telefono: '5555 0101',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  cod_amount: '349,50',
  ...PICKUP,
};

/** The attributes of a page's input, by its name; of a textarea its text as `value`. */
function fieldOf(page: string, name: string): Record<string, string> {
  const tag = new RegExp(`<input[^>]*name="${name.replaceAll('.', '\\.')}"[^>]*>`).exec(page)?.[0] ?? '';
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]));
}

/** A multipart form with one text. */
function textForm(name: string, text: string): FormData {
  const form = new FormData();
  form.set(name, text);
  return form;
}

describe('the entry of guides on the panel', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let other: TestMerchant;
  let browser: PanelBrowser;

  beforeAll(async () => {
    [merchant, other] = [await test.merchant(), await test.merchant()];
    browser = await PanelBrowser.in(test, merchant);
  });

  const detail = async (guia: string) => (await merchant.get(`/api/v1/guias/${guia}`)).body.guia;
  const count = async () => {
    const own = 'select count(*)::int as n from guias where comercio_id = $1';
    return (await test.database.query<{ n: number }>(own, [merchant.id]))[0]!.n;
  };

  describe('one by one', () => {
    it('takes a form by the rules of the API, and remembers pickup and place for the next one', async () => {
      const made = await detail(numberIn(await browser.submit('/panel/guias/nueva', '/nueva', FIELDS)));
      expect(made).toMatchObject({
        ...{ destinatario: 'Karla Ixcoy', telefono: '+50255550101', cod_amount: 349.5, municipio: 'Mixco' },
        recogida: { lat: 14.6349, lng: -90.5069, nombre: 'Bodega' },
      });
      const next = await browser.page('/panel/guias/nueva');
      expect(next).toMatch(/<select name="recogida"><option value="[^"]+" selected>Bodega</);
      expect(fieldOf(next, 'municipio').value).toBe('Mixco');
      expect(fieldOf(next, 'telefono').value ?? '').toBe('');
      const stranger = await PanelBrowser.in(test, other);
      expect(await stranger.page('/panel/guias/nueva')).not.toContain('Bodega');
    });

    it('shows each fault beside its field, keeps what was typed, and takes it once it is mended', async () => {
      const sent = {
        ...FIELDS,
        telefono: '5555 010',
        cod_amount: '1.500',
        'recogida.lat': 'x',
        nombre: HOSTILE,
      };
      const refused = await browser.submit('/panel/guias/nueva', '/nueva', sent);
      expect(refused.status).toBe(422);
      for (const name of ['telefono', 'cod_amount', 'recogida.lat']) {
        const field = fieldOf(refused.text, name);
        expect(field['aria-invalid']).toBeDefined();
        expect(refused.text).toContain(`id="${field['aria-describedby']}"`);
        expect(field.value).toBe(sent[name as keyof typeof sent]);
      }
      expect(refused.text).not.toContain('<script>alert');
      const fresh = await PanelBrowser.in(test, await test.merchant());
      const empty = await fresh.submit('/panel/guias/nueva', '/nueva', { telefono: '' });
      expect([empty.status, fieldOf(empty.text, 'recogida.maps_url')['aria-invalid']]).toEqual([422, 'true']);
    });

    it('makes one guide of a form that is sent twice, at once or later', async () => {
      const before = await count();
      const form = { ...FIELDS, nombre: 'Eva Tot', clave: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a58' };
      const answers = await Promise.all([1, 2].map(() => browser.post('/panel/guias/nueva', form)));
      answers.push(await browser.post('/panel/guias/nueva', form));
      expect(new Set(answers.map(numberIn)).size).toBe(1);
      expect(await count()).toBe(before + 1);
    });

    it('fills the form from the text of a chat, and marks what is to be looked at', async () => {
      const texto =
        'hola soy karla ixcoy 5555-010 es en mixco, guatemala 14.6407, -90.5133 casa azul son Q1.500 gracias';
      const sent = await browser.submit('/panel/guias/nueva', '/texto', { texto });
      const path = sent.headers.get('location')!;
      expect([sent.status, path]).toEqual([303, '/panel/guias/nueva?de=texto']);
      const text = await browser.page(path);
      expect(fieldOf(text, 'nombre')).toMatchObject({ value: 'Karla Ixcoy' });
      expect(fieldOf(text, 'nombre')['aria-describedby']).toBeUndefined();
      for (const name of ['telefono', 'cod_amount']) {
        const { 'aria-describedby': id } = fieldOf(text, name);
        expect(text).toContain(`<span id="${id}" class="why">`);
      }
      expect(text).toContain('¿Son Q\u00a01,500.00 o Q\u00a01.50?');
      expect(text).toMatch(/data-point[^>]*>.*?mlat=14\.\d+/);
      expect(text).toContain('<option value="Villa Nueva"');
    });

    it('suggests municipalities and shows a point without scripts, too, and keeps what was typed', async () => {
      const sent = { ...FIELDS, departamento: 'sacatepequez', maps_url: '14.5586, -90.7295' };
      const { status, text } = await browser.post('/panel/guias/nueva/revisar', sent);
      expect(status).toBe(200);
      expect(text).toContain('<option value="Antigua Guatemala"');
      expect(text).toMatch(/data-point[^>]*>.*?mlat=14\.\d+/);
      expect(fieldOf(text, 'nombre').value).toBe(FIELDS.nombre);
    });
  });

  describe('labels', () => {
    it('of a selection are one PDF, and the list tells the printed ones from the others', async () => {
      const guias = ['1', '2'].map((external_ref) =>
        browser.submit('/panel/guias/nueva', '/nueva', { ...FIELDS, external_ref }).then(numberIn),
      );
      const [one, two] = await Promise.all(guias);
      const chosen: [string, string][] = [
        ['guias', one!],
        ['guias', two!],
      ];
      const pdf = await browser.postList('/panel/etiquetas', chosen);
      expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect((await detail(one!)).impresa_en).not.toBeNull();
      expect(await browser.page('/panel/guias?impresa=no')).not.toContain(one);
      expect(await browser.page('/panel/guias?impresa=si')).toContain(one);
      expect((await browser.post('/panel/etiquetas', {})).status).toBe(422);
      const stranger = await PanelBrowser.in(test, other);
      expect((await stranger.postList('/panel/etiquetas', chosen)).status).toBe(404);
    });
  });

  describe('by files', () => {
    // The files of all tests are those of one hour.
    beforeEach(() => test.database.query('update panel_archivos set importado_en = null'));

    const SHOPIFY =
      'Name,Email,Financial Status,Total,Lineitem quantity,Lineitem name,Shipping Name,Shipping Street,Shipping City,Shipping Phone,Shipping Province Name,Notes,Outstanding Balance';
    const order = (n: number, phone = '55550101') =>
      `#${n},a@example.com,pending,100.00,2,Blusa,Ana ${n},"4a calle 5-10, zona 1",Mixco,${phone},Guatemala,,100.00\r\n#${n},,,,1,Falda,,,,,,,`;
    const uploaded = async (name: string, bytes: string | Uint8Array<ArrayBuffer>, by = browser) => {
      const { status, headers } = await by.upload('/panel/importar', { name, bytes });
      expect(status).toBe(303);
      return headers.get('location')!;
    };
    /** The last tile is left out where it would say 0. */
    const counts = (page: string) =>
      [...page.matchAll(/<div class="card tile \w+"><b class="num">([\d,]+)<\/b>/g)]
        .map(([, n]) => Number(n!.replace(',', '')))
        .concat(0)
        .slice(0, 4);
    /** The form of a page's refused rows, with a text for each of its fields. */
    const mendingOf = (page: string, texts: Record<string, string>) =>
      Object.fromEntries(
        [...page.matchAll(/name="(\d+\.([\w.]+))"/g)].map(([, name, campo]) => [name!, texts[campo!] ?? '']),
      );
    const done = async (path: string, step: string, fields: Record<string, string> = {}) => {
      expect((await browser.post(`${path}/${step}`, fields)).status).toBe(303);
      return browser.page(path);
    };

    it("imports many orders of Shopify's export, lets the refused be mended in place, and makes none twice", async () => {
      const orders = Array.from({ length: 200 }, (_, i) =>
        order(i + 1, i % 8 === 3 ? '5555 010' : undefined),
      );
      const file = [SHOPIFY, ...orders].join('\r\n');
      const before = await count();
      const path = await uploaded('orders_export.csv', file);
      const review = await browser.page(path);
      expect(counts(review)).toEqual([175, 0, 25, 0]);
      expect(counts(await done(path, 'crear'))).toEqual([0, 0, 25, 175]);
      await done(path, 'crear');
      expect(await count()).toBe(before + 175);
      for (let left = 25; left > 0; left -= 20) {
        await done(path, 'filas', mendingOf(await browser.page(path), { telefono: '5555 0202' }));
      }
      expect(counts(await done(path, 'crear'))).toEqual([0, 0, 0, 200]);
      const again = await uploaded('orders_export.csv', file);
      expect(counts(await browser.page(again))).toEqual([0, 175, 25, 0]);
      await done(again, 'crear');
      expect(await count()).toBe(before + 200);
      const { body } = await merchant.get('/api/v1/guias?external_ref=%231');
      expect(body.guias[0]).toMatchObject({
        contenido: '2 × Blusa, Falda',
        cod_amount: 100,
        destinatario: 'Ana 1',
      });
    });

    it("says so where all orders of Shopify's export are cancelled", async () => {
      const bytes =
        'Name,Lineitem name,Shipping Phone,Cancelled at\n#P3,Blusa,55550103,2026-11-21 10:00:00 -0600';
      const { status, text } = await browser.upload('/panel/importar', { name: 'a.csv', bytes });
      expect([status, text]).toEqual([422, expect.stringContaining('están cancelados')]);
    });

    it('says which rows make no guide because theirs is cancelled', async () => {
      const header = 'Pedido,Cliente,Tel,Ciudad,Total\n';
      await done(
        await uploaded('a.csv', `${header}X-1,Ana,55550911,Mixco,1\nX-2,Eva,55550912,Mixco,2\n`),
        'crear',
      );
      const { body } = await merchant.get('/api/v1/guias?external_ref=X-1');
      await merchant.post(`/api/v1/guias/${body.guias[0].guia}/cancelar`, {});
      const again = `${header}X-1,Ana,55550911,Mixco,5\nX-2,Eva,55550912,Mixco,2\n`;
      const page = await browser.page(await uploaded('b.csv', again));
      expect(counts(page)).toEqual([0, 2, 0, 0]);
      expect(page).toMatch(/Una fila es de una guía cancelada[^]*?Fila 2 · X-1: <a /);
      expect(page).not.toContain('con otros datos');
    });

    it('makes no second guide of a row without a reference when its file was corrected and saved again', async () => {
      const header = 'Cliente,Tel,Ciudad,Total\n';
      const ana = 'Ana,55550901,Mixco,100\n';
      const first = await uploaded('a.csv', `${header}${ana}Eva,5555,Mixco,50\nLuz,55550903,Mixco,\n`);
      expect(counts(await done(first, 'crear'))).toEqual([0, 0, 1, 2]);
      const before = await count();
      const saved = `${header}${ana}Eva,55550902,Mixco,50\nLuz,5555 0903,Mixco,75\n${ana}`;
      const path = await uploaded('a.csv', saved);
      const review = await browser.page(path);
      expect(counts(review)).toEqual([3, 1, 0, 0]);
      expect(review).toMatch(
        /Una fila sin pedido ya se importó[^]*?Fila 2 · Ana: <a [^>]*href="\/panel\/guias\/\d{12}"/,
      );
      expect(counts(await done(path, 'crear'))).toEqual([0, 1, 0, 3]);
      expect(await count()).toBe(before + 3);
      const numbered = await uploaded('b.csv', `Pedido,${header}D-1,${ana}`);
      expect(counts(await browser.page(numbered))).toEqual([1, 0, 0, 0]);
    });

    it('reads the line breaks of cells: as blanks in fields of one line, and shows the others as lines', async () => {
      const header = 'Pedido,Cliente,Tel,Dirección,Ciudad,Producto';
      const row = (n: number, phone: string) =>
        `M-${n},"Ana \nLópez","${phone}","4a calle\n5-10",Mixco,"2 x\r\nBlusa"`;
      const path = await uploaded('a.csv', [header, row(1, '55550101'), row(2, '5555\n4321 9')].join('\n'));
      const page = await done(path, 'crear', { sin_cobro: 'si' });
      expect(counts(page)).toEqual([0, 0, 1, 1]);
      expect(page).toMatch(/<textarea name="\d+\.telefono"[^>]*>5555\n4321 9</);
      const { body } = await merchant.get('/api/v1/guias?external_ref=M-1');
      const made = { destinatario: 'Ana López', contenido: '2 x Blusa', direccion: '4a calle\n5-10' };
      expect(body.guias[0]).toMatchObject(made);
    });

    it.each(['#N/A', '#DIV/0!', '#SIN CALCULAR'])(
      'refuses the error of a cell as an amount: %s',
      async (error) => {
        const rows = `E-1,55550101,Mixco,${error}\nE-2,55550101,Mixco,200\n`;
        const page = await browser.page(await uploaded('a.csv', `Pedido,Tel,Ciudad,Total\n${rows}`));
        expect(counts(page)).toEqual([1, 0, 1, 0]);
        expect(page).toContain(`La celda tiene un error de la hoja de cálculo: «${error}»`);
      },
    );

    it('says which rows make no guide because they repeat one, what differs, and counts the same before and after', async () => {
      const header = 'Pedido,Cliente,Tel,Ciudad,Total\n';
      const first = await uploaded('uno.csv', `${header}R-0,Eva,55550100,Mixco,75\n`);
      await done(first, 'crear');
      const { body } = await merchant.get('/api/v1/guias?external_ref=R-0');
      const file =
        'R-1,Ana,55550101,Mixco,100\nR-1,Beatriz,55550102,Mixco,200\nR-0,Eva,55550103,Mixco,75\n' +
        'R-1,Ana,5555-0101,Mixco,100.00\n,Carla,55550104,Mixco,1\n,Dora,55550105,Mixco,2\nR-2,Fe,5555,Mixco,3\n';
      const path = await uploaded('dos.csv', header + file);
      const before = await count();
      const said = (page: string) =>
        [...page.matchAll(/<li>(Fila \d+ · R-[\s\S]*?)<\/li>/g)].map(([, text]) =>
          text!.replaceAll(/<[^>]*>/g, '').replaceAll('\u00a0', ' '),
        );
      const review = await browser.page(path);
      expect(counts(review)).toEqual([3, 3, 1, 0]);
      expect(review).toContain('Importar 3 y escribir a 3');
      const guia = body.guias[0].guia as string;
      const inFours = guia.replace(/\d{4}(?=.)/g, '$& ');
      expect(said(review)).toEqual([
        'Fila 3 · R-1: es la fila 2 con otro dato en Teléfono, Nombre, Por cobrar.',
        `Fila 4 · R-0: es la guía ${inFours} con otro dato en Teléfono.`,
      ]);
      const after = await done(path, 'crear');
      expect(counts(after)).toEqual([0, 3, 1, 3]);
      expect(after).not.toContain(`action="${path}/crear"`);
      expect(said(after)).toHaveLength(2);
      expect(await count()).toBe(before + 3);
    });

    it('keeps what was mended on two pages that are sent at once, and how the columns were mapped meanwhile', async () => {
      const path = await uploaded('a.csv', `Cliente,Tel,Ciudad,Quien\n${'Ana,x,Mixko,Eva\n'.repeat(60)}`);
      const mended = { telefono: '5555 0909', departamento: 'Guatemala', municipio: 'Mixco' };
      const pages = await Promise.all([1, 2, 3].map((n) => browser.page(`${path}?pagina=${n}`)));
      const answers = await Promise.all([
        ...pages.map((page) => browser.post(`${path}/filas`, mendingOf(page, mended))),
        browser.post(`${path}/columnas`, { 'columna.3': 'notas' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303]);
      const page = await browser.page(path);
      expect(counts(page)).toEqual([60, 0, 0, 0]);
      expect(page).toMatch(/name="columna.3"[^]*?<option value="notas" selected/);
    });

    it('refuses a row in which an amount without quotes has moved the cells after it', async () => {
      const file =
        'Cliente,Tel,Ciudad,Total,Notas\nAna,55550101,Mixco,1,500.00,\nEva,55550102,Mixco,350.00,\n';
      const path = await uploaded('unidas.csv', file);
      const page = await browser.page(path);
      expect(counts(page)).toEqual([1, 0, 1, 0]);
      expect(page).toContain('más celdas que el encabezado');
      // A field without a column adds one: the row is still longer.
      await browser.post(`${path}/filas`, { '2.direccion': 'Zona 1' });
      expect(counts(await browser.page(path))).toEqual([1, 0, 1, 0]);
    });

    it('keeps the number of a guide of our own list as that, however its columns are saved', async () => {
      const own = { ...FIELDS, nombre: 'Ana Tot' };
      const guia = numberIn(await browser.submit('/panel/guias/nueva', '/nueva', own));
      const { text } = await merchant.get('/api/v1/guias', { accept: 'text/csv' });
      const [header, ...lines] = text.split('\r\n');
      const path = await uploaded('guias.csv', `${header}\n${lines.find((line) => line.includes(guia))}`);
      const before = await count();
      const selects = (await browser.page(path)).matchAll(
        /<select name="(columna\.\d+)"[^>]*>([\s\S]*?)<\/select>/g,
      );
      const shown = [...selects].map(([, name, options]) => [
        name,
        /<option value="([^"]*)" selected/.exec(options!)?.[1] ?? '',
      ]);
      await done(path, 'columnas', Object.fromEntries(shown));
      expect(counts(await done(path, 'crear'))).toEqual([0, 1, 0, 0]);
      expect(await count()).toBe(before);
      const edited = lines.find((line) => line.includes(guia))!.replace('Ana Tot', 'Ana Otra');
      const different = await browser.page(await uploaded('guias.csv', `${header}\n${edited}`));
      expect(counts(different)).toEqual([0, 1, 0, 0]);
      expect(different).toMatch(/con otro dato en\s+Nombre/);
      const unknown = await uploaded('guias.csv', `${header}\n${lines[0]!.replace(/^\d+/, '000000000000')}`);
      expect(counts(await browser.page(unknown))).toEqual([0, 0, 1, 0]);
    });

    it('remembers how the columns were mapped, and reads no field from two of them', async () => {
      const file = 'Quien,Cel,Muni,Depto\nAna,55550101,Mixco,Guatemala\n';
      const path = await uploaded('a.csv', file);
      expect(counts(await browser.page(path))).toEqual([1, 0, 0, 0]);
      const twice = await browser.post(`${path}/columnas`, {
        'columna.0': 'telefono',
        'columna.1': 'telefono',
      });
      expect(twice.status).toBe(422);
      expect(twice.text).toContain('Ya es la columna «Quien»');
      expect(twice.text).toMatch(
        /name="columna.0"[^]*?<option value="telefono" selected[^]*?name="columna.1"/,
      );
      await done(path, 'columnas', { 'columna.0': 'nombre' });
      const next = await browser.page(await uploaded('b.csv', file.replace('Ana', 'Eva')));
      expect(next).toMatch(/name="columna.0"[^]*?<option value="nombre" selected/);
    });

    const ORDERS = ['55550101', '55550102'].map((phone) => ['', phone, 'Mixco', '100']);
    const TITLED = [
      ['Pedidos, 2026'],
      [''],
      ['Tienda', 'Ana'],
      ['Pedido', 'Tel', 'Ciudad', 'Total'],
      ...ORDERS,
    ];

    it.each([
      ['a CSV file', TITLED.map((row) => row.join(';')).join('\n')],
      ['one with quotes', TITLED.map((row) => row.join(';').replace('Mixco', '"Mixco"')).join('\n')],
      ['one with commas', [['Noviembre'], ...TITLED.slice(1)].map((row) => row.join(',')).join('\n')],
      ['an Excel file', xlsxOf(TITLED)],
    ])('finds the headings of %s below a title, and says where', async (_, file) => {
      const page = await browser.page(await uploaded('titulo.csv', file));
      expect(counts(page)).toEqual([2, 0, 0, 0]);
      expect(page).toContain('Los encabezados están en la fila 4; lo de arriba no se lee.');
    });

    it('says that the headings may be elsewhere, where no column is the phone', async () => {
      const page = await browser.page(
        await uploaded('a.csv', 'Pedidos de noviembre\nNúmero,Zona\n55550101,Mixco\n'),
      );
      expect(page).toContain('se leyó la primera fila: «Pedidos de noviembre». Si están en otra fila');
      const right = await browser.page(await uploaded('a.csv', 'Tel,Ciudad\n55550101,Mixco\n'));
      expect(right).not.toContain('primera fila');
    });

    it('reads amounts with the sign or the name of the currency, and refuses what can be read in two ways', async () => {
      const amounts = ['Q349.50', 'Q 1 500', '350 quetzales', '"Q 1,250.00"', 'Q1.500', '$45'];
      const rows = amounts.map((amount, i) => `Q-${i},55550101,Mixco,${amount}\n`);
      const path = await uploaded('a.csv', `Pedido,Tel,Ciudad,Total\n${rows.join('')}`);
      const page = await browser.page(path);
      expect(counts(page)).toEqual([4, 0, 2, 0]);
      expect(page).toContain('«1.500» puede leerse de dos maneras');
      await done(path, 'crear');
      const { body } = await merchant.get('/api/v1/guias?limit=4');
      const made = body.guias.map(({ external_ref, cod_amount }: any) => [external_ref, cod_amount]);
      expect(Object.fromEntries(made)).toEqual({ 'Q-0': 349.5, 'Q-1': 1500, 'Q-2': 350, 'Q-3': 1250 });
    });

    it("reads the codes of departments in Shopify's export", async () => {
      const header = 'Name,Lineitem name,Shipping Name,Shipping City,Shipping Phone,Shipping Province';
      const path = await uploaded('o.csv', `${header}\n#S1,a,Ana,Antigua Guatemala,55550101,SAC\n`);
      await done(path, 'crear', { sin_cobro: 'si' });
      const { body } = await merchant.get('/api/v1/guias?external_ref=%23S1');
      expect(body.guias[0]).toMatchObject({ departamento: 'Sacatepéquez', municipio: 'Antigua Guatemala' });
    });

    it('says which sheet of a workbook it reads, where there are others', async () => {
      const sheets = workbookXml([
        ['Listas', 'rId2', 'state="hidden"'],
        ['Noviembre', 'rId1'],
      ]);
      const more = { 'xl/workbook.xml': sheets, 'xl/worksheets/sheet2.xml': sheetXml('') };
      const page = await browser.page(await uploaded('a.xlsx', xlsxOf(TITLED.slice(3), more)));
      expect(page).toContain('El libro tiene 2 hojas. Se lee la primera que está a la vista: «Noviembre».');
      expect(await browser.page(await uploaded('b.xlsx', xlsxOf(TITLED)))).not.toContain('El libro tiene');
    });

    it('gives the refused rows as a file without formulas, which it takes back', async () => {
      const file = `Pedido,Cliente,Tel,Ciudad,Departamento\nF-1,=1+1,x,Mixco,Guatemala\nF-2,${HOSTILE.replaceAll(/[",\n]/g, '')},x,Mixco,Guatemala\nF-3,Eva,5555 010,Mixco,Guatemala\n`;
      const path = await uploaded('f.csv', file);
      const page = await browser.page(path);
      expect(page).not.toContain(HOSTILE);
      const { text } = await browser.get(`${path}/rechazadas.csv`);
      expect(text).toContain("F-1,'=1+1,x,Mixco,Guatemala,Tel: ");
      // As the other forms of the panel say it.
      expect(page).toContain('Tiene 7 dígitos; en Guatemala son 8.');
      expect(text).toContain('F-3,Eva,5555 010,Mixco,Guatemala,Tel: Tiene 7 dígitos; en Guatemala son 8.');
      expect(text).not.toContain('telefono');
      expect(text.split('\r\n')[0]).toBe('Pedido,Cliente,Tel,Ciudad,Departamento,motivo');
      const mended = await uploaded('g.csv', text.replaceAll(',x,', ',55550404,'));
      await done(mended, 'crear', { sin_cobro: 'si' });
      const { body } = await merchant.get('/api/v1/guias?external_ref=F-1');
      expect(body.guias[0].destinatario).toBe('=1+1');
    });

    it('asks where guides are picked up, where neither file nor merchant says it', async () => {
      const fresh = await PanelBrowser.in(test, await test.merchant());
      const path = await uploaded('a.csv', 'Cliente,Tel,Ciudad\nAna,55550101,Mixco\n', fresh);
      expect(counts(await fresh.page(path))[2]).toBe(1);
      for (const wrong of [
        '',
        'por el mercado',
        'https://maps.google.com/',
        'https://example.com/x',
        '400, 0',
      ]) {
        const { status, text } = await fresh.post(`${path}/recogida`, {
          'recogida.maps_url': wrong,
          'recogida.nombre': 'Bodega 5',
        });
        expect([wrong, status]).toEqual([wrong, 422]);
        expect(fieldOf(text, 'recogida.maps_url')).toMatchObject({ 'aria-invalid': 'true' });
        expect(fieldOf(text, 'recogida.maps_url').value ?? '').toBe(wrong);
        expect(fieldOf(text, 'recogida.nombre').value).toBe('Bodega 5');
      }
      await fresh.post(`${path}/recogida`, { 'recogida.maps_url': '14.6349, -90.5069' });
      expect(counts(await fresh.page(path))).toEqual([1, 0, 0, 0]);
    });

    it('says that a file is missing where its field comes as a text', async () => {
      for (const body of [
        new URLSearchParams({ archivo: 'x' }),
        '{"archivo":{"name":"a"}}',
        '{"archivo":{"name":1,"bytes":"x"}}',
        textForm('archivo', 'x'),
      ]) {
        const { status } = await browser.send('/panel/importar', body);
        expect(status).toBe(422);
      }
    });

    it('takes headings of any length, and with any characters', async () => {
      const path = await uploaded(
        'a.csv',
        `Tel,${'x'.repeat(199)}😀,\u0001\ufffe,__proto__\n55550101,a,b,c\n`,
      );
      expect(counts(await browser.page(path))).toHaveLength(4);
    });

    it.each([
      ['a header alone', 'Pedido,Cliente,Teléfono', 'El archivo no tiene filas debajo del encabezado.'],
      ['a page in a line', '<html><table><tr><td>Tel</td></tr></table></html>', 'Es una página web o un XML'],
      ['a page in lines', '\n<!DOCTYPE html>\n<html>\n</html>', 'Es una página web o un XML'],
      ['a photo', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0x10), 'Es una imagen'],
      ['bytes', Uint8Array.of(1, 0, 2, 0, 0, 0), 'No es un texto'],
    ])('says what %s is without a word of the API', async (_, bytes, what) => {
      const { status, text } = await browser.upload('/panel/importar', { name: 'a.csv', bytes });
      const [, alert] = /role="alert"><svg[^]*?<\/svg><div class="grow">([^<]*)</.exec(text)!;
      expect([status, alert]).toEqual([422, expect.stringContaining(what)]);
      expect(alert).not.toMatch(/curl|--|\/api|GET/);
    });

    it('refuses what is no such file with a page that says so, and files of other merchants as unknown', async () => {
      for (const [name, bytes] of [
        ['a.csv', ''],
        ['a.pdf', '%PDF-1.7 x'],
        ['a.xlsx', 'PK\u0003\u0004 x'],
        [
          'bomb.xlsx',
          xlsxOf([['a'], ['b']], { 'xl/worksheets/sheet2.xml': new Uint8Array(21 * 1024 * 1024) }),
        ],
        ['rows.csv', `Tel\n${'55550101\n'.repeat(1_001)}`],
        ['over.csv', `Tel\n55550101${' '.repeat(5 * 1024 * 1024)}`],
        // One cell in the last row and column of a sheet.
        ['far.xlsx', xlsxOf([['Tel'], ['5']], { 'xl/worksheets/sheet1.xml': FAR_SHEET })],
      ] as const) {
        const { status, text } = await browser.upload('/panel/importar', { name, bytes });
        expect([name, status]).toEqual([name, 422]);
        expect(text).toContain('role="alert"');
      }
      const large = await browser.upload('/panel/importar', {
        name: 'a.csv',
        bytes: 'x'.repeat(6 * 1024 * 1024),
      });
      expect(large.status).toBe(413);
      expect(large.text).toContain('Un archivo puede tener hasta 5 MiB');
      const path = await uploaded('a.csv', 'Tel\n55550101\n');
      const stranger = await PanelBrowser.in(test, other);
      for (const step of ['crear', 'filas', 'columnas', 'recogida'])
        expect((await stranger.post(`${path}/${step}`, {})).status).toBe(404);
      expect((await stranger.get(path)).status).toBe(404);
      expect((await stranger.get(`${path}/rechazadas.csv`)).status).toBe(404);
    });

    const leftIn = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);

    it('counts an upload as one request for each ten rows, and not again at the import', async () => {
      const before = leftIn(await browser.get('/panel/importar'));
      const rows = Array.from({ length: 95 }, () => 'Ana,x\n').join('');
      const sent = await browser.upload('/panel/importar', { name: 'a.csv', bytes: `Nombre,Tel\n${rows}` });
      expect(sent.status).toBe(303);
      expect(before - leftIn(sent)).toBe(10);
      const path = sent.headers.get('location')!;
      expect(leftIn(sent) - leftIn(await browser.post(`${path}/crear`, {}))).toBe(1);
    });

    it('counts the labels of a selection as the API does', async () => {
      const before = leftIn(await browser.get('/panel/importar'));
      const chosen = Array.from({ length: 35 }, (_, n): [string, string] => ['guias', String(4_000 + n)]);
      expect(before - leftIn(await browser.postList('/panel/etiquetas', chosen))).toBe(4);
    });

    it('names what is too large in a CSV file', async () => {
      for (const [named, bytes] of [
        ['150 columnas', `Tel${',x'.repeat(150)}\n1\n`],
        ['150 columnas', `Tel,${',x'.repeat(300)}\n1\n`],
        ['5,000 caracteres', `Tel,Nota\n1,${'a'.repeat(5_001)}\n`],
        ['5 MB', `Tel,Nota\n${`1,${'a'.repeat(4_990)}\n`.repeat(1_010)}`],
      ] as const) {
        const { status, text } = await browser.upload('/panel/importar', { name: 'a.csv', bytes });
        const [, alert = ''] = /role="alert"><svg[^]*?<\/svg><div class="grow">([^<]*)</.exec(text) ?? [];
        expect([status, alert]).toEqual([422, expect.stringContaining(named)]);
      }
    });

    it('takes two files of a key at a time, and another once one has gone', async () => {
      const stalled = await PanelBrowser.in(test, other);
      const begin = () => stalled.beginUpload('/panel/importar');
      const before = leftIn(await stalled.get('/panel/importar'));
      const open = [await begin(), await begin()];
      // A third file that came first would take the place of one of the two.
      let looks = 0;
      await eventually(async () => {
        const left = leftIn(await stalled.get('/panel/importar'));
        looks++;
        expect(before - left - looks).toBe(2);
      });
      const third = await stalled.upload('/panel/importar', { name: 'a.csv', bytes: 'Tel\n1\n' });
      expect([third.status, third.headers.get('retry-after')]).toEqual([429, '5']);
      for (const socket of open) {
        socket.destroy();
        await once(socket, 'close');
      }
      await eventually(async () => {
        const again = await stalled.upload('/panel/importar', { name: 'a.csv', bytes: 'Tel\n1\n' });
        expect(again.status).toBe(303);
      });
    });

    it('keeps the newest ten files, and those whose guides were made within an hour', async () => {
      const owner = await test.merchant();
      const own = await PanelBrowser.in(test, owner);
      const upload = () => own.upload('/panel/importar', { name: 'a.csv', bytes: 'Nombre,Tel\nAna,x\n' });
      const paths: string[] = [];
      for (let n = 0; n < 10; n++) paths.push((await upload()).headers.get('location')!);
      const imported = `update panel_archivos set importado_en = now() - $2 * interval '1 minute' where comercio_id = $1`;
      await test.database.query(`${imported} and id = $3`, [owner.id, 59, paths[0]!.split('/').at(-1)]);
      await test.database.query(`${imported} and id = $3`, [owner.id, 61, paths[1]!.split('/').at(-1)]);
      const newest = (await upload()).headers.get('location')!;
      const statuses = await Promise.all(
        [...paths, newest].map(async (path) => (await own.get(path)).status),
      );
      expect(statuses).toEqual([200, 404, ...Array<number>(9).fill(200)]);
      await test.database.query(imported, [owner.id, 1]);
      const refused = await upload();
      expect(refused.status).toBe(409);
      expect(refused.text).toContain('Ya hay 10 archivos suyos');
      const { n } = (
        await test.database.query('select count(*)::int as n from panel_archivos where comercio_id = $1', [
          owner.id,
        ])
      )[0]!;
      expect(n).toBe(10);
    });
  });
});
