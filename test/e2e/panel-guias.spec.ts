import { randomUUID } from 'node:crypto';
import { GuiaAdvertenciasService } from '../../src/guias/changes/guia-advertencias.service.js';
import { ApiKeysService } from '../../src/auth/keys/api-keys.service.js';
import { ADVERTENCIA_CODES, ADVERTENCIAS, outlastingFor } from '../../src/guias/guia/guia-advertencia.js';
import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { inFours } from '../../src/guias/guia/guia-digits.js';
import { eventually } from '../support/eventually.js';
import { formOf } from '../support/console.js';
import { seedGuias } from '../support/guias-seed.js';
import { noteOf, PanelBrowser, textsOf } from '../support/panel.js';
import { guiaBody, type TestMerchant, type TestOperator } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

interface Made {
  id: string;
  guia: string;
}

describe('the panel', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;
  let stranger: TestMerchant;
  let operator: TestOperator;
  let browser: PanelBrowser;

  beforeAll(async () => {
    merchant = await test.merchant();
    stranger = await test.merchant();
    operator = await test.operator();
    browser = await PanelBrowser.in(test, merchant);
  });

  const create = async (fields: Record<string, unknown> = {}, owner = merchant): Promise<Made> => {
    const { status, body } = await owner.post('/api/v1/guias', { ...guiaBody(), ...fields });
    expect(status).toBe(201);
    return body as Made;
  };
  const detail = async ({ guia }: Made) => (await merchant.get(`/api/v1/guias/${guia}`)).body.guia;
  const historyOf = async ({ guia }: Made) =>
    (await merchant.get(`/api/v1/guias/${guia}/eventos`)).body.eventos as Record<string, unknown>[];
  const location = ({ status, headers }: { status: number; headers: Headers }) => [
    status,
    headers.get('location'),
  ];

  it('takes from a key that only reads no change, and says so without words for programs', async () => {
    const reader = await PanelBrowser.in(test, await test.keyOf(merchant.id, { scopes: ['guias:leer'] }));
    const { guia } = await create();
    const fields = { clave: randomUUID(), version: '1', guias: guia, alcances: 'guias:leer' };
    const paths = ['cambiar', 'cancelar', 'pedir'].map((step) => `guias/${guia}/${step}`);
    for (const path of [...paths, 'claves', 'pedir'])
      expect([path, (await reader.post(`/panel/${path}`, fields)).status]).toEqual([path, 403]);
    expect((await reader.get('/panel/claves')).status).toBe(403);
    const { text } = await reader.post('/panel/pedir', fields);
    expect(text).toContain('Su clave no permite crear, cambiar y cancelar guías.');
    expect(text).not.toContain('guias:');
  });

  it.each(['guias', 'cobros', 'liquidaciones'])(
    'says without words for programs that a page of a list cannot be opened: %s',
    async (path) => {
      const { status, text } = await browser.get(`/panel/${path}?cursor=x`);
      expect([status, text]).toEqual([400, expect.stringContaining('Vuelva a la lista')]);
      expect(text).not.toMatch(/siguiente_cursor|Envíe/);
    },
  );

  it('finds guides by number, reference, phone, its end, and name; and keeps no phone in an address', async () => {
    const made = await create({ nombre: 'Wendy Xicará', telefono: '5512 3498', external_ref: 'vestido-77' });
    const other = await create({ nombre: 'Wendy Xicará', telefono: '5512 3498' }, stranger);
    for (const q of [
      made.guia,
      inFours(made.guia),
      // As chats copy it.
      `\u200e${inFours(made.guia)}\u202c`,
      'vestido-77',
      '5512-3498',
      '+50255123498',
      '3498',
      '\u202a3498\u202c',
      'xicara',
    ])
      await eventually(async () => {
        const page = await browser.page(`/panel/guias?q=${encodeURIComponent(q)}`);
        expect({ q, found: page.includes(`data-guia="${made.guia}"`) }).toEqual({ q, found: true });
        expect(page).not.toContain(other.guia);
      });
    expect(await browser.page(`/panel/guias?q=${other.guia}`)).toContain('No se encontró');
    expect(location(await browser.post('/panel/guias', { q: 'Xicará', estado: '' }))).toEqual([
      303,
      '/panel/guias?q=Xicar%C3%A1',
    ]);
    const posted = await browser.post('/panel/guias', { q: '5512-3498', estado: '' });
    expect([posted.status, posted.text.includes(made.guia)]).toEqual([200, true]);
    expect(await browser.page('/panel/guias?q=xicara&estado=entregado')).toContain('No se encontró');
  });

  it('filters by what happens, door, place and day, counts them, and says which filter is wrong', async () => {
    const owner = await test.merchant();
    const own = await PanelBrowser.in(test, owner);
    const near = { departamento: 'Guatemala', municipio: 'Mixco' };
    const confirmed = await create({ ...near, lat: 14.63, lng: -90.6 }, owner);
    const asked = await create(near, owner);
    const odd = await create(
      { departamento: 'Alta Verapaz', municipio: 'Cobán', telefono: '55555555' },
      owner,
    );
    const shown = async (query: string) => {
      const { text } = await own.get(`/panel/guias?${query}`);
      const guias = [...text.matchAll(/data-guia="(\d{12})"/g)].map(([, guia]) => guia);
      return [guias, Number(/data-total="(\d+)"/.exec(text)?.[1])];
    };
    const [tomorrow] = new Date(Date.now() + 2 * 86_400_000).toISOString().split('T');
    const all = [odd, asked, confirmed].map(({ guia }) => guia);
    expect(await shown('')).toEqual([all, 3]);
    expect(await shown('confirmada=si')).toEqual([[confirmed.guia], 1]);
    expect(await shown('municipio=MIXCO&confirmada=no')).toEqual([[asked.guia], 1]);
    expect(await shown('advertencia=telefono_dudoso')).toEqual([[odd.guia], 1]);
    expect(await shown(`desde=2026-01-01&hasta=${tomorrow}`)).toEqual([all, 3]);
    expect(await shown(`desde=${tomorrow}`)).toEqual([[], 0]);
    expect(await shown('q=coban')).toEqual([[odd.guia], 1]);
    expect(await shown('q=mixco&confirmada=no')).toEqual([[asked.guia], 1]);
    expect(await shown('q=nadie')).toEqual([[], 0]);
    for (const wrong of [
      'desde=ayer',
      'confirmada=quizas',
      'advertencia=x',
      'estado=x',
      'desde=2026-02-02&hasta=2026-02-01',
    ]) {
      const { status, text } = await own.get(`/panel/guias?${wrong}`);
      expect([wrong, status, text.includes('aria-invalid'), /data-guia="/.test(text)]).toEqual([
        wrong,
        422,
        true,
        false,
      ]);
      expect([wrong, (await own.get(`/panel/guias/csv?${wrong}`)).status]).toEqual([wrong, 400]);
    }
    const [, link] = /href="(\/panel\/guias\/csv\?[^"]+)"/.exec(
      await own.page('/panel/guias?municipio=MIXCO'),
    )!;
    const { headers, text } = await own.get(link!);
    expect(headers.get('content-disposition')).toContain('guias.csv');
    expect([confirmed, asked, odd].map(({ guia }) => text.includes(guia))).toEqual([true, true, false]);
  });

  it('says that there may be more than a search finds, and prints what it found', async () => {
    const many = await test.merchant();
    const own = await PanelBrowser.in(test, many);
    const search = async () => (await own.post('/panel/guias', { q: '5512 9977' })).text;
    const batch = (count: number) => {
      const guias = Array.from({ length: count }, () => ({ ...guiaBody(), telefono: '5512 9977' }));
      for (const guia of guias) delete (guia as { external_ref?: string }).external_ref;
      return many.post('/api/v1/guias/lote', { guias });
    };
    expect((await batch(49)).body).toMatchObject({ creadas: 49 });
    expect(await search()).toContain('Todas las que coinciden (49)');
    expect((await batch(3)).body).toMatchObject({ creadas: 3 });
    const page = await search();
    expect(page).toMatch(/data-total="50"> *Al menos 50 guías</);
    expect(page).toContain('Las primeras 50 que coinciden');
    const none = await own.page(`/panel/guias?q=${encodeURIComponent('5512 9977')}&estado=entregado`);
    expect(none).toContain('Entre las primeras que se encontraron no hay ninguna');
  });

  it('names the reason of the attempt that failed last, while the guide stands there', async () => {
    const { id, guia } = await create({ lat: 14.63, lng: -90.6 });
    const shown = async () => {
      const [, badges] = /<td> *<span class="badge[^>]*>(.*?)<\/td>/.exec(
        await browser.page(`/panel/guias?q=${guia}`),
      )!;
      return badges!.replace(/<[^>]*>/g, '').trim();
    };
    const moves = ['en_camino_a_recoger', 'recogido', 'en_ruta'].map((estado) => ({ estado }));
    for (const move of [...moves, { estado: 'intento_fallido', motivo: 'ausente' }])
      expect((await operator.move(id, move)).status).toBe(201);
    expect(await shown()).toBe('No había nadie');
    await operator.move(id, { estado: 'en_ruta' });
    expect(await shown()).toBe('En ruta');
    await operator.move(id, { estado: 'intento_fallido', motivo: 'direccion_incorrecta' });
    expect(await shown()).toBe('No hallaron la casa');
    for (const estado of ['en_ruta', 'intento_fallido']) {
      const undone = await operator.post(`/api/v1/operaciones/guias/${id}/deshacer`, { motivo: 'Era otra' });
      expect(undone.body).toMatchObject({ estado });
    }
    expect(await shown()).toBe('No había nadie');
    const today = await browser.page('/panel');
    expect(today).toContain('No había nadie');
    expect(today).not.toContain('No se pudo entregar');
  });

  it("says of each warning what it means in the panel's words, that of the recipient first", async () => {
    const { id, guia } = await create();
    const stored = ['cod_distinto', 'entrega_lejos', 'entregado_sin_pin', 'destinatario_no_recibio'];
    await test.database.query("update guias set estado = 'entregado', advertencias = $2 where id = $1", [
      id,
      stored,
    ]);
    const page = await browser.page(`/panel/guias/${guia}`);
    expect(page).not.toMatch(/cod_amount|distancia_m|sugerencias|nota del evento/);
    const notes = [...page.matchAll(/name="codigo" value="(\w+)"/g)].map(([, codigo]) => codigo);
    expect(notes).toEqual(['destinatario_no_recibio', ...stored.slice(0, 3)]);
  });

  it.each([
    ['entregado', '{cod_distinto,destinatario_no_recibio}', 'Dijo que no llegó'],
    ['aceptado', '{mensaje_fallido}', 'No recibió el mensaje'],
    ['entregado', '{cod_distinto}', 'Entregada'],
    ['entregado', '{mensaje_fallido}', 'Entregada'],
    ['recogido', '{mensaje_fallido}', 'Recogida No recibió el mensaje'],
  ])(
    'lists what a warning says where it says more than the state: %s %s',
    async (estado, advertencias, text) => {
      const { id, guia } = await create();
      const values = [id, estado, advertencias];
      await test.database.query('update guias set estado = $2, advertencias = $3 where id = $1', values);
      const page = await browser.page(`/panel/guias?q=${guia}`);
      const [, badges] = /<td> *<span class="badge[^>]*>(.*?)<\/td>/.exec(page)!;
      expect(badges!.replace(/<[^>]*>/g, '').trim()).toBe(text);
    },
  );

  it('lists as many guides to print as a small page has, and says that more wait', async () => {
    const own = await test.merchant();
    await seedGuias(test.database, own.id, { count: 60, at: String(Date.now() - 60_000) });
    const page = await (await PanelBrowser.in(test, own)).page('/panel/guias?impresa=no');
    expect(page.match(/<tr data-guia/g)).toHaveLength(40);
    expect(page).toContain('después de imprimirlas vienen las demás');
  });

  it('shows a warning that outlasts its guide until it was seen, and again once it comes back', async () => {
    const own = await test.merchant();
    const delivered = await create({ nombre: 'Ana Lejos' }, own);
    const missing = await create({ nombre: 'Beto Nada' }, own);
    const newest = await create({ nombre: 'Carla Omitida' }, own);
    const warn = (id: string, codigos: string) =>
      test.database.query(`update guias set advertencias = $2, estado = 'entregado' where id = $1`, [
        id,
        codigos,
      ]);
    await warn(delivered.id, '{entrega_lejos,telefono_dudoso}');
    await warn(missing.id, '{cod_distinto,destinatario_no_recibio}');
    await warn(newest.id, '{mensaje_omitido_limite}');
    const panel = await PanelBrowser.in(test, own);
    const shown = async () =>
      [...(await panel.page('/panel')).matchAll(/data-causa="(\w+)".*?<b>(\w+ \w+)<\/b>/g)].map(
        ([, codigo, name]) => `${codigo} ${name}`,
      );
    const distinto = 'cod_distinto Beto Nada';
    const lejos = 'entrega_lejos Ana Lejos';
    const omitido = 'mensaje_omitido_limite Carla Omitida';
    expect(await shown()).toEqual(['destinatario_no_recibio Beto Nada', distinto, lejos, omitido]);
    expect((await panel.page('/panel')).match(/class="btn main/g)).toHaveLength(1);
    // Of guides that have ended nothing is to be corrected.
    expect(await panel.page('/panel')).not.toMatch(/abrir=cambiar|Corregir/);
    await test.database.query(`update guias set estado = 'recogido' where id = $1`, [newest.id]);
    expect(await panel.page('/panel')).toContain(`/panel/guias/${newest.guia}?abrir=cambiar`);
    const see = async (guia: Made, codigo: string) => {
      const { status } = await panel.post('/panel/vistas', { clave: randomUUID(), guia: guia.guia, codigo });
      expect(status).toBe(303);
    };
    await see(delivered, 'entrega_lejos');
    await see(missing, 'destinatario_no_recibio');
    expect(await shown()).toEqual([distinto, omitido]);
    expect(await panel.page('/panel')).toContain('Cobraron otro monto');
    const advertencias = test.app.get(GuiaAdvertenciasService);
    const key = { comercioId: own.id, guiaId: delivered.id };
    await advertencias.remove(key, ['entrega_lejos'], delivered.id);
    await warn(delivered.id, '{entrega_lejos}');
    expect(await shown()).toEqual([distinto, lejos, omitido]);
    await test.database.query(
      `update guias set actualizada_en = now() - interval '30 days 1 hour' where comercio_id = $1`,
      [own.id],
    );
    expect(await shown()).toEqual([]);
    const foreign = { clave: randomUUID(), guia: (await create({}, stranger)).guia, codigo: 'entrega_lejos' };
    expect((await panel.post('/panel/vistas', foreign)).status).toBe(404);
  });

  it('has a cause for each warning that the merchant attends, whose list is what it counts', async () => {
    const own = await test.merchant();
    const panel = await PanelBrowser.in(test, own);
    const old = '2026-01-01T00:00:00Z';
    /** Each with its amount and its state; all have every warning. */
    const guias = new Map<GuiaEstado, Made>();
    for (const [n, estado] of (['aceptado', 'entregado', 'devuelto'] as const).entries()) {
      const guia = await create({ cod_amount: 10.25 * (n + 1), nombre: `Ana ${estado}` }, own);
      guias.set(estado, guia);
      await test.database.query('update guias set advertencias = $2, estado = $3 where id = $1', [
        guia.id,
        ADVERTENCIA_CODES,
        estado,
      ]);
    }
    const causes = async () =>
      Object.fromEntries(
        [
          ...(await panel.page('/panel')).matchAll(
            /data-causa="(\w+)" data-guias="(\d+)" data-monto="([\d.]+)"/g,
          ),
        ].map(([, codigo, guias, monto]) => [codigo, [Number(guias), Number(monto)]]),
      ) as Record<string, [number, number]>;
    const always = outlastingFor('comercio');
    const ownCodes = ADVERTENCIA_CODES.filter((code) =>
      (ADVERTENCIAS[code].attendants as readonly string[]).includes('comercio'),
    );
    const expected = (isAll: boolean) =>
      Object.fromEntries(
        ownCodes.map((code) => [code, isAll && always.includes(code) ? [3, 61.5] : [1, 10.25]]),
      );
    expect(await causes()).toEqual(expected(true));

    const listed = async (codigo: string) => {
      const page = await panel.page(`/panel/guias?advertencia=${codigo}&hoy=si`);
      const found = [...page.matchAll(/data-guia="(\d{12})"/g)].map(([, guia]) => guia);
      return [Number(/data-total="(\d+)"/.exec(page)?.[1]), ...found];
    };
    const [open, delivered, returned] = [...guias.values()].map(({ guia }) => guia);
    const page = await panel.page('/panel');
    for (const codigo of ownCodes) {
      expect(page).toContain(`href="/panel/guias?advertencia=${codigo}&amp;hoy=si"`);
      expect(await listed(codigo)).toEqual(
        always.includes(codigo) ? [3, returned, delivered, open] : [1, open],
      );
    }

    // Seen all at once: what changed after the page was read stands.
    const hasta = /name="codigo" value="entrega_lejos"\/?><input type="hidden" name="hasta" value="([^"]+)"/;
    const seen = { clave: randomUUID(), codigo: 'entrega_lejos', hasta: hasta.exec(page)![1]! };
    await test.database.query(
      `update guias set actualizada_en = now() + interval '1 second' where guia = $1`,
      [open],
    );
    expect((await panel.post('/panel/vistas', seen)).status).toBe(303);
    expect(await listed('entrega_lejos')).toEqual([1, open]);
    expect(await listed('cod_distinto')).toEqual([3, returned, delivered, open]);

    // While a guide is open, its other warnings stand longer than 30 days.
    await test.database.query('update guias set actualizada_en = $2 where comercio_id = $1', [own.id, old]);
    expect(Object.keys(await causes()).sort()).toEqual(
      ownCodes.filter((code) => !always.includes(code)).sort(),
    );
    expect(await listed('entrega_lejos')).toEqual([0]);
  });

  it('shows a shop without guides its first steps', async () => {
    const own = await test.merchant();
    const panel = await PanelBrowser.in(test, own);
    expect(await panel.page('/panel')).toContain('Los tres primeros pasos');
    await create({}, own);
    expect(await panel.page('/panel')).not.toContain('primeros pasos');
  });

  it('offers the label after a guide was made, as the only filled button, and another guide', async () => {
    const { guia } = await create();
    const page = await browser.page(`/panel/guias/${guia}?hecho=creada`);
    expect(page.match(/class="btn main[^>]*>/g)).toEqual([expect.stringContaining(`${guia}/etiqueta`)]);
    expect(page).toContain('href="/panel/guias/nueva">');
  });

  it('counts the guides by the state that they came to today, and links to them', async () => {
    const own = await test.merchant();
    const today = await create({}, own);
    const earlier = await create({}, own);
    const moved = await create({}, own);
    await test.database.query(
      `update guias set creada_en = creada_en - interval '2 days', actualizada_en = actualizada_en - interval '2 days'
       where id = any ($1)`,
      [[earlier.id, moved.id]],
    );
    for (const estado of ['en_camino_a_recoger', 'recogido']) await operator.move(moved.guia, { estado });
    const panel = await PanelBrowser.in(test, own);
    const page = await panel.page('/panel');
    const shown = [...page.matchAll(/data-estado="(\w+)" href="([^"]+)"><b>(\d+)<\/b>/g)];
    expect(Object.fromEntries(shown.map(([, estado, , count]) => [estado, count]))).toEqual({
      aceptado: '1',
      recogido: '1',
      en_ruta: '0',
      intento_fallido: '0',
      entregado: '0',
    });
    const [, , href] = shown.find(([, estado]) => estado === 'aceptado')!;
    const list = await panel.page(href!.replaceAll('&amp;', '&'));
    expect(list).toContain(today.guia);
    expect(list).not.toContain(earlier.guia);
  });

  it('shows what needs somebody, with the way to mend it, and asks several recipients at once', async () => {
    const own = await test.merchant();
    const failed = await create({ nombre: 'Ana Falla', lat: 14.6, lng: -90.5 }, own);
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await operator.move(failed.guia, { estado });
    await operator.move(failed.guia, { estado: 'intento_fallido', motivo: 'direccion_incorrecta' });
    const doubtful = await create({ nombre: 'Beto Duda', telefono: '22222222' }, own);
    const panel = await PanelBrowser.in(test, own);
    const page = await panel.page('/panel');
    expect(page).toContain('Ana Falla');
    expect(page).toContain('No hallaron la casa');
    expect(page).toContain(`/panel/guias/${failed.guia}?abrir=cambiar`);
    expect(page).toContain(`/panel/guias/${doubtful.guia}?abrir=cambiar`);
    const clave = failed.id;
    const sent: [string, string][] = [
      ['clave', clave],
      ['guias', failed.guia],
      ['guias', doubtful.guia],
    ];
    for (let n = 0; n < 2; n++)
      expect(location(await panel.postList('/panel/pedir', sent))).toEqual([303, '/panel?hecho=2-0']);
    const asked = await own.get(`/api/v1/guias/${failed.guia}/eventos`);
    expect(
      asked.body.eventos.filter(({ tipo }: { tipo: string }) => tipo === 'guia.confirmacion_pedida'),
    ).toHaveLength(1);
  });

  it('shows a guide with its history, and what may be done', async () => {
    const guia = await create({ nombre: 'Ana López', cod_amount: 349.5, telefono: '5512 3499' });
    const page = await browser.page(`/panel/guias/${guia.guia}`);
    expect(page).toContain(`Guía ${inFours(guia.guia)}`);
    for (const text of ['Ana López', 'Q\u00a0349.50', '5512 3499', 'Se creó la guía'])
      expect(page).toContain(text);
    const { seguimiento } = await detail(guia);
    expect(page).toContain(`value="${seguimiento}"`);
    expect(page).toContain(`https://wa.me/50255123499?text=`);
    expect(page).toContain(encodeURIComponent(seguimiento));
    const label = await browser.get(`/panel/guias/${guia.guia}/etiqueta`);
    expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await browser.page(`/panel/guias/${guia.id}`)).toContain('Ana López');
  });

  it('says that a guide has a driver, or another one, and never whom', async () => {
    const guia = await create();
    const { body } = await operator.post('/api/v1/operaciones/pilotos', { nombre: 'Chepe Coy' });
    for (const [piloto, said] of [
      [body.piloto.id, 'Ya tiene uno'],
      [null, 'Todavía no tiene'],
    ]) {
      await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia.guia] });
      expect(await browser.page(`/panel/guias/${guia.guia}`)).toContain(`<dt>Piloto</dt><dd>${said}</dd>`);
    }
    const page = await browser.page(`/panel/guias/${guia.guia}`);
    expect(page.match(/Cambió el piloto de la guía/g)).toHaveLength(2);
    expect(page).not.toMatch(/sin piloto|Chepe/);
  });

  it("changes a guide by the API's rules, once for each form, as the merchant", async () => {
    const guia = await create({ nombre: 'Ana', cod_amount: 10, referencia: 'Portón' });
    const path = `/panel/guias/${guia.guia}`;
    const { action, hidden } = formOf(await browser.page(path), '/cambiar');
    const fields = {
      ...hidden,
      nombre: 'Ana María',
      cod_amount: 'Q 1,250.50',
      referencia: '',
      telefono: '5512-3400',
    };
    expect(location(await browser.post(action, fields))).toEqual([303, `${path}?hecho=cambiada`]);
    expect(location(await browser.post(action, fields))).toEqual([303, `${path}?hecho=cambiada`]);
    expect(await detail(guia)).toMatchObject({
      destinatario: 'Ana María',
      cod_amount: 1250.5,
      referencia: null,
      telefono: '+50255123400',
    });
    const changes = (await historyOf(guia)).filter(({ tipo }) => tipo === 'guia.actualizada');
    expect(changes.map(({ actor }) => actor)).toEqual(['comercio']);
    expect(await browser.page(`${path}?hecho=cambiada`)).toContain('Se guardaron los cambios.');
  });

  it('shows a refused change again, with every fault beside its field and what was typed', async () => {
    const guia = await create();
    const { telefono } = await detail(guia);
    const path = `/panel/guias/${guia.guia}`;
    const fields = { telefono: '123', municipio: '', cod_amount: 'mucho', direccion: 'Calle <b>nueva</b>' };
    const { status, text } = await browser.submit(path, '/cambiar', fields);
    expect(status).toBe(422);
    for (const campo of ['telefono', 'municipio', 'cod_amount']) {
      expect(text).toMatch(
        new RegExp(`name="${campo}" aria-describedby="falta-${campo}"[^>]* aria-invalid="true"`),
      );
      expect(text).toContain(`id="falta-${campo}"`);
    }
    expect(text).toContain('value="mucho"');
    expect(text).toContain('Calle &lt;b>nueva&lt;/b>');
    expect((await detail(guia)).telefono).toBe(telefono);
  });

  it('refuses a change of a version that somebody changed meanwhile, says what changed, and then takes it', async () => {
    const guia = await create({ nombre: 'Ana', referencia: 'Portón', notas: 'A\nB', cod_amount: 10 });
    const path = `/panel/guias/${guia.guia}`;
    const first = await browser.page(path);
    const { action, hidden } = formOf(first, '/cambiar');
    const shown = textsOf(first, '/cambiar');
    const theirs = { notas: 'Otra', nombre: 'Ana López', cod_amount: 25, referencia: 'Casa <b>azul</b>' };
    await merchant.patch(`/api/v1/guias/${guia.guia}`, theirs);
    // Browsers send line ends as CR LF.
    const typed = {
      ...shown,
      notas: 'A\r\nB',
      nombre: 'Ana María',
      direccion: 'Calle 1',
      cod_amount: '25.00',
    };
    const refused = await browser.post(action, { ...hidden, ...typed });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('la guía cambió mientras usted la editaba');
    expect(refused.text).not.toMatch(/ETag|If-Match/);
    expect(noteOf(refused.text, 'nombre')).toBe('Cambió mientras tanto. Ahora: «Ana López».');
    expect(noteOf(refused.text, 'notas')).toBe('Cambió mientras tanto. Antes: «A\nB».');
    expect(noteOf(refused.text, 'referencia')).toBe('Cambió mientras tanto. Antes: «Portón».');
    for (const campo of ['direccion', 'cod_amount', 'telefono', 'maps_url'])
      expect(noteOf(refused.text, campo)).toBeUndefined();
    const again = textsOf(refused.text, '/cambiar');
    expect(again).toMatchObject({ nombre: 'Ana María', notas: 'Otra', direccion: 'Calle 1' });
    const { hidden: renewed } = formOf(refused.text, '/cambiar');
    expect((await browser.post(action, { ...renewed, ...again })).status).toBe(303);
    expect(await detail(guia)).toMatchObject({
      ...{ destinatario: 'Ana María', direccion: 'Calle 1', notas: 'Otra', cod_amount: 25 },
      referencia: theirs.referencia,
    });
  });

  it('says where a guide goes now, where a place was typed and somebody else changed it', async () => {
    const guia = await create();
    const page = await browser.page(`/panel/guias/${guia.guia}`);
    const { action, hidden } = formOf(page, '/cambiar');
    await merchant.patch(`/api/v1/guias/${guia.guia}`, { lat: 14.6, lng: -90.5 });
    const untouched = await browser.post(action, { ...hidden, ...textsOf(page, '/cambiar') });
    expect([untouched.status, noteOf(untouched.text, 'maps_url')]).toEqual([422, undefined]);
    const { text } = await browser.post(action, {
      ...hidden,
      ...textsOf(page, '/cambiar'),
      maps_url: '14.7, -90.6',
    });
    expect(noteOf(text, 'maps_url')).toBe('El destino cambió mientras tanto. Ahora: «14.6, -90.5».');
    expect(textsOf(text, '/cambiar').maps_url).toBe('14.7, -90.6');
  });

  it('takes what changed meanwhile into a form that is refused for another reason, too', async () => {
    const guia = await create({ notas: 'Una' });
    const page = await browser.page(`/panel/guias/${guia.guia}`);
    const { action, hidden } = formOf(page, '/cambiar');
    await merchant.patch(`/api/v1/guias/${guia.guia}`, { notas: 'Otra' });
    const refused = await browser.post(action, { ...hidden, ...textsOf(page, '/cambiar'), telefono: '123' });
    expect(refused.status).toBe(422);
    expect(textsOf(refused.text, '/cambiar')).toMatchObject({ notas: 'Otra', telefono: '123' });
    expect(noteOf(refused.text, 'notas')).toContain('«Una»');
  });

  describe('takes a wrong pin off', () => {
    const asked = async (guia: Made) =>
      (await historyOf(guia)).filter(({ tipo }) => tipo === 'guia.confirmacion_pedida').length;

    it('by a check box, and asks the recipient', async () => {
      const guia = await create({ lat: 14.6, lng: -90.5 });
      const path = `/panel/guias/${guia.guia}`;
      const page = await browser.page(path);
      expect(page).toMatch(/type="checkbox" name="quitar_destino" value="si"/);
      const { action, hidden } = formOf(page, '/cambiar');
      const sent = { ...hidden, ...textsOf(page, '/cambiar'), quitar_destino: 'si' };
      const both = await browser.post(action, { ...sent, maps_url: '14.7, -90.6' });
      expect([both.status, both.text.includes('Quite el lugar, o dé otro')]).toEqual([422, true]);
      expect(both.text).toMatch(/name="quitar_destino" value="si" checked/);
      for (let n = 0; n < 2; n++)
        expect(location(await browser.post(action, sent))).toEqual([303, `${path}?hecho=quitada`]);
      expect(await detail(guia)).toMatchObject({ direccion_confirmada: false, destino: { lat: null } });
      expect(await asked(guia)).toBe(1);
      expect(await browser.page(path)).not.toContain('quitar_destino');
    });

    it('but none that was set meanwhile', async () => {
      const guia = await create({ lat: 14.6, lng: -90.5 });
      const path = `/panel/guias/${guia.guia}`;
      const page = await browser.page(path);
      const { action, hidden } = formOf(page, '/cambiar');
      await merchant.patch(`/api/v1/guias/${guia.guia}`, { lat: 14.65, lng: -90.5 });
      const sent = { ...hidden, ...textsOf(page, '/cambiar'), quitar_destino: 'si' };
      const { status, text } = await browser.post(action, sent);
      expect([status, noteOf(text, 'maps_url')]).toEqual([
        422,
        'El destino cambió mientras tanto. Ahora: «14.65, -90.5».',
      ]);
      expect(text).not.toMatch(/name="quitar_destino" value="si" checked/);
      expect(await detail(guia)).toMatchObject({ destino: { lat: 14.65 } });
    });
  });

  it('cancels a guide with a reason, asks again, and says why where it cannot', async () => {
    const guia = await create();
    const path = `/panel/guias/${guia.guia}`;
    expect((await browser.submit(path, '/pedir')).status).toBe(303);
    const form = formOf(await browser.page(path), '/cancelar');
    const ask = formOf(await browser.page(path), '/pedir');
    const sent = { ...form.hidden, nota: 'Ya no lo quiere' };
    for (let n = 0; n < 2; n++)
      expect(location(await browser.post(form.action, sent))).toEqual([303, `${path}?hecho=cancelada`]);
    expect(await detail(guia)).toMatchObject({ estado: 'cancelado' });
    const cancelled = (await historyOf(guia)).filter(({ tipo }) => tipo === 'guia.cancelada');
    expect(cancelled).toMatchObject([{ actor: 'comercio', nota: 'Ya no lo quiere' }]);
    const refused = await browser.post(ask.action, ask.hidden);
    expect([refused.status, refused.text.includes('La guía ya terminó')]).toEqual([422, true]);
  });

  it('opens nothing of another merchant, and asks nobody where one of the chosen guides is theirs', async () => {
    const other = await create({}, stranger);
    const theirs = [other.guia, other.id].flatMap((name) => [`guias/${name}`, `guias/${name}/etiqueta`]);
    for (const path of [...theirs, `liquidaciones/${other.id}`, `liquidaciones/${other.id}/csv`])
      expect([path, (await browser.get(`/panel/${path}`)).status]).toEqual([path, 404]);
    const own = await create();
    const sent: [string, string][] = [own.guia, other.guia].map((guia) => ['guias', guia]);
    expect((await browser.postList('/panel/pedir', [['clave', own.id], ...sent])).status).toBe(404);
    expect((await historyOf(own)).map(({ tipo }) => tipo)).not.toContain('guia.confirmacion_pedida');
  });

  it('refuses a form without its key', async () => {
    const { guia } = await create();
    for (const clave of ['', 'x']) {
      const { status } = await browser.post(`/panel/guias/${guia}/cancelar`, { clave });
      expect(status).toBe(409);
    }
  });

  describe('keys', () => {
    it('are made with at most the own scopes, never that of making keys, in the own mode', async () => {
      const twin = await PanelBrowser.in(test, await test.tester(merchant.id));
      for (const [panel, prefix] of [
        [browser, 'gk_live_'],
        [twin, 'gk_test_'],
      ] as const) {
        const { hidden } = formOf(await panel.page('/panel/claves'), '/claves');
        const { status, text, headers } = await panel.postList('/panel/claves', [
          ...Object.entries(hidden),
          ['etiqueta', 'Para Luis'],
          ['alcances', 'guias:leer'],
          ['alcances', 'guias:escribir'],
        ]);
        const key = /<pre data-clave[^>]*>([^<]+)</.exec(text)![1]!;
        expect([status, headers.get('cache-control'), key.startsWith(prefix)]).toEqual([
          200,
          'no-store',
          true,
        ]);
        const again = await panel.post('/panel/claves', { ...hidden, alcances: 'guias:leer' });
        expect([again.status, again.text.includes('data-clave')]).toEqual([200, false]);
        const luis = await PanelBrowser.in(test, { key });
        expect((await luis.get('/panel/claves')).status).toBe(403);
        expect(await panel.page('/panel/claves')).toContain('Para Luis');
      }
    });

    it.each([
      ['none', []],
      ['that of making keys', ['guias:leer', 'claves']],
      ['an operator’s', ['operaciones']],
      ['an unknown one', ['todo']],
    ])('are not made with the scope: %s', async (_, scopes) => {
      const own = await test.merchant({ scopes: ['guias:leer', 'claves'] });
      const panel = await PanelBrowser.in(test, own);
      const { hidden } = formOf(await panel.page('/panel/claves'), '/claves');
      const fields = scopes.map((scope): [string, string] => ['alcances', scope]);
      const { status, text } = await panel.postList('/panel/claves', [
        ...Object.entries(hidden),
        ['etiqueta', 'Para Luis'],
        ...fields,
      ]);
      expect(status).toBe(422);
      expect(text).toContain('value="Para Luis"');
      expect(text).not.toContain('data-clave');
      expect(await test.app.get(ApiKeysService).list({ comercio_id: own.id })).toHaveLength(1);
    });

    it('are listed page by page, the working ones first', async () => {
      const own = await test.merchant();
      const service = test.app.get(ApiKeysService);
      const ended = await Promise.all(Array.from({ length: 30 }, () => test.keyOf(own.id)));
      await Promise.all(ended.map(({ keyId }) => service.revoke(keyId)));
      const panel = await PanelBrowser.in(test, own);
      const [first, second] = [await panel.page('/panel/claves'), await panel.page('/panel/claves?pagina=2')];
      const prefixes = (page: string) =>
        [...page.matchAll(/<b class="num">(gk_\w+)/g)].map(([, prefix]) => prefix!);
      expect(own.key.startsWith(prefixes(first)[0]!.replace(/_?…?$/, ''))).toBe(true);
      expect([prefixes(first), prefixes(second)].map(({ length }) => length)).toEqual([25, 6]);
      expect(new Set([...prefixes(first), ...prefixes(second)]).size).toBe(31);
      expect(first).toContain('/panel/claves?pagina=2');
    });

    it('of a shop come with the environment of its bridge, which is shown once', async () => {
      const { hidden } = formOf(await browser.page('/panel/tienda'), '/tienda');
      const fields = { ...hidden, tienda: 'shopify', url: 'https://puente.example/' };
      const { status, text, headers } = await browser.post('/panel/tienda', fields);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
      const [, environment = ''] = /data-entorno="?[^>]*>([^<]*)</.exec(text)!;
      const variables = new Map(environment.split('\n').map((line) => line.split('=') as [string, string]));
      expect(variables.get('GUIAS_URL')).toMatch(/^http/);
      expect(variables.get('GUIAS_SECRETO')).toMatch(/^whsec_/);
      const clave = variables.get('GUIAS_CLAVE')!;
      const bridge = { headers: { authorization: `Bearer ${clave}` } };
      expect((await test.request('/api/v1/guias', bridge)).status).toBe(200);
      expect((await test.request('/api/v1/webhooks', bridge)).status).toBe(403);
      const { body } = await merchant.get('/api/v1/webhooks');
      expect(body.webhooks).toContainEqual(expect.objectContaining({ url: 'https://puente.example/' }));
      const again = await browser.post('/panel/tienda', fields);
      expect(again.text).not.toContain('GUIAS_CLAVE');
      expect((await merchant.get('/api/v1/webhooks')).body.webhooks).toHaveLength(body.webhooks.length);
    });

    it('of a shop say how its tracking comes back, to a session that may not register it', async () => {
      const key = await test.keyOf(merchant.id, { scopes: ['guias:leer', 'guias:escribir', 'claves'] });
      const page = await (await PanelBrowser.in(test, key)).page('/panel/tienda');
      expect(page).not.toContain('name="url"');
      expect(page).toContain('entre con una clave que administre webhooks');
    });

    it.each([
      ['no https address', { tienda: 'woocommerce', url: 'http://puente.example/' }, 'url'],
      ['an unknown shop', { tienda: 'otra' }, 'tienda'],
    ])('of a shop are refused for %s, and nothing is made', async (_, typed, campo) => {
      const { hidden } = formOf(await browser.page('/panel/tienda'), '/tienda');
      const before = (await merchant.get('/api/v1/webhooks')).body.webhooks.length;
      const { status, text } = await browser.post('/panel/tienda', { ...hidden, ...typed });
      expect(status).toBe(422);
      expect(text).toContain(`href="#campo-${campo}"`);
      expect((await merchant.get('/api/v1/webhooks')).body.webhooks).toHaveLength(before);
    });

    it('are ended, but for the last one that works', async () => {
      const own = await test.merchant();
      const second = await test.keyOf(own.id);
      const panel = await PanelBrowser.in(test, own);
      const page = await panel.page('/panel/claves');
      const ends = [own, second].map(({ keyId }) => formOf(page, `/${keyId}/terminar`));
      const answers = await Promise.all(ends.map(({ action, hidden }) => panel.post(action, hidden)));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 422]);
      const refused = answers.find(({ status }) => status === 422)!;
      expect(refused.text).toContain('Es la última clave que funciona');
      const keys = await test.app.get(ApiKeysService).list({ comercio_id: own.id });
      expect(keys.filter(({ revocada_en }) => revocada_en === null)).toHaveLength(1);
    });
  });

  it('shows cash by day in the time of the merchant, and settlements, with CSV', async () => {
    const own = await test.merchant();
    const guia = await create({ cod_amount: 100, external_ref: '=1+1' }, own);
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await operator.move(guia.guia, { estado });
    await operator.move(guia.guia, { estado: 'entregado', cod_cobrado: 95.5 });
    // 23:30 of the day before yesterday in Guatemala.
    const day = new Date(Date.now() - 54 * 3_600_000).toISOString().slice(0, 10);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    await test.database.query('update cobros set cobrado_en = $2 where guia_id = $1', [
      guia.id,
      `${next}T05:30:00Z`,
    ]);
    const panel = await PanelBrowser.in(test, own);
    const page = await panel.page('/panel/cobros');
    expect(page).toContain(`desde=${day}&amp;hasta=${day}`);
    expect(page).toContain('Q\u00a095.50');
    expect(await panel.page(`/panel/cobros?desde=${day}&hasta=${day}`)).toContain(guia.guia);
    expect(await panel.page(`/panel/cobros?desde=${next}&hasta=`)).not.toContain(guia.guia);
    const wrong = await panel.get('/panel/cobros?desde=ayer');
    expect(wrong.status).toBe(422);
    expect(wrong.text).toMatch(
      /name="desde" aria-describedby="(falta-desde)"[^>]* aria-invalid="true"[^]*id="\1"[^>]*><svg[^]*?<\/svg> Escriba un día/,
    );
    const csv = await panel.get('/panel/cobros/csv?estado=cobrado');
    expect([csv.headers.get('content-type'), csv.text]).toEqual([
      'text/csv; charset=utf-8',
      expect.stringContaining(`${guia.guia},${guia.id},'=1+1,100.00,95.50,GTQ,cobrado`),
    ]);
    const spaced = (text: string) => text.replaceAll('\u00a0', ' ');
    const ajuste = { comercio: own.id, monto: -1.25, motivo: 'Empaque mojado' };
    await operator.post('/api/v1/operaciones/ajustes', ajuste);
    const pending = spaced(await panel.page('/panel/cobros'));
    for (const text of ['Pendiente de liquidarle', 'Empaque mojado', '−Q 1.25'])
      expect(pending).toContain(text);
    const today = spaced(await panel.page('/panel'));
    for (const text of ['Q 94.25', '−Q 1.25'])
      for (const page of [today, pending]) expect(page).toContain(text);
    for (let n = 0; n < 100; n++)
      await operator.post('/api/v1/operaciones/ajustes', { ...ajuste, monto: 1, motivo: 'Otro' });
    expect(await panel.page('/panel/cobros')).toContain('Hay más: aquí están los 100 más recientes.');
    const { body } = await operator.post('/api/v1/operaciones/liquidaciones', { comercio: own.id });
    expect(await panel.page('/panel/cobros')).not.toContain('Empaque mojado');
    for (const path of ['', `/${body.liquidacion.id}`]) {
      const page = spaced(await panel.page(`/panel/liquidaciones${path}`));
      expect(page).toContain('Q 98.75');
      expect(page).toContain(`Q ${body.liquidacion.neto}`);
    }
    const { id } = body.liquidacion;
    const many = await panel.page(`/panel/liquidaciones/${id}`);
    expect(many).not.toContain('Empaque mojado');
    const more = /href="([^"]+\?ajustes=[^"]+)"/.exec(many)![1]!;
    expect(await panel.page(more)).toContain('Empaque mojado');
    expect(await panel.page('/panel/liquidaciones')).toContain(`/panel/liquidaciones/${id}/csv`);
    expect(await panel.page(`/panel/liquidaciones/${id}`)).toContain(`/panel/guias/${guia.guia}"`);
    expect((await panel.get(`/panel/liquidaciones/${id}/csv`)).text).toContain("'=1+1");
  });
});
