import { firstIdAt } from '../../src/platform/database/row-id.js';
import { Console, CONSOLE_USERS, formOf } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { client, createTestApp, guiaBody, type Answer, type TestApp } from '../support/test-app.js';

const MERCHANTS = '/admin/comercios';
const OPERATORS = '/admin/operadores';
const KEY = /<pre data-clave[^>]*>(gk_(?:live|test)_\w+)<\/pre>/;

describe('the set-up of merchants and operators', () => {
  let test: TestApp;
  let eva: Console;

  beforeAll(async () => {
    test = await createTestApp({ env: { BOARD_USERS: CONSOLE_USERS } });
    eva = new Console(test, 'eva');
  });
  afterAll(() => test.close());

  /** Sends the form of a page; it is answered with a page. */
  const send = async (page: string, action: string, fields: Record<string, string>) => {
    const { action: target, hidden } = formOf(page, action);
    const answer = await eva.post(target, { ...hidden, ...fields });
    return { answer, again: () => eva.post(target, { ...hidden, ...fields }) };
  };
  const create = async (fields: Record<string, string>): Promise<Answer> =>
    (await send(await eva.page(MERCHANTS), MERCHANTS, { pais: 'GT', ...fields })).answer;
  const accountOf = (page: string) => /action="(\/admin\/comercios\/[^/"]+\/cuenta)"/.exec(page)![1]!;
  const works = async (key: string) =>
    (await test.request('/api/v1/guias', { headers: { authorization: `Bearer ${key}` } })).status === 200;

  it('lists countries by their names', async () => {
    const names = [...(await eva.page(MERCHANTS)).matchAll(/<option value="[A-Z]{2}"[^>]*>([^<]+)</g)];
    const list = names.map(([, name]) => name!);
    expect(list[0]).toBe('Afganistán (AF)');
    expect(list).toEqual(list.toSorted(new Intl.Collator('es').compare));
  });

  it('makes a merchant and its first key, which works and is shown once', async () => {
    const made = await create({ nombre: 'Zapatos Ana', telefono_contacto: '5555 0199' });
    expect(made.status).toBe(200);
    expect(made.text).toContain('Se creó el comercio Zapatos Ana');
    expect(made.text).toContain('+50255550199');
    const { answer, again } = await send(made.text, '/claves', {
      etiqueta: 'Tienda en línea',
      alcances: 'todos',
    });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const key = KEY.exec(answer.text)![1]!;
    expect(await works(key)).toBe(true);
    const repeated = await again();
    expect(repeated.status).toBe(200);
    expect(repeated.text).not.toMatch(KEY);
    const page = await eva.page(accountOf(answer.text));
    expect(page).toContain('Tienda en línea');
    expect(page).not.toContain(key);
    const kept = await test.database.query('select nota, detalle from auditoria');
    expect(JSON.stringify([kept, test.logs])).not.toContain(key);
    expect((await eva.actions()).map(({ usuario, accion }) => [usuario, accion])).toEqual([
      ['eva', 'crear_clave'],
      ['eva', 'crear_comercio'],
    ]);
  });

  it('says in the list whether a merchant is to be looked after', async () => {
    const merchant = await test.merchant();
    const line = async () => (await eva.page(`${MERCHANTS}?q=${merchant.id}`)).replace(/<[^>]+>/g, ' ');
    const guia = await merchant.post('/api/v1/guias', guiaBody());
    expect(await line()).toMatch(/GT · 1 abierta\s+Al día/);
    const old = firstIdAt(Date.now() - 2 * 86_400_000);
    await test.database.query(
      `update guias set id = $2, creada_en = now() - interval '2 days' where id = $1`,
      [guia.body.id, old],
    );
    expect(await line()).toContain('1 sin confirmar');
    await merchant.post('/api/v1/webhooks', { url: 'https://tienda.example/avisos' });
    await test.database.query('update webhooks set falla_desde = now() where comercio_id = $1', [
      merchant.id,
    ]);
    expect(await line()).toMatch(/GT · 1 abierta · sus avisos fallan\s+Atender/);
    await test.database.query('update webhooks set eliminado_en = now() where comercio_id = $1', [
      merchant.id,
    ]);
    await test.database.query('delete from guias where id = $1', [old]);
    await test.database.query('update claves_api set revocada_en = now() where comercio_id = $1', [
      merchant.id,
    ]);
    expect(await line()).toContain('Sin clave');
  });

  it('sent twice makes one merchant', async () => {
    const { answer, again } = await send(await eva.page(MERCHANTS), MERCHANTS, {
      nombre: 'Dos veces',
      pais: 'HN',
    });
    expect(answer.text).toContain('Se creó el comercio');
    expect((await again()).status).toBe(200);
    const rows = await test.database.query(`select moneda from comercios where nombre = 'Dos veces'`);
    expect(rows).toEqual([{ moneda: 'HNL' }]);
  });

  it('refused keeps what was typed, and says beside each field what to mend', async () => {
    const refused = await create({ nombre: '', moneda: 'QQQ', telefono_contacto: '12' });
    expect(refused.text).toContain('No se hizo');
    for (const field of ['nombre', 'moneda', 'telefono_contacto'])
      expect(refused.text).toMatch(
        new RegExp(`<input name="${field}" aria-describedby="falta-${field}"[^>]* aria-invalid="true"`),
      );
    expect(refused.text).toContain('value="QQQ"');
    expect(refused.text).toContain('<details class="fold" open');
  });

  it('changes name, phone and PIN of a merchant; an empty phone takes it away', async () => {
    const account = accountOf((await create({ nombre: 'Vieja', telefono_contacto: '5555 0199' })).text);
    const { answer } = await send(await eva.page(account), '/cuenta', {
      nombre: 'Nueva',
      telefono_contacto: '',
      con_pin: 'si',
    });
    expect(answer.text).toContain('Se guardaron los cambios');
    expect(answer.text).toContain('<h1>Nueva</h1>');
    expect(answer.text).not.toContain('+50255550199');
    const rows = await test.database.query(`select con_pin from comercios where nombre = 'Nueva'`);
    expect(rows).toEqual([{ con_pin: true }]);
  });

  it('makes test keys, keys of one scope and keys that end', async () => {
    const account = accountOf((await create({ nombre: 'Con claves' })).text);
    const key = async (fields: Record<string, string>) =>
      (await send(await eva.page(account), '/claves', fields)).answer.text;
    expect(KEY.exec(await key({ modo: 'prueba' }))![1]).toMatch(/^gk_test_/);
    const writer = KEY.exec(await key({ alcances: 'guias:escribir', vence: '2999-12-31' }))![1]!;
    expect(await works(writer)).toBe(false);
    const [row] = await test.database.query<{ end: Date }>(
      `select expira_en as end from claves_api where expira_en is not null`,
    );
    expect(row!.end.toISOString()).toBe('3000-01-01T05:59:59.999Z');
    expect(await key({ vence: '2020-01-01' })).toContain('Escriba un día que no haya pasado');
    expect(await key({ alcances: 'operaciones' })).not.toMatch(KEY);
  });

  it('rotates a key and revokes it', async () => {
    const account = accountOf((await create({ nombre: 'Que rota' })).text);
    const first = (await send(await eva.page(account), '/claves', {})).answer.text;
    const old = KEY.exec(first)![1]!;
    const rotated = (await send(first, '/rotar', { horas: '0' })).answer.text;
    const fresh = KEY.exec(rotated)![1]!;
    expect(await works(fresh)).toBe(true);
    const revoked = (await send(rotated, '/revocar', {})).answer.text;
    expect(revoked).toContain('deja de funcionar en 5 segundos');
    const states = await test.database.query(
      `select identificador, revocada_en is not null as revocada, solape_hasta <= now() as rotada from claves_api
       where identificador = any ($1)`,
      [[old, fresh].map((key) => key.slice(8, 16))],
    );
    expect(states).toEqual(
      expect.arrayContaining([
        { identificador: old.slice(8, 16), revocada: false, rotada: true },
        { identificador: fresh.slice(8, 16), revocada: true, rotada: null },
      ]),
    );
  });

  it('ends a key that leaked at once, and shows what it did', async () => {
    const account = accountOf((await create({ nombre: 'Que filtra' })).text);
    const first = (await send(await eva.page(account), '/claves', {})).answer.text;
    const old = KEY.exec(first)![1]!;
    const { headers } = await client(test.request, old).post('/api/v1/guias', {});
    const requestId = headers.get('x-request-id')!;
    await eventually(async () =>
      expect(
        await test.database.query('select from solicitudes where peticion = $1', [requestId]),
      ).toHaveLength(1),
    );
    const rotated = (await send(first, '/rotar', { horas: '168', filtrada: 'si' })).answer.text;
    expect(rotated).toContain('ya no funciona');
    expect(rotated).toContain(requestId);
    expect(await works(KEY.exec(rotated)![1]!)).toBe(true);
    await eventually(async () => expect(await works(old)).toBe(false));
    await test.database.query('alter table solicitudes rename clave_id to clave_otra');
    try {
      const unread = (await send(rotated, '/rotar', { horas: '168', filtrada: 'si' })).answer.text;
      expect(unread).toContain('No se pudo leer lo que hizo');
      expect(await works(KEY.exec(unread)![1]!)).toBe(true);
    } finally {
      await test.database.query('alter table solicitudes rename clave_otra to clave_id');
    }
  });

  it('makes operators, whose keys move guides', async () => {
    const { answer } = await send(await eva.page(OPERATORS), OPERATORS, { nombre: 'Mensajería Veloz' });
    const key = KEY.exec(
      (await send(answer.text, '/claves', { alcances: 'operaciones:leer' })).answer.text,
    )![1]!;
    const list = await test.request('/api/v1/operaciones/guias', {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(list.status).toBe(200);
    expect(await eva.page(OPERATORS)).toContain('Mensajería Veloz');
    const twice = await send(await eva.page(OPERATORS), OPERATORS, { nombre: 'Mensajería Veloz' });
    expect(twice.answer.text).toContain('Ya hay un operador con ese nombre');
  });

  it('finds merchants by a part of their names', async () => {
    await create({ nombre: 'Café Ñandú' });
    const found = await eva.page(`${MERCHANTS}?q=nandu`);
    expect(found).toContain('Café Ñandú');
    expect(found).not.toContain('Zapatos Ana');
  });

  it('is for admins: others get 403, and no link', async () => {
    const ana = new Console(test);
    for (const path of [MERCHANTS, OPERATORS, `${MERCHANTS}/x/cuenta`])
      expect((await ana.get(path)).status).toBe(403);
    expect((await ana.post(MERCHANTS, { nombre: 'x', pais: 'GT' })).status).toBe(403);
    const [own, others] = [await eva.page('/admin'), await ana.page('/admin')];
    for (const path of [MERCHANTS, OPERATORS]) {
      expect(own).toContain(`href="${path}"`);
      expect(others).not.toContain(`href="${path}"`);
    }
  });

  it.each(['x', '01a1fe09-0000-7000-8000-000000000000', "'"])('answers 404 for %j', async (id) => {
    for (const path of [`${MERCHANTS}/${id}/cuenta`, `${OPERATORS}/${id}`])
      expect((await eva.get(path)).status).toBe(404);
  });
});
