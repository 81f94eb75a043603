import { get } from 'node:http';
import { v7 } from 'uuid';
import { inFours } from '../../src/guias/guia/guia-digits.js';
import { Console, CONSOLE_USERS, formOf, formsOf, staff } from '../support/console.js';
import { Driver } from '../support/driver.js';
import { eventually } from '../support/eventually.js';
import { Lives } from '../support/lives.js';
import { Money } from '../support/money.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';

const DISPATCH = '/admin/despacho';
const DRIVERS = `${DISPATCH}/pilotos`;
const CLOSING = `${DISPATCH}/cierre`;
type Field = [name: string, value: string];
const NOBODY: Field = ['piloto', 'ninguno'];
const ALL: Field = ['todas', 'si'];
const chosen = (...guias: string[]) => guias.map((guia): Field => ['guias', guia]);

const PLACE = { lat: 14.6407, lng: -90.5133 };

/** How large a page is as it is sent. */
function sentBytes(url: string, encoding: string): Promise<{ bytes: number; used: string | undefined }> {
  const headers = { ...staff('sol'), accept: 'text/html', 'accept-encoding': encoding };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => resolve({ bytes, used: response.headers['content-encoding'] }));
    }).on('error', reject);
  });
}

describe('the dispatcher', () => {
  let test: TestApp;
  let sol: Console;
  let merchant: TestMerchant;
  let operator: TestOperator;

  beforeAll(async () => {
    test = await createTestApp({ env: { BOARD_USERS: CONSOLE_USERS, TILE_URL: 'none' } });
    sol = new Console(test, 'sol');
    merchant = await test.merchant();
    operator = await test.operator();
  });
  afterAll(() => test.close());

  const spaced = (text: string) => text.replaceAll('\u00a0', ' ');
  /** What the last action of a kind was about. */
  const subjectOf = async (accion: string) =>
    (
      await test.database.query<{ comercio_id: string | null; detalle: string | null }>(
        'select comercio_id, detalle from auditoria where accion = $1 order by id desc limit 1',
        [accion],
      )
    )[0]!;

  let towns = 0;
  /** A town of its own, so that a test sees its guides alone. */
  const town = () => `Pueblo ${++towns}`;
  const create = async (municipio: string, over: Record<string, unknown> = {}): Promise<string> => {
    const body = guiaBody({ ...PLACE, departamento: 'Guatemala', municipio, ...over });
    const answer = await merchant.post('/api/v1/guias', body);
    expect(answer.status).toBe(201);
    return answer.body.guia;
  };
  const listed = (page: string) => [...page.matchAll(/<tr data-guia="(\d{12})"/g)].map(([, guia]) => guia!);
  const of = (municipio: string) => `${DISPATCH}?municipio=${encodeURIComponent(municipio)}`;
  /** Sends the form of a page to one of its buttons. */
  const press = async (page: string, button: string, fields: Field[]): Promise<Answer> => {
    const action = new RegExp(`(?:form)?action="(${DISPATCH}/${button}[^"]*)"`)
      .exec(page)![1]!
      .replaceAll('&amp;', '&');
    const clave = /name="clave" value="([^"]+)"/.exec(page)![1]!;
    return sol.postList(action, [['clave', clave], ...fields]);
  };
  const driver = async (nombre: string): Promise<string> => {
    const { action, hidden } = formOf(await sol.page(DRIVERS), '/pilotos');
    const { text } = await sol.post(action, { ...hidden, nombre });
    return /data-piloto="([0-9a-f-]{36})"/.exec(text)![1]!;
  };
  const driverOf = async (guia: string) =>
    (await operator.get(`/api/v1/operaciones/guias/${guia}`)).body.guia.piloto?.id ?? null;

  it('finds the guides to be moved by place, state and driver, the unconfirmed first', async () => {
    const municipio = town();
    const known = await create(municipio);
    const unknown = await create(municipio, { lat: undefined, lng: undefined });
    const onTheWay = await create(municipio);
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await operator.move(onTheWay, { estado });
    const ended = await create(municipio);
    await merchant.post(`/api/v1/guias/${ended}/cancelar`, {});
    const elsewhere = await create(town());
    const page = await sol.page(of(municipio.toUpperCase()));
    expect(listed(page)[0]).toBe(unknown);
    expect(listed(page).sort()).toEqual([known, unknown, onTheWay].sort());
    expect(page).toContain('1 sin confirmar van primero');
    expect(listed(await sol.page(`${of(municipio)}&estado=en_ruta`))).toEqual([onTheWay]);
    expect(listed(await sol.page(`${of(municipio)}&piloto=ninguno`))).toHaveLength(3);
    expect(listed(await sol.page(`${DISPATCH}?departamento=guatemala`))).toContain(elsewhere);
    const ignored = `${of(municipio)}&estado=entregado&piloto=x&mapa=1,2&pagina=-1`;
    expect(listed(await sol.page(ignored))).toHaveLength(3);
  });

  const countsOf = (page: string) =>
    [/data-total="(\d+)"/, /data-en-mapa="(\d+)"/].map((one) => Number(one.exec(page)?.[1]));

  it('finds them by merchant, confirmation, day of creation, number, last digits, reference and name', async () => {
    const municipio = town();
    const shop = await test.merchant();
    const body = { ...PLACE, departamento: 'Guatemala', municipio };
    const theirs = await shop.post('/api/v1/guias', guiaBody(body));
    const own = await create(municipio, { nombre: 'Ñusta Xol', external_ref: `D-${towns}` });
    const unplaced = await create(municipio, { lat: undefined, lng: undefined });
    const found = async (query: string) => listed(await sol.page(`${of(municipio)}&${query}`)).sort();
    expect(await found(`comercio=${shop.id}`)).toEqual([theirs.body.guia]);
    expect(await found('confirmada=no')).toEqual([unplaced]);
    expect(await found('confirmada=si')).toEqual([own, theirs.body.guia].sort());
    const today = new Date().toLocaleDateString('sv', { timeZone: 'America/Guatemala' });
    const dayAfter = (days: number) =>
      new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
    expect(await found(`desde=${today}&hasta=${today}`)).toHaveLength(3);
    expect(await found(`desde=${dayAfter(1)}`)).toEqual([]);
    expect(await found(`hasta=${dayAfter(-1)}`)).toEqual([]);
    for (const q of [
      own,
      inFours(own),
      own.slice(-4),
      own.slice(-7),
      inFours(own).slice(-9),
      `d-${towns}`,
      'nusta',
      'XOL ñus',
    ])
      expect({ q, found: await found(`q=${encodeURIComponent(q)}`) }).toEqual({ q, found: [own] });
    expect(await found('q=Nadie')).toEqual([]);
    const page = await sol.page(of(municipio));
    expect(countsOf(page)).toEqual([3, 2]);
    expect(page).toContain('En el mapa hay 2 de 3: 1 no tiene un lugar en el mapa.');
    expect(await sol.page(`${of(municipio)}&confirmada=si`)).not.toContain('En el mapa hay');
  });

  it.each([
    ['comercio=Zzyzx', 'No hay un comercio «Zzyzx»'],
    [`comercio=${v7()}`, 'No hay un comercio'],
    [`piloto=${v7()}`, 'No hay un piloto así'],
    ['desde=2026-02-30', '«2026-02-30» no es una fecha'],
  ])('lists nothing, and says why, for %s', async (query, said) => {
    const page = await sol.page(`${DISPATCH}?${query}`);
    expect(page).toContain(said);
    expect(listed(page)).toEqual([]);
  });

  it('shows no test guides, and no phone', async () => {
    const municipio = town();
    const tester = await test.tester(merchant.id);
    await tester.post('/api/v1/guias', guiaBody({ ...PLACE, municipio }));
    const guia = await create(municipio, { telefono: '5555 0177' });
    const page = await sol.page(of(municipio));
    expect(listed(page)).toEqual([guia]);
    expect(page).not.toMatch(/5555.?0177/);
  });

  it('sees on the map where they go, and lists the guides of a cluster; nothing is asked for outside', async () => {
    const municipio = town();
    const near = [await create(municipio, PLACE), await create(municipio, { lat: 14.6409, lng: -90.5134 })];
    const far = await create(municipio, { lat: 14.9, lng: -91.2 });
    const page = await sol.page(of(municipio));
    expect(page).not.toMatch(/<img|tile\.openstreetmap/);
    const link = /<a href="([^"]+)" class="group" aria-label="Ver estas 2 guías"/.exec(page)![1]!;
    expect(listed(await sol.page(link.replaceAll('&amp;', '&'))).sort()).toEqual(near.sort());
    expect(page).toContain(`aria-label="1 guía: ver la ${inFours(far)}"`);
  });

  it('assigns the chosen ones, takes them back, and the history says that it was support', async () => {
    const municipio = town();
    const [one, two, other] = [await create(municipio), await create(municipio), await create(municipio)];
    const piloto = await driver('Mynor Cux');
    const page = await sol.page(of(municipio));
    const { text } = await press(page, 'asignar', [...chosen(one, two), ['piloto', piloto]]);
    expect(text).toContain('2 guías para Mynor Cux');
    expect([await driverOf(one), await driverOf(two), await driverOf(other)]).toEqual([piloto, piloto, null]);
    const { eventos } = (await operator.get(`/api/v1/operaciones/guias/${one}/eventos`)).body;
    expect(eventos.at(-1)).toMatchObject({ tipo: 'guia.asignada', actor: 'soporte' });
    expect(listed(await sol.page(`${DISPATCH}?piloto=${piloto}`)).sort()).toEqual([one, two].sort());
    const back = await press(await sol.page(of(municipio)), 'asignar', [...chosen(one), NOBODY]);
    expect(back.text).toContain('Sin piloto: 1 guía');
    expect(await driverOf(one)).toBeNull();
    expect(await sol.actions()).toContainEqual(
      expect.objectContaining({ usuario: 'sol', accion: 'asignar_guias', resultado: 'hecho' }),
    );
  });

  it('assigns all that match, also beyond the page; labels of so many are refused, not cut', async () => {
    const municipio = town();
    const count = 102;
    const body = { ...PLACE, telefono: '55551234', departamento: 'Guatemala', municipio };
    const recogida = { lat: 14.6, lng: -90.5 };
    for (const size of [100, count - 100])
      await merchant.post('/api/v1/guias/lote', {
        guias: Array.from({ length: size }, () => ({ ...body, recogida })),
      });
    const piloto = await driver('Brenda Pop');
    const page = await sol.page(of(municipio));
    expect(listed(page)).toHaveLength(100);
    expect(listed(await sol.page(`${of(municipio)}&pagina=2`))).toHaveLength(count - 100);
    const labels = await press(page, 'etiquetas', [ALL]);
    expect([labels.status, labels.text]).toEqual([
      400,
      expect.stringContaining('Son 102 guías: elija de 1 a 100 para imprimir.'),
    ]);
    const asked = await press(page, 'asignar', [ALL, ['piloto', piloto]]);
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining(`Sí, a las ${count}<`)]);
    expect(listed(await sol.page(`${of(municipio)}&piloto=ninguno`))).toHaveLength(100);
    const { text } = await press(asked.text, 'asignar', [ALL, ['piloto', piloto], ['confirmado', 'si']]);
    expect(text).toContain(`${count} guías para Brenda Pop`);
    expect(listed(await sol.page(`${of(municipio)}&piloto=ninguno`))).toEqual([]);
  });

  it.each<[what: string, fields: Field[], said: string]>([
    ['no guide', [NOBODY], 'Elija al menos una guía'],
    ['no driver', chosen('483920175567'), 'Elija a quién asignarlas'],
    ['an unknown driver', [...chosen('483920175567'), ['piloto', v7()]], 'No existe un piloto'],
    ['an unknown guide', [...chosen('483920175567'), NOBODY], 'No se pudo con 1 guía'],
    ['a character that no text may have', [...chosen('48392\u0000'), NOBODY], 'No se pudo con 1 guía'],
  ])('is told what to do with %s', async (_what, fields, said) => {
    const { status, text } = await press(await sol.page(DISPATCH), 'asignar', fields);
    expect(status).toBe(200);
    expect(text).toContain(said);
  });

  it('chooses by scan, also a guide of another view, and keeps what was chosen', async () => {
    const municipio = town();
    const guia = await create(municipio);
    const elsewhere = await create(town());
    const answer = await press(await sol.page(of(municipio)), 'elegir', [
      ...chosen(guia),
      ['escaneo', inFours(elsewhere)],
    ]);
    expect(answer.status).toBe(200);
    for (const one of [guia, elsewhere])
      expect(answer.text).toMatch(new RegExp(`name="guias" value="${one}" checked`));
    const wrong = await press(await sol.page(of(municipio)), 'elegir', [['escaneo', '12 34']]);
    expect(wrong.text).toContain('«12 34» no es una guía por mover');
    const unknown = await press(await sol.page(of(municipio)), 'elegir', [['escaneo', '124685296335']]);
    expect(unknown.text).toContain('«1246 8529 6335» no es una guía por mover');
    expect(await driverOf(elsewhere)).toBeNull();
  });

  it('says of scanned labels what they are, many at once', async () => {
    const municipio = town();
    const [free, taken, ended] = [await create(municipio), await create(municipio), await create(municipio)];
    await merchant.post(`/api/v1/guias/${ended}/cancelar`, {});
    const piloto = await driver('Lesbia Tot');
    await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [taken] });
    const tester = await test.tester(merchant.id);
    const trial = (await tester.post('/api/v1/guias', guiaBody(PLACE))).body.guia;
    const numeros = [free, taken, ended, trial, '124685296335', '12'];
    const { status, body } = await test.request(`${DISPATCH}/escaneadas?guias=${numeros.join()}`, {
      headers: staff('sol'),
    });
    expect(status).toBe(200);
    const avisos = body.guias.map(({ guia, aviso }: { guia: string; aviso: string }) => [guia, aviso]);
    expect(avisos).toEqual([
      [free, null],
      [taken, 'asignada'],
      [ended, 'terminada'],
      [trial, 'desconocida'],
      ['124685296335', 'desconocida'],
      ['12', 'desconocida'],
    ]);
  });

  it('says of an assignment what is unusual: unconfirmed, out already, of another driver', async () => {
    const municipio = town();
    const [unknown, out] = [
      await create(municipio, { lat: undefined, lng: undefined }),
      await create(municipio),
    ];
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await operator.move(out, { estado });
    const [first, second] = [await driver('Uno'), await driver('Dos')];
    await operator.post('/api/v1/operaciones/asignaciones', { piloto: first, guias: [out] });
    const page = await sol.page(of(municipio));
    const { text } = await press(page, 'asignar', [...chosen(unknown, out), ['piloto', second]]);
    expect(text).toContain(
      '2 guías para Dos. 1 está sin confirmar. 1 ya está en ruta. 1 era de otro piloto.',
    );
  });

  describe('registers what happened', () => {
    const pathOf = (guia: string) => `/admin/guias/${guia}`;
    const offered = (page: string) =>
      [...page.matchAll(/name="estado" value="(\w+)"/g)].map(([, one]) => one);
    /** A guide that is on its way, and its driver. */
    const onTheWay = async (over: Record<string, unknown> = {}) => {
      const guia = await create(town(), over);
      for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
        await operator.move(guia, { estado });
      return guia;
    };
    /** A time as the form takes it, in Guatemala. */
    const local = (ms: number) =>
      new Date(ms).toLocaleString('sv', { timeZone: 'America/Guatemala' }).slice(0, 16).replace(' ', 'T');
    const cashOf = async (piloto: string) =>
      (await operator.get(`/api/v1/operaciones/pilotos/${piloto}/caja`)).body.caja.map(
        ({ monto }: { monto: number }) => monto,
      );

    it('on a guide, by what may be next alone: a delivery with its money, its time, and who says so', async () => {
      const guia = await onTheWay({ cod_amount: 349.5 });
      const piloto = await driver('Se quedó sin batería');
      await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia] });
      expect(offered(await sol.page(pathOf(guia)))).toEqual([
        'entregado',
        'intento_fallido',
        'recogido',
        'extraviado',
      ]);
      const now = local(Date.now());
      const page = await sol.submit(pathOf(guia), '/registrar', {
        estado: 'entregado',
        cod_cobrado: 'Q 349.50',
        recibio: 'Rosa Pérez',
        nota: 'Lo dijo por teléfono',
        ocurrido_en: now,
      });
      expect(page).toContain('Quedó registrado: la guía está en «Entregada».');
      const { eventos } = (await merchant.get(`/api/v1/guias/${guia}/eventos`)).body;
      expect(eventos.at(-1)).toMatchObject({
        tipo: 'guia.estado_cambiado',
        actor: 'soporte',
        estado: 'entregado',
        cod_cobrado: 349.5,
        recibio: 'Rosa Pérez',
        nota: 'Lo dijo por teléfono',
      });
      expect(JSON.stringify(eventos.at(-1))).not.toContain('sol');
      expect(Math.abs(Date.parse(eventos.at(-1).ocurrido_en) - Date.now())).toBeLessThan(120_000);
      expect(await cashOf(piloto)).toEqual([349.5]);
      expect((await sol.actions())[0]).toMatchObject({
        usuario: 'sol',
        accion: 'registrar',
        resultado: 'hecho',
      });
      expect(await sol.page(pathOf(guia))).not.toContain('name="estado"');
    });

    it('gives the cash to the driver who is named, also an inactive one', async () => {
      const guia = await onTheWay({ cod_amount: 10 });
      const [has, lost] = [await driver('La lleva'), await driver('Perdió el teléfono')];
      await operator.post('/api/v1/operaciones/asignaciones', { piloto: has, guias: [guia] });
      await operator.patch(`/api/v1/operaciones/pilotos/${lost}`, { activo: false });
      await sol.submit(pathOf(guia), '/registrar', { estado: 'entregado', cod_cobrado: '10', piloto: lost });
      expect([await cashOf(has), await cashOf(lost)]).toEqual([[], [10]]);
    });

    it('takes how it was paid: by card nothing is in the drawer; with another state it is refused', async () => {
      const guia = await onTheWay({ cod_amount: 25 });
      const piloto = await driver('Con terminal');
      await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia] });
      const page = await sol.page(pathOf(guia));
      expect(page).toContain('name="pago"');
      const { action, hidden } = formOf(page, '/registrar');
      const wrong = await sol.post(action, { ...hidden, estado: 'recogido', pago: 'tarjeta' });
      expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('id="falta-pago"')]);
      await sol.submit(pathOf(guia), '/registrar', {
        estado: 'entregado',
        cod_cobrado: '25',
        pago: 'tarjeta',
      });
      const { guia: detail } = (await operator.get(`/api/v1/operaciones/guias/${guia}`)).body;
      expect(detail).toMatchObject({ estado: 'entregado', pago: 'tarjeta', cod_cobrado: 25 });
      expect(await cashOf(piloto)).toEqual([]);
    });

    it('takes the time in the zone of the merchant', async () => {
      const abroad = await test.merchant({ country: 'AR' });
      const { guia } = (await abroad.post('/api/v1/guias', guiaBody({ telefono: '+5491123456789' }))).body;
      const at = new Date(Date.now() - 3_600_000);
      const typed = at.toLocaleString('sv', { timeZone: 'America/Argentina/Buenos_Aires' });
      await sol.submit(pathOf(guia), '/registrar', {
        estado: 'en_camino_a_recoger',
        ocurrido_en: typed.slice(0, 16).replace(' ', 'T'),
      });
      const { eventos } = (await abroad.get(`/api/v1/guias/${guia}/eventos`)).body;
      const said = new Date(Math.floor(at.getTime() / 60_000) * 60_000).toISOString();
      expect(eventos.at(-1)).toMatchObject({ actor: 'soporte', ocurrido_en: said });
    });

    it.each<[campo: string, fields: Record<string, string>, said: string]>([
      ['cod_cobrado', { estado: 'entregado' }, 'Es obligatorio: la guía tiene un monto por cobrar.'],
      ['motivo', { estado: 'intento_fallido' }, 'Es obligatorio.'],
      ['motivo', { estado: 'recogido', motivo: 'nada' }, ''],
      ['estado', { estado: 'devuelto' }, 'de ahí solo puede pasar a'],
      ['estado', {}, ''],
      ['recibio', { estado: 'extraviado', recibio: 'Rosa' }, 'Solo acompaña a entregado.'],
      ['piloto', { estado: 'entregado', cod_cobrado: '5', piloto: v7() }, 'No hay un piloto con este id'],
      ['ocurrido_en', { estado: 'recogido', ocurrido_en: local(Date.now() + 120_000) }, 'Está en el futuro'],
      ['ocurrido_en', { estado: 'recogido', ocurrido_en: '2026-01-01T10:00' }, 'Es antes del último cambio'],
      ['ocurrido_en', { estado: 'recogido', ocurrido_en: 'ayer' }, 'Escriba la fecha y la hora'],
    ])(
      'names %s where %j is wrong, keeps what was typed, and changes nothing',
      async (campo, fields, said) => {
        const guia = await onTheWay({ cod_amount: 5 });
        const { action, hidden } = formOf(await sol.page(pathOf(guia)), '/registrar');
        const sent = { nota: 'Una nota', ...fields };
        const { status, text } = await sol.post(action, { ...hidden, ...sent });
        expect(status).toBe(422);
        expect(text).toContain(`id="falta-${campo}"`);
        expect(text).toContain(said);
        expect(text).toContain('>Una nota</textarea>');
        expect((await operator.get(`/api/v1/operaciones/guias/${guia}`)).body.guia.estado).toBe('en_ruta');
      },
    );

    it('of a merchant with PIN needs it, or why there is none', async () => {
      const shop = await test.merchant();
      await test.database.query('update comercios set con_pin = true where id = $1', [shop.id]);
      const { guia } = (await shop.post('/api/v1/guias', guiaBody(PLACE))).body;
      for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
        await operator.move(guia, { estado });
      const send = async (fields: Record<string, string>) => {
        const { action, hidden } = formOf(await sol.page(pathOf(guia)), '/registrar');
        return sol.post(action, { ...hidden, estado: 'entregado', ...fields });
      };
      expect((await send({})).status).toBe(422);
      expect((await send({ sin_pin: 'si' })).status).toBe(422);
      expect((await send({ sin_pin: 'si', nota: 'No tenía teléfono' })).status).toBe(303);
      const { advertencias } = (await shop.get(`/api/v1/guias/${guia}`)).body.guia;
      expect(advertencias).toContain('entregado_sin_pin');
    });

    it('on a selection: each stands alone, and the page says which not, and why', async () => {
      const municipio = town();
      const [one, two] = [await create(municipio), await create(municipio)];
      for (const guia of [one, two]) await operator.move(guia, { estado: 'en_camino_a_recoger' });
      const early = await create(municipio);
      const asked = await press(await sol.page(of(municipio)), 'registrar', chosen(one, two, early));
      expect(asked.status).toBe(200);
      const options = [...asked.text.matchAll(/<option value="(\w+)"[^>]*>([^<]*)</g)].slice(0, 1);
      expect(options.map(([, value, name]) => [value, name])).toEqual([['recogido', 'Recogida (2 de 3)']]);
      const fields: Field[] = [...chosen(one, two, early, '124685296335'), ['estado', 'recogido']];
      const { status, text } = await press(asked.text, 'registrar', fields);
      expect(status).toBe(200);
      expect(text).toContain('>2</b> de 4 quedaron registradas');
      expect(text).toMatch(new RegExp(`data-guia="${early}" data-rechazo="transicion_invalida"`));
      expect(text).toContain(
        'La guía está en «Por recoger»; de ahí solo puede pasar a: «En camino a recoger»',
      );
      expect(text).toMatch(/data-guia="124685296335" data-rechazo="no_encontrado"/);
      const { eventos } = (await merchant.get(`/api/v1/guias/${one}/eventos`)).body;
      expect(eventos.at(-1)).toMatchObject({ actor: 'soporte', estado: 'recogido' });
      expect((await sol.actions())[0]).toMatchObject({ usuario: 'sol', accion: 'registrar_varias' });
      expect((await subjectOf('registrar_varias')).detalle).toMatch(/^\d+ guías: \d{12}, \d{12}/);
    });

    it.each<[what: string, fields: Field[], said: string]>([
      ['no reason', [['estado', 'intento_fallido']], 'Es obligatorio.'],
      ['a state that is not registered of many', [['estado', 'entregado']], 'Elija qué pasó'],
    ])('asks again for a selection with %s', async (_what, fields, said) => {
      const guia = await onTheWay();
      const page = await sol.page(DISPATCH);
      const { status, text } = await press(page, 'registrar', [...chosen(guia), ...fields]);
      expect([status, text]).toEqual([422, expect.stringContaining(said)]);
      expect(text).toContain(`name="guias" value="${guia}"`);
    });

    it('is for dispatchers alone', async () => {
      const guia = await onTheWay();
      const ana = new Console(test);
      expect(await ana.page(pathOf(guia))).not.toContain('/registrar"');
      expect((await ana.post(`${pathOf(guia)}/registrar`, { estado: 'recogido' })).status).toBe(403);
      expect((await ana.post(`${DISPATCH}/registrar`, { estado: 'recogido' })).status).toBe(403);
    });
  });

  it('prints one PDF of the chosen ones, and it is in the audit', async () => {
    const municipio = town();
    const guias = [await create(municipio), await create(municipio)];
    const page = await sol.page(of(municipio));
    const pdf = await press(page, 'etiquetas', chosen(...guias));
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('cache-control')).toContain('no-store');
    expect((await press(page, 'etiquetas', [ALL])).status).toBe(200);
    expect((await sol.actions()).filter(({ accion }) => accion === 'imprimir_etiquetas')).toHaveLength(2);
  });

  it('keeps the page, and what is chosen, where something cannot be printed', async () => {
    const municipio = town();
    const guia = await create(municipio);
    const none = await press(await sol.page(of(municipio)), 'etiquetas', []);
    expect([none.status, listed(none.text)]).toEqual([400, [guia]]);
    expect(none.text).toContain('No se hizo: Elija de 1 a 100 para imprimir.');
    const unknown = await press(none.text, 'etiquetas', chosen(guia, '124685296335'));
    expect(unknown.status).toBe(404);
    expect(unknown.text).toMatch(new RegExp(`name="guias" value="${guia}" checked`));
    expect((await sol.actions())[0]).toMatchObject({ accion: 'imprimir_etiquetas', resultado: 'rechazado' });
  });

  it.each([
    ['municipio=Mixxco', 'No hay un municipio «Mixxco». ¿Quiso decir Mixco?'],
    ['municipio=Zzyzx', 'No hay un municipio «Zzyzx». Elíjalo de la lista.'],
    ['departamento=Guatemla', 'No hay un departamento «Guatemla». ¿Quiso decir Guatemala?'],
    ['departamento=Pet%C3%A9n&municipio=Mixco', 'No hay un municipio «Mixco» en Petén.'],
  ])('says what is wrong with the filter %s', async (query, said) => {
    expect(await sol.page(`${DISPATCH}?${query}`)).toContain(said);
  });

  it.each(['municipio=mixco', 'departamento=GUATEMALA', 'departamento=Guatemala&municipio=Villa+Nueva'])(
    'says nothing of a place that there is: %s',
    async (query) => {
      expect(await sol.page(`${DISPATCH}?${query}`)).not.toContain('No hay un');
    },
  );

  describe('whose process died during an action', () => {
    /** Writes an action of a form as a process began it, that was last seen so many seconds ago. */
    const begun = async (clave: string, accion: string, detalle: string, seenS: number) => {
      const proceso = crypto.randomUUID();
      await test.database.query(
        `insert into procesos (id, visto_en) values ($1, now() - $2 * interval '1 s')`,
        [proceso, seenS],
      );
      await test.database.query(
        `insert into auditoria (id, clave, usuario, accion, detalle, resultado, creado_en, proceso_id)
         values ($1, $2, 'sol', $3, $4, 'en_curso', now() - interval '5 minutes', $5)`,
        [v7(), clave, accion, detalle, proceso],
      );
    };

    it('does it once more by the same form, where that does nothing twice', async () => {
      const municipio = town();
      const guia = await create(municipio);
      const piloto = await driver('Rudy Chub');
      const page = await sol.page(of(municipio));
      await begun(/name="clave" value="([^"]+)"/.exec(page)![1]!, 'asignar_guias', '1 guía', 31);
      const fields = [...chosen(guia), ['piloto', piloto] as Field];
      expect((await press(page, 'asignar', fields)).text).toContain('1 guía para Rudy Chub');
      expect(await driverOf(guia)).toBe(piloto);
    });

    it('is told what to look at, where it might be done twice', async () => {
      const id = await driver('Nery Tun');
      const { action, hidden } = formOf(await sol.page(`${DRIVERS}/${id}`), '/enlace');
      await begun(hidden['clave']!, 'hacer_enlace', 'Nery Tun', 31);
      const { text } = await sol.post(action, { ...hidden, horas: '8' });
      expect(text).toContain('Se interrumpió: el servicio se detuvo antes de terminar.');
      expect(text).toContain('vea si el piloto tiene enlace');
      expect(text).not.toContain('/r/');
    });

    it('waits while the process lives', async () => {
      const municipio = town();
      const guia = await create(municipio);
      const page = await sol.page(of(municipio));
      await begun(/name="clave" value="([^"]+)"/.exec(page)![1]!, 'asignar_guias', '1 guía', 5);
      const { text } = await press(page, 'asignar', [...chosen(guia), NOBODY]);
      expect(text).toContain('Todavía se está haciendo');
    });
  });

  it('reads long lists of drivers and of settlements page by page', async () => {
    await test.database.query(
      `insert into pilotos (id, nombre, creado_en, operador_id)
       select gen_random_uuid(), 'Zacarías ' || n, now(), (select id from operadores limit 1) from generate_series(1, 230) n`,
    );
    const seen = (page: string) => [...page.matchAll(/<tr data-piloto="([^"]+)"/g)].map(([, id]) => id!);
    for (const path of [DRIVERS, CLOSING]) {
      const ids: string[] = [];
      let next: string | undefined = path;
      while (next !== undefined) {
        const page: string = await sol.page(next);
        ids.push(...seen(page));
        next = /<a href="([^"]+)">Siguientes/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(230);
    }
    // Each page of many rows is sent in 60 KB at most.
    for (const path of [DISPATCH, DRIVERS, CLOSING])
      for (const encoding of ['gzip', 'br']) {
        const { bytes, used } = await sentBytes(test.url + path, encoding);
        expect(used).toBe(encoding);
        expect(bytes).toBeLessThanOrEqual(60_000);
      }
    await test.database.query(`delete from pilotos where nombre like 'Zacarías %'`);
  });

  it('makes, changes, stops and starts drivers; the link is shown once, with its code', async () => {
    const id = await driver('Edgar Sical');
    const path = `${DRIVERS}/${id}`;
    const send = async (end: string, fields: Record<string, string> = {}) => {
      const { action, hidden } = formOf(await sol.page(path), end);
      return { answer: await sol.post(action, { ...hidden, ...fields }), action, hidden, fields };
    };
    const { answer, action, hidden, fields } = await send('/enlace', { horas: '8' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const link = /value="([^"]+\/r\/[\w-]{48})"/.exec(answer.text)![1]!;
    expect(answer.text).toContain('class="qr"');
    expect(answer.text).toContain('El enlace de Edgar Sical está listo. Si tenía otro, ya no sirve.');
    expect((await sol.post(action, { ...hidden, ...fields })).text).not.toContain('/r/');
    expect(await sol.page(path)).not.toContain('/r/');
    expect(JSON.stringify([await test.database.query('select * from auditoria'), test.logs])).not.toContain(
      link.split('/r/')[1]!,
    );
    expect((await send('/enlace', { horas: '999' })).answer.text).toContain('No se hizo');
    const changed = (await send(id, { nombre: 'Edgar S.', telefono: '5555 8080' })).answer.text;
    expect(changed).toContain('Se guardaron los cambios');
    expect(changed).toContain('<h1>Edgar S.</h1>');
    expect(changed).toMatch(/<dt>Teléfono<\/dt><dd><a href="tel:\+50255558080" class="num">5555 8080</);
    expect(changed).toMatch(/<input name="telefono"[^>]* value="5555 8080"/);
    const refused = (await send(id, { nombre: 'Edgar', telefono: '12' })).answer.text;
    expect(refused).toMatch(/<input name="telefono"[^>]* aria-invalid="true"/);
    expect(refused).toContain('value="12"');
    expect((await send(id, { nombre: 'Edgar', telefono: '' })).answer.text).not.toContain('5555');
    const guia = await create(town());
    const give = (piloto: string | null) =>
      operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia] });
    await give(id);
    expect((await send('/desactivar')).answer.text).toContain('está inactivo');
    // Their guides are found until somebody else has them.
    const offered = `<option value="${id}">Edgar</option>`;
    expect(await sol.page('/admin/despacho')).toContain(offered);
    await give(null);
    expect(await sol.page('/admin/despacho')).not.toContain(offered);
    const inactive = await operator.post(`/api/v1/operaciones/pilotos/${id}/enlace`, {});
    expect(inactive.body.codigo).toBe('piloto_inactivo');
    expect((await send('/activar')).answer.text).toContain('está activo');
    expect((await sol.get(`${DRIVERS}/x`)).status).toBe(404);
  });

  it('closes the day: cash is handed over with its difference, amounts are settled and paid', async () => {
    const shop = await test.merchant();
    const lives = new Lives(test, shop);
    const { id, guia } = await lives.create({ ...PLACE, cod_amount: 349.5 });
    const piloto = await driver('=Con caja');
    await driver('Sin caja');
    await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia] });
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await operator.move(id, { estado });
    await operator.move(id, { estado: 'entregado', cod_cobrado: 349.5 });
    /** The lines of a file. */
    const file = async (name: string) => {
      const answer = await sol.get(`${CLOSING}/${name}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
      return answer.text.trimEnd().split('\r\n');
    };
    const rowOf = (page: string) =>
      new RegExp(`<tr data-piloto="${piloto}">([\\s\\S]*?)</tr>`).exec(page)![1]!.replaceAll('\u00a0', ' ');
    const page = await sol.page(CLOSING);
    expect(rowOf(page)).toContain('data-name="Efectivo"><div class="num">Q 349.50<');
    expect(rowOf(page)).toContain('data-name="Tarjeta o transf."></td>');
    expect(rowOf(page)).toContain('data-name="Entregadas">1<');
    expect(page.match(/<details class="fold" open name="caja">/g)).toHaveLength(1);
    const { action, hidden } = formOf(page, `${piloto}/caja`);
    const wrong = await sol.post(action, { ...hidden, monto: 'mucho', nota: 'Un billete roto' });
    expect(wrong.text).toMatch(/<input name="monto"[^>]* aria-invalid="true"/);
    expect(wrong.text).toContain('value="Un billete roto"');
    const again = formOf(wrong.text, `${piloto}/caja`);
    const sent = { ...again.hidden, monto: '1,340.00', nota: 'Un billete roto' };
    const handed = await sol.post(again.action, sent);
    expect(handed.text.replaceAll('\u00a0', ' ')).toContain('Entregó Q 1,340.00 de Q 349.50: sobran 990.50');
    expect((await sol.post(again.action, sent)).status).toBe(200);
    const entregas = (await operator.get(`/api/v1/operaciones/pilotos/${piloto}/caja/entregas`)).body
      .entregas;
    expect(entregas).toMatchObject([
      { esperado: 349.5, monto: 1340, diferencia: 990.5, nota: 'Un billete roto' },
    ]);
    expect(rowOf(handed.text)).toContain('data-name="Lleva"></td>');
    const received = (html: string) =>
      Number(/<b class="num">Q.([\d,.-]+)<\/b><span>recibido hoy/.exec(spaced(html))![1]!.replace(/,/g, ''));
    await operator.post(`/api/v1/operaciones/guias/${id}/cobro`, { cod_cobrado: 300, nota: 'Le faltaban' });
    const owed = await sol.page(CLOSING);
    const back = formOf(owed, `${piloto}/caja`);
    const returned = (await sol.post(back.action, { ...back.hidden, monto: '-49.50' })).text;
    expect(received(returned)).toBe(received(owed) - 49.5);
    const total = /<tr data-todos[^>]*>[\s\S]*data-name="Recibido"><div class="num">Q.([\d,.]+)</.exec(
      returned,
    )![1]!;
    expect(Number(total.replaceAll(',', ''))).toBe(received(returned));
    await operator.post(`/api/v1/operaciones/guias/${id}/cobro`, { cod_cobrado: 349.5 });
    const paidBack = formOf(await sol.page(CLOSING), `${piloto}/caja`);
    await sol.post(paidBack.action, { ...paidBack.hidden, monto: '49.50' });
    expect(await file('pilotos.csv')).toContain(`${piloto},'=Con caja,1,0,0,GTQ,1340,990.5,0`);

    expect(handed.text).toContain(
      'Se liquida 1 guía de Tienda. Lo que se corrija después va en la siguiente.',
    );
    const settle = formOf(handed.text, `${shop.id}/liquidar`);
    const settled = (await sol.post(settle.action, settle.hidden)).text.replaceAll('\u00a0', ' ');
    expect(settled).toContain('Quedó liquidado: 1 guía, Q 349.50');
    const [liquidacion] = (await shop.get('/api/v1/liquidaciones')).body.liquidaciones;
    const pay = formOf(settled, `${liquidacion.id}/pagar`);
    const one = `liquidaciones/${liquidacion.id}/guias.csv`;
    expect(settled).toContain(`href="${CLOSING}/${one}"`);
    const guias = await file(one);
    expect(guias.map((row) => row.split(',').length)).toEqual([11, 11]);
    expect(guias[1]).toContain(`${guia},${id},`);
    const unnamed = await sol.post(pay.action, { ...pay.hidden, referencia_pago: '' });
    expect(unnamed.text).toContain('No se hizo');
    const form = formOf(unnamed.text, `${liquidacion.id}/pagar`);
    const paid = await sol.post(form.action, { ...form.hidden, referencia_pago: '@TRF-1' });
    const paidRow = (await file('liquidaciones.csv')).find((row) => row.startsWith(liquidacion.id));
    expect(paidRow).toMatch(/,Tienda,GTQ,1,349\.50,.*,'@TRF-1$/);
    expect(paid.text).toContain('Quedó pagada');
    expect(paid.text).not.toContain(liquidacion.id);
    expect((await shop.get(`/api/v1/liquidaciones/${liquidacion.id}`)).body.liquidacion).toMatchObject({
      referencia_pago: '@TRF-1',
    });
    const done = (await sol.actions()).filter(({ resultado }) => resultado === 'hecho');
    expect(done.map(({ accion }) => accion).slice(0, 3)).toEqual([
      'pagar_liquidacion',
      'liquidar',
      'recibir_caja',
    ]);
    expect(await subjectOf('pagar_liquidacion')).toMatchObject({
      comercio_id: shop.id,
      detalle: liquidacion.id,
    });
  });

  it('counts in Hoy the guides on their way and those delivered today', async () => {
    const counts = async () => {
      const page = await sol.page('/admin');
      return ['en ruta', 'entregadas hoy'].map((text) =>
        Number(new RegExp(`<b class="num">([\\d,]+)</b><span>${text}<`).exec(page)![1]!.replace(',', '')),
      );
    };
    const [before, money] = [await counts(), await Money.start(test)];
    for (const estado of ['en_ruta', 'en_ruta', 'recogido'] as const) await money.lives.in(estado);
    await money.deliver(5);
    expect(await counts()).toEqual([before[0]! + 2, before[1]! + 1]);
    await test.database.query(
      `update guias set estado_en = now() - interval '1 day' where comercio_id = $1`,
      [money.merchant.id],
    );
    expect(await counts()).toEqual([before[0]! + 2, before[1]!]);
  });

  it('counts a failed attempt for the driver who reported it, whoever has the guide by now', async () => {
    const [one, two] = [await Driver.start(test, operator), await Driver.start(test, operator, 'Rosa')];
    const lives = new Lives(test, merchant);
    const fail = async (by: Driver, guia: { guia: string; id: string }) => {
      await by.assign(guia.id);
      await operator.move(guia.id, { estado: 'en_ruta' });
      const ocurrido_en = new Date().toISOString();
      await by.send({ guia: guia.guia, estado: 'intento_fallido', motivo: 'ausente', ocurrido_en });
    };
    const [kept, delivered, undone, told] = await Promise.all([1, 2, 3, 4].map(() => lives.in('recogido')));
    for (const guia of [kept!, delivered!, undone!]) await fail(one, guia);
    for (const guia of [kept!, delivered!]) await two.assign(guia.id);
    await operator.move(delivered!.id, { estado: 'en_ruta' });
    await operator.move(delivered!.id, { estado: 'entregado' });
    await operator.post(`/api/v1/operaciones/guias/${undone!.id}/deshacer`, { motivo: 'x' });
    // An operator's is of the driver who has the guide then.
    await two.assign(told!.id);
    await operator.move(told!.id, { estado: 'en_ruta' });
    await operator.move(told!.id, { estado: 'intento_fallido', motivo: 'clima' });
    await one.assign(told!.id);
    const { text } = await sol.get(`${CLOSING}/pilotos.csv`);
    const countsOf = ({ id }: Driver) =>
      text
        .split('\r\n')
        .find((line) => line.startsWith(id))!
        .split(',')
        .slice(2, 5);
    expect([countsOf(one), countsOf(two)]).toEqual([
      ['0', '2', '2'],
      ['1', '1', '1'],
    ]);
  });

  it('corrects what was collected and how it was paid, with amount, drawer and history', async () => {
    const money = await Money.start(test, await test.merchant());
    const piloto = await driver('Cobra de más');
    const guia = await money.lives.in('en_ruta', { cod_amount: 109.5 });
    await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [guia.id] });
    const path = `/admin/guias/${guia.guia}`;
    expect(await sol.page(path)).not.toContain(`${path}/cobro`);
    await operator.move(guia.id, { estado: 'entregado', cod_cobrado: 1_095 });
    const carried = async () =>
      (await operator.get(`/api/v1/operaciones/pilotos/${piloto}/caja`)).body.caja[0]?.monto ?? 0;
    const page = await sol.page(path);
    expect(page).toContain('Corregir lo cobrado');
    expect(page).toMatch(/<input name="cod_cobrado"[^>]* value="1095.00"/);
    const { action, hidden } = formOf(page, '/cobro');

    const wrong = await sol.post(action, { ...hidden, cod_cobrado: 'mucho', pago: 'efectivo' });
    expect([wrong.status, wrong.text.includes('value="mucho"')]).toEqual([422, true]);

    const fixed = { cod_cobrado: 'Q 109,50', pago: 'tarjeta', nota: 'Un cero de más' };
    const done = (await sol.submit(path, '/cobro', fixed)).replaceAll('\u00a0', ' ');
    expect(done).toContain('Quedó corregido: se cobró Q 109.50, con tarjeta.');
    expect(done).toContain('de Q 1,095.00 a Q 109.50 con tarjeta');
    expect([await money.of(guia), await carried()]).toMatchObject([
      { cod_cobrado: 109.5, pago: 'tarjeta' },
      0,
    ]);
    expect((await money.lives.events(guia)).at(-1)).toMatchObject({
      ...{ tipo: 'guia.cobro_corregido', actor: 'soporte', nota: 'Un cero de más', pago: 'tarjeta' },
    });
    expect((await money.lives.read(guia)).guia.advertencias).toEqual([]);

    const direct = await sol.submit(path, '/cobro', { cod_cobrado: '109.50', pago: 'directo', nota: '' });
    expect(direct).toContain('Quedó corregido: se pagó directo al comercio.');
    expect(await money.of(guia)).toMatchObject({ estado: 'sin_cobro', cod_cobrado: 0, pago: 'directo' });

    await sol.submit(path, '/cobro', { cod_cobrado: '109.50', pago: 'efectivo', nota: '' });
    await money.settle();
    expect(await sol.submit(path, '/cobro', { cod_cobrado: '5', pago: 'efectivo', nota: '' })).toContain(
      'No se hizo: lo cobrado ya es parte de una liquidación',
    );
    expect([(await money.of(guia)).cod_cobrado, await carried()]).toEqual([109.5, 109.5]);
    const [row] = await sol.actions();
    expect(row).toMatchObject({ usuario: 'sol', accion: 'corregir_cobro', resultado: 'rechazado' });
    const ana = new Console(test, 'ana');
    expect(await ana.page(path)).not.toContain(`${path}/cobro`);
    expect((await ana.post(`${path}/cobro`, { cod_cobrado: '1' })).status).toBe(403);
  });

  it('takes no cash where a delivery arrived while it was counted: the driver would lack its amount', async () => {
    const money = await Money.start(test, await test.merchant());
    const piloto = await driver('Cuenta despacio');
    const deliver = async (amount: number) => {
      const { id } = await money.lives.in('en_ruta', { cod_amount: amount });
      await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [id] });
      await operator.move(id, { estado: 'entregado', cod_cobrado: amount });
    };
    await deliver(500);
    const seen = formOf(await sol.page(CLOSING), `${piloto}/caja`);
    await deliver(100);
    const refused = await sol.post(seen.action, { ...seen.hidden, monto: '500', nota: '' });
    expect(refused.text).toContain('Lo que lleva cambió mientras se contaba');
    expect(refused.text.replaceAll('\u00a0', ' ')).toContain('Lo que se contó (debe ser Q 600.00)');
    const again = formOf(refused.text, `${piloto}/caja`);
    const handed = await sol.post(again.action, { ...again.hidden, monto: '600', nota: '' });
    expect(handed.text.replaceAll('\u00a0', ' ')).toContain('Entregó Q 600.00 de Q 600.00: completo');
    const { body } = await operator.get(`/api/v1/operaciones/pilotos/${piloto}/caja/entregas`);
    expect(body.entregas).toMatchObject([{ esperado: 600, monto: 600, diferencia: 0 }]);
  });

  it('keeps what was counted of one currency out of the other forms of its driver', async () => {
    const piloto = await driver('Dos monedas');
    for (const moneda of ['GTQ', 'USD']) {
      const own = await test.merchant();
      await test.database.query('update comercios set moneda = $2 where id = $1', [own.id, moneda]);
      const { id } = await (await Money.start(test, own)).lives.in('en_ruta', { cod_amount: 50 });
      await operator.post('/api/v1/operaciones/asignaciones', { piloto, guias: [id] });
      await operator.move(id, { estado: 'entregado', cod_cobrado: 50 });
    }
    const { action, hidden } = formOf(await sol.page(CLOSING), `${piloto}/caja`);
    const typed = { ...hidden, moneda: 'USD', monto: '12.500', nota: 'Rotos' };
    const { text } = await sol.post(action, typed);
    expect(text).toContain('No se hizo');
    const shown = text.split('<form ').filter((form) => form.includes(`${piloto}/caja`));
    const valueOf = (form: string, name: string) =>
      new RegExp(` name="${name}"[^>]* value="([^"]*)"`).exec(form)?.[1];
    expect(shown.map((form) => ['moneda', 'monto', 'nota'].map((name) => valueOf(form, name) ?? ''))).toEqual(
      [
        ['GTQ', '50.00', ''],
        ['USD', '12.500', 'Rotos'],
      ],
    );
  });

  it.each(['ana', 'leo'] as const)('is none of the roles before: %s gets 403', async (user) => {
    const other = new Console(test, user);
    const files = ['pilotos.csv', 'liquidaciones.csv', 'liquidaciones/x/guias.csv'].map(
      (one) => `${CLOSING}/${one}`,
    );
    for (const path of [DISPATCH, DRIVERS, CLOSING, `${DISPATCH}/liquidaciones`, ...files])
      expect((await other.get(path)).status).toBe(403);
    for (const path of [
      'asignar',
      'elegir',
      'etiquetas',
      'pilotos',
      'cierre/pilotos/x/caja',
      'liquidaciones/x/referencia',
    ])
      expect((await other.post(`${DISPATCH}/${path}`, {})).status).toBe(403);
  });

  it('settles in parts what is too much for one settlement', async () => {
    const money = await Money.start(test, await test.merchant());
    await money.seed(20_003, '1000 * n');
    const settle = async () => {
      const { action, hidden } = formOf(await sol.page(CLOSING), `${money.merchant.id}/liquidar`);
      // The same form again says how it ended, where that took longer than a page waits.
      return eventually(async () => {
        const { text } = await sol.post(action, hidden);
        expect(text).not.toContain('Todavía se está haciendo');
        return text;
      });
    };
    expect(await settle()).toMatch(/Quedó liquidado: 20,000 guías,.*liquide otra vez las que faltan/);
    expect(await settle()).toMatch(/Quedó liquidado: 3 guías, Q.3\.00\.</);
  });

  it('lists the amounts that differ and the adjustments, and settles what was seen', async () => {
    const money = await Money.start(test, await test.merchant());
    const shop = money.merchant.id;
    const { guia } = await money.deliver(109.5, { cod_cobrado: 1095 });
    const same = await money.deliver(20);
    await money.adjust(-100, { motivo: 'Paquete dañado del 19' });
    const page = await sol.page(CLOSING);
    expect(formsOf(page).some(({ action }) => action.includes(`${shop}/liquidar`))).toBe(false);
    const link = new RegExp(`href="(${CLOSING}\\?liquidar=${shop}#liquidar)"`).exec(page)![1]!;
    const review = spaced(await sol.page(link.split('#')[0]!));
    for (const text of ['1 con otro monto', 'Q 109.50', 'Q 1,095.00', 'Q 985.50', 'Paquete dañado del 19'])
      expect(review).toContain(text);
    const card = review.slice(review.indexOf('id="liquidar"'));
    expect(card).toContain(`/admin/guias/${guia}`);
    expect(card).not.toContain(`/admin/guias/${same.guia}`);
    expect(card).toContain('2 guías Q 1,115.00, ajustes −Q 100.00: <b>le tocan Q 1,015.00</b>');
    const late = await money.deliver(7);
    const stale = formOf(review, `${shop}/liquidar`);
    const raised = (await money.adjust(2, { motivo: 'Sube' })).body.ajuste.id;
    const old = await sol.page(`${CLOSING}?liquidar=${shop}`);
    await money.operator.delete(`/api/v1/operaciones/ajustes/${raised}`);
    const gone = formOf(old, `${shop}/liquidar`);
    const refused = await sol.post(gone.action, gone.hidden);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Lo que le toca cambió')]);
    expect((await money.merchant.get('/api/v1/liquidaciones')).body.liquidaciones).toEqual([]);
    const { action, hidden } = stale;
    expect(spaced((await sol.post(action, hidden)).text)).toContain(
      'Quedó liquidado: 2 guías, Q 1,115.00; ajustes −Q 100.00: le tocan Q 1,015.00.',
    );
    expect(await money.of(late)).toMatchObject({ estado: 'cobrado' });
    await money.adjust(-8, { motivo: 'Más que lo cobrado' });
    const negative = await sol.page(CLOSING);
    expect(negative).toContain('Espera: sus ajustes pasan de lo cobrado');
    expect(negative).toContain(`href="/admin/comercios/${shop}#ajustes"`);
  });

  it('shows settlements, and corrects the reference of a payment, with both in the audit', async () => {
    const money = await Money.start(test, await test.merchant());
    const { guia } = await money.deliver(10, { cod_cobrado: 12, nombre: 'Blanca Tzoc' });
    await money.adjust(-1.5, { motivo: 'Empaque' });
    const { liquidacion } = (await money.settle()).body;
    const path = `${DISPATCH}/liquidaciones`;
    for (const query of ['', `?comercio=${money.merchant.id}`]) {
      const list = spaced(await sol.page(path + query));
      expect(list).toContain(`href="${path}/${liquidacion.id}"`);
      expect(list).toContain('Q 10.50');
    }
    for (const none of ['x', '', crypto.randomUUID()]) {
      const list = await sol.page(`${path}?comercio=${none}`);
      expect(list).toContain('No existe ese comercio.');
      expect(list).not.toContain('data-liquidacion');
    }
    const page = spaced(await sol.page(`${path}/${liquidacion.id}`));
    for (const text of [
      'Liquidación de Tienda',
      'data-imprimir="true" hidden',
      'Q 12.00',
      '−Q 1.50',
      'Q 10.50',
      'Empaque',
      `<b>Blanca Tzoc</b><br/><a href="/admin/guias/${guia}">`,
    ])
      expect(page).toContain(text);
    const pay = formOf(page, '/pagar');
    const paid = (await sol.post(pay.action, { ...pay.hidden, referencia_pago: 'BI-1' })).text;
    const wrong = formOf(paid, '/referencia');
    const empty = (await sol.post(wrong.action, { ...wrong.hidden, referencia_pago: '' })).text;
    expect(empty).toMatch(/<input name="referencia_pago"[^>]* aria-invalid="true"/);
    const again = formOf(empty, '/referencia');
    const done = (await sol.post(again.action, { ...again.hidden, referencia_pago: 'BI-2' })).text;
    expect(done).toContain('La referencia era «BI-1»; ahora es «BI-2».');
    expect(
      (await money.merchant.get(`/api/v1/liquidaciones/${liquidacion.id}`)).body.liquidacion,
    ).toMatchObject({
      referencia_pago: 'BI-2',
    });
    expect((await sol.actions())[0]).toMatchObject({
      accion: 'corregir_pago',
      nota: 'La referencia era «BI-1»; ahora es «BI-2».',
    });
    expect(await subjectOf('corregir_pago')).toMatchObject({
      comercio_id: money.merchant.id,
      detalle: `${liquidacion.id}: de «BI-1» a «BI-2»`,
    });
    const found = (user: 'sol' | 'ana', q: string) =>
      new Console(test, user).post('/admin/buscar', { q }).then(({ text }) => text);
    for (const q of [liquidacion.id, liquidacion.id.toUpperCase(), 'BI-2', 'bi 2'])
      expect(await found('sol', q)).toContain(`href="${path}/${liquidacion.id}"`);
    expect(await found('sol', 'BI-1')).not.toContain(liquidacion.id);
    // Who may not open it is not shown it.
    expect(await found('ana', 'BI-2')).not.toContain(liquidacion.id);
    const long = formOf(done, '/referencia');
    const most = { ...long.hidden, referencia_pago: 'L'.repeat(120) };
    expect((await sol.post(long.action, most)).text).toContain(`ahora es «${'L'.repeat(120)}»`);
    const longer = formOf(await sol.page(`${path}/${liquidacion.id}`), '/referencia');
    await sol.post(longer.action, { ...longer.hidden, referencia_pago: 'M'.repeat(120) });
    const { detalle } = await subjectOf('corregir_pago');
    expect(detalle).toContain(`«${'L'.repeat(120)}» a «${'M'.repeat(120)}»`);
    expect((await sol.get(`${path}/x`)).status).toBe(404);
  });

  it('shows all adjustments of a settlement, a hundred at a time', async () => {
    const money = await Money.start(test, await test.merchant());
    await money.adjust(1, { motivo: 'El primero' });
    for (let n = 0; n < 100; n++) await money.adjust(1);
    const path = `${DISPATCH}/liquidaciones/${(await money.settle()).body.liquidacion.id}`;
    const page = await sol.page(path);
    expect(page).not.toContain('El primero');
    const next = new RegExp(`href="(${path}\\?ajustes=[^"]+)"`).exec(page)![1]!;
    const rest = await sol.page(next);
    expect(rest).toContain('El primero');
    expect(rest).not.toContain('?ajustes=');
  });

  it('shows any day: what drivers delivered, collected, and reported as failed then', async () => {
    const piloto = await driver('Ayer Cux');
    const now = await driver('Hoy Pop');
    const money = await Money.start(test, await test.merchant());
    const give = (id: string, to: string) =>
      operator.post('/api/v1/operaciones/asignaciones', { piloto: to, guias: [id] });
    const [delivered, failed, undone] = await Promise.all(
      [1, 2, 3].map(() => money.lives.in('en_ruta', { cod_amount: 77.25 })),
    );
    const at = new Date(Date.now() - 86_400_000).toISOString();
    await test.database.query(
      `update guias set estado_en = $1::timestamptz - interval '1 hour', creada_en = $1::timestamptz - interval '2 hours'
       where comercio_id = $2`,
      [at, money.merchant.id],
    );
    for (const { id } of [delivered!, failed!, undone!]) await give(id, piloto);
    const card = { pago: 'tarjeta', cod_cobrado: 77.25 };
    await operator.move(delivered!.id, { estado: 'entregado', ...card, ocurrido_en: at });
    for (const { id } of [failed!, undone!])
      await operator.move(id, { estado: 'intento_fallido', motivo: 'ausente', ocurrido_en: at });
    await operator.post(`/api/v1/operaciones/guias/${undone!.id}/deshacer`, { motivo: 'x' });
    await give(failed!.id, now);
    const dia = new Date(at).toLocaleDateString('sv', { timeZone: 'America/Guatemala' });
    const rowOf = (page: string, id: string) =>
      new RegExp(`<tr data-piloto="${id}">([\\s\\S]*?)</tr>`).exec(spaced(page))![1]!;
    const page = await sol.page(`${CLOSING}?dia=${dia}`);
    const cells = ['"Efectivo"></td>', '"Tarjeta o transf."><div class="num">Q 77.25<'];
    for (const cell of ['"Entregadas">1<', '"No se pudo">1<', ...cells])
      expect(rowOf(page, piloto)).toContain(cell);
    expect(rowOf(page, now)).toContain('"No se pudo">0<');
    expect(page).not.toContain('Por liquidar');
    const lines = (await sol.get(`${CLOSING}/pilotos.csv?dia=${dia}`)).text.split('\r\n');
    expect(lines[0]).toBe('piloto,nombre,entregadas,sin_exito,moneda,entrego,diferencia');
    expect(lines).toContain(`${piloto},Ayer Cux,1,1,,,`);
    expect(rowOf(await sol.page(CLOSING), piloto)).toContain('"Entregadas">0<');
    for (const wrong of ['2026-02-30', 'ayer', '', '2099-01-01', '2026-1-2']) {
      const { status, text } = await sol.get(`${CLOSING}?dia=${wrong}`);
      expect(status).toBe(400);
      expect(text).toMatch(/Ese día (no existe|todavía no llega)\./);
    }
  });

  it("writes down what changes a driver's balance, also once inactive, who is in the close until it is 0", async () => {
    const piloto = await driver('Hugo Barrera');
    const path = `${DRIVERS}/${piloto}`;
    const move = async (fields: Record<string, string>) => {
      const { action, hidden } = formOf(await sol.page(path), '/saldo');
      return spaced((await sol.post(action, { ...hidden, moneda: 'GTQ', ...fields })).text);
    };
    expect(await move({ monto: '-1,020.50', motivo: 'Uniforme' })).toContain('Saldo: debe Q 1,020.50');
    const refused = await move({ monto: 'veinte', motivo: 'Pagó' });
    expect(refused).toMatch(/<input name="monto"[^>]* aria-invalid="true"/);
    expect(refused).toContain('value="Pagó"');
    await operator.patch(`/api/v1/operaciones/pilotos/${piloto}`, { activo: false });
    expect(spaced(await sol.page(CLOSING))).toMatch(new RegExp(`${piloto}#saldo">debe Q 1,020.50<`));
    const paid = await move({ monto: '1020.5', motivo: 'Pagó' });
    expect(paid).toContain('Saldo: nada pendiente');
    expect(paid.indexOf('Pagó')).toBeLessThan(paid.indexOf('Uniforme'));
    expect(await sol.page(CLOSING)).not.toContain(piloto);
    expect((await sol.actions())[0]).toMatchObject({ accion: 'mover_saldo', resultado: 'hecho' });
  });

  it('makes and removes adjustments at the merchant', async () => {
    const money = await Money.start(test, await test.merchant());
    const path = `/admin/comercios/${money.merchant.id}`;
    const { guia } = await money.lives.create();
    const { action, hidden } = formOf(await sol.page(path), '/ajustes');
    const typed = { monto: '-1,250.75', motivo: 'Paquete dañado', guia: inFours(guia) };
    const wrong = await sol.post(action, { ...hidden, ...typed, monto: '0' });
    expect(wrong.text).toMatch(/<input name="monto"[^>]* aria-invalid="true"/);
    const again = formOf(wrong.text, '/ajustes');
    const made = await sol.post(again.action, { ...again.hidden, ...typed });
    expect(spaced(made.text)).toContain('Quedó hecho el ajuste de −Q 1,250.75: Paquete dañado.');
    const { ajustes } = (await money.merchant.get('/api/v1/ajustes')).body;
    expect(ajustes).toMatchObject([{ monto: -1250.75, guia }]);
    for (const user of ['ana', 'leo'] as const) {
      const other = new Console(test, user);
      const page = await other.page(path);
      expect(page).toContain('Paquete dañado');
      expect(page).not.toContain('/quitar');
      expect((await other.post(again.action, hidden)).status).toBe(403);
    }
    const quit = formOf(made.text, '/quitar');
    expect(spaced((await sol.post(quit.action, quit.hidden)).text)).toContain(
      'Se quitó el ajuste de −Q 1,250.75: Paquete dañado.',
    );
    expect((await money.merchant.get('/api/v1/ajustes')).body.ajustes).toEqual([]);
    const first = (await money.adjust(5)).body.ajuste.id;
    for (let n = 0; n < 30; n++) await money.adjust(1);
    const full = await sol.page(path);
    expect(full).not.toContain(first);
    const next = new RegExp(`href="(${path}\\?ajustes=[^"#]+)#ajustes"`).exec(full)![1]!;
    const rest = await sol.page(next);
    expect(rest).toContain(`${first}/quitar`);
    expect(rest).not.toContain('?ajustes=');
    const late = formOf(await sol.page(path), '/quitar');
    await money.settle();
    expect((await sol.post(late.action, late.hidden)).text).toContain('ya es parte de una liquidación');
  });

  it('corrects and takes back a settled amount by a second press, after it says what is adjusted, and says it again if that changed', async () => {
    const money = await Money.start(test, await test.merchant());
    const { id, guia } = await money.lives.in('en_ruta', { cod_amount: 50 });
    await operator.move(id, { estado: 'entregado', cod_cobrado: 50 });
    await money.settle();
    const path = `/admin/guias/${guia}`;
    expect(await new Console(test, 'ana').page(path)).not.toContain(`${path}/deshacer`);
    const correct = async (page: string, cod_cobrado = '50') => {
      const { action, hidden } = formOf(page, '/cobro');
      const fields = { ...hidden, cod_cobrado, pago: 'tarjeta', nota: 'Con tarjeta' };
      return sol.after(await sol.post(action, fields));
    };
    const unread = await correct(await sol.page(path), 'mucho');
    expect(formOf(unread, '/cobro').hidden).not.toHaveProperty('ajustar');
    const lower = spaced(await correct(unread, '40'));
    expect(lower).toContain(
      'pasa de Q 50.00 a Q 40.00: la siguiente liquidación le quita Q 10.00 al comercio',
    );
    expect(formOf(lower, '/cobro').hidden).toMatchObject({ ajustar: 'si' });
    expect(spaced(await correct(lower, '4'))).toContain('le quita Q 46.00 al comercio');
    expect((await money.of({ id })).cod_cobrado).toBe(50);
    const warned = await correct(await sol.page(path));
    expect(warned).toContain('ya es parte de una liquidación');
    expect((await money.of({ id })).pago).toBe('efectivo');
    expect(await correct(warned)).toContain('Quedó corregido');
    expect(await money.of({ id })).toMatchObject({ pago: 'tarjeta', estado: 'liquidado', liquidado: 50 });
    const bare = formOf(await sol.page(path), '/deshacer');
    const empty = await sol.after(await sol.post(bare.action, { ...bare.hidden, motivo: '' }));
    expect(formOf(empty, '/deshacer').hidden).not.toHaveProperty('ajustar');
    const first = formOf(await sol.page(path), '/deshacer');
    const asked = await sol.after(await sol.post(first.action, { ...first.hidden, motivo: 'Otra guía' }));
    expect(spaced(asked)).toContain('la siguiente le quita <b class="num">Q 50.00</b>');
    expect((await money.of({ id })).cod_cobrado).toBe(50);
    const second = formOf(asked, '/deshacer');
    expect(second.hidden).toMatchObject({ ajustar: 'si' });
    expect(
      (await new Console(test, 'ana').post(second.action, { ...second.hidden, motivo: 'x' })).status,
    ).not.toBe(200);
    await money.correct(id, { cod_cobrado: 45, pago: 'efectivo', ajustar: true });
    const takeBack = async ({ action, hidden }: ReturnType<typeof formOf>) =>
      sol.after(await sol.post(action, { ...hidden, motivo: 'Otra guía' }));
    const again = await takeBack(second);
    expect(spaced(again)).toContain('la siguiente le quita <b class="num">Q 45.00</b>');
    const stale = await correct(await sol.page(path), '30');
    await money.correct(id, { cod_cobrado: 44, ajustar: true });
    expect(spaced(await correct(stale, '30'))).toContain('le quita Q 14.00 al comercio');
    const told = await takeBack(formOf(again, '/deshacer'));
    expect(await takeBack(formOf(told, '/deshacer'))).toContain('Quedó deshecho');
    const { ajustes } = (await money.merchant.get('/api/v1/ajustes')).body;
    expect(ajustes.map(({ monto }: { monto: number }) => monto)).toEqual([-44, -1, -5]);
  });

  it('acts once for a form that is sent twice', async () => {
    const money = await Money.start(test, merchant);
    await money.deliver(5);
    const settle = formOf(await sol.page(CLOSING), `${merchant.id}/liquidar`);
    for (let times = 0; times < 2; times++) await sol.post(settle.action, settle.hidden);
    expect((await merchant.get('/api/v1/liquidaciones')).body.liquidaciones).toHaveLength(1);
  });
});
