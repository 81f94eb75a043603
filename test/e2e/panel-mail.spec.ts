import { randomUUID } from 'node:crypto';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { addMerchantCommands } from '../../src/commands/merchants.commands.js';
import { CONSOLE_USERS, Console, formOf } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { PanelBrowser } from '../support/panel.js';
import { runCommand } from '../support/run-command.js';
import { APP_SECRET, guiaBody, type TestMerchant } from '../support/test-app.js';
import { useTestApp } from '../support/use.js';

const SIGN_IN = 'Entre al panel de su tienda';
const DEAD = 'Ese enlace ya no sirve';

/** Clients behind a proxy, each with an address of its own: the limit of one does not reach the next test. */
const test = useTestApp({
  env: {
    TRUST_PROXY: '127.0.0.1',
    BOARD_USERS: CONSOLE_USERS,
    COURIER_NAME: 'Mensajería Colibrí',
    COURIER_PHONE: '+502 5555 1234',
  },
});

let clients = 0;
const newBrowser = () => new PanelBrowser(test, { 'x-forwarded-for': `10.0.0.${++clients}` });
const newAddress = () => `${randomUUID()}@tienda.example`;

/** A merchant with an address of its own. */
async function shop(correo = newAddress()): Promise<TestMerchant & { correo: string }> {
  const merchant = await test.merchant();
  await test.app.get(MerchantsService).update(merchant.id, { correo });
  return { ...merchant, correo };
}

/** The mails to an address, the oldest first. */
const mails = (para: string) =>
  test.database.query<{ clase: string; comercio_id: string | null; texto: string }>(
    'select clase, comercio_id, texto from correos where para = $1 order by id',
    [para],
  );

/** The path of the link in the newest mail to an address. */
async function linkTo(para: string): Promise<string> {
  const { texto } = (await mails(para)).at(-1)!;
  return /http:\/\/localhost:\d+(\/panel\/\S+)/.exec(texto)![1]!;
}

async function signedIn(correo: string): Promise<PanelBrowser> {
  const browser = newBrowser();
  expect((await browser.post('/panel', { correo })).status).toBe(202);
  const { status, headers } = await browser.post(await linkTo(correo), {});
  expect([status, headers.get('location')]).toEqual([303, '/panel']);
  return browser;
}

const stateOf = async (id: string) => {
  const { correo, correo_confirmado_en, con_avisos, con_resumen } = (await test.app
    .get(MerchantsService)
    .find(id))!;
  return { correo, isConfirmed: correo_confirmado_en !== null, con_avisos, con_resumen };
};

describe('a link to sign in', () => {
  it('is asked for on a page that says whose installation it is', async () => {
    const page = await newBrowser().page('/panel');
    expect(page).toContain('<b>Mensajería Colibrí</b>');
    expect(page).toContain('href="https://wa.me/50255551234"');
    expect(page).toMatch(/name="api_key"/);
  });

  it('is answered in the same way for every address, known or not', async () => {
    const { correo } = await shop();
    const unknown = newAddress();
    const answers = [];
    for (const one of [correo, unknown]) {
      const { status, text } = await newBrowser().post('/panel', { correo: ` ${one.toUpperCase()} ` });
      answers.push([status, text.replaceAll(one, '')]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]![0]).toBe(202);
    expect([(await mails(correo)).length, (await mails(unknown)).length]).toEqual([1, 0]);
  });

  it.each([
    '',
    'ana',
    'ana@',
    'a@b',
    `${'a'.repeat(300)}@tienda.example`,
    'ana@tienda.example,leo@tienda.example',
  ])('is refused for a text that is no address: %j', async (correo) => {
    const { status, text } = await newBrowser().post('/panel', { correo });
    expect(status).toBe(422);
    expect(text).toMatch(/<input[^>]* name="correo"[^>]* aria-invalid="true"/);
  });

  it('signs in by its button, once, for 30 days; to look at it changes nothing', async () => {
    const { id, correo } = await shop();
    const browser = newBrowser();
    await browser.post('/panel', { correo });
    const link = await linkTo(correo);
    for (let i = 0; i < 2; i++) {
      const { text, headers } = await browser.get(link);
      expect(text).toContain(`<form method="post" action="${link}"`);
      expect([
        headers.get('set-cookie'),
        headers.get('referrer-policy'),
        headers.get('cache-control'),
      ]).toEqual([null, 'same-origin', 'no-store']);
    }
    expect(await stateOf(id)).toMatchObject({ isConfirmed: false });
    const { status, headers } = await browser.post(link, {}, { 'sec-fetch-site': 'same-origin' });
    expect([status, headers.get('location')]).toEqual([303, '/panel']);
    expect(headers.get('set-cookie')).toMatch(
      /^guias_panel=[\w-]{43}; Path=\/panel; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await browser.page('/panel')).toContain('<h1>Hoy</h1>');
    expect(await stateOf(id)).toMatchObject({ isConfirmed: true });
    const again = newBrowser();
    const used = [await again.get(link), await again.post(link, {})];
    expect(used.map(({ status: code, text }) => [code, text.includes(DEAD)])).toEqual([
      [404, true],
      [404, true],
    ]);
    expect(used[1]!.headers.get('set-cookie')).toBeNull();
  });

  it('is the same page once it is used, has ended, or never was', async () => {
    const { correo } = await shop();
    const browser = newBrowser();
    await browser.post('/panel', { correo });
    const link = await linkTo(correo);
    await test.database.query(
      `update panel_enlaces set vence_en = vence_en - interval '15 minutes' where correo = $1`,
      [correo],
    );
    const pages = new Set<string>();
    for (const path of [link, `/panel/entrar/${'A'.repeat(43)}`, '/panel/entrar/x', '/panel/correo/x'])
      for (const { status, text } of [await browser.get(path), await browser.post(path, {})]) {
        expect(status).toBe(404);
        pages.add(text);
      }
    expect(pages.size).toBe(1);
  });

  it('is not taken from the form of another site, and leaves no trace in logs and tables', async () => {
    const { correo } = await shop();
    const browser = newBrowser();
    await browser.post('/panel', { correo });
    const link = await linkTo(correo);
    expect((await browser.post(link, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    // Over plain http browsers name the site by its origin alone.
    const plain = await test.request(link, { method: 'POST', headers: { origin: 'null' } });
    expect(plain.status).toBe(403);
    await browser.post(link, {});
    const token = link.split('/').at(-1)!;
    const stored = await test.database.query('select * from panel_enlaces, solicitudes');
    expect(JSON.stringify([test.logs, stored])).not.toContain(token);
    expect(JSON.stringify(test.logs)).not.toContain(correo);
    expect(test.logs).toContainEqual(expect.objectContaining({ route: '/panel/entrar/:token' }));
  });

  it('begins one session, however many press it at once', async () => {
    const { id, correo } = await shop();
    await newBrowser().post('/panel', { correo });
    const link = await linkTo(correo);
    const pressed = await Promise.all([1, 2, 3, 4].map(() => newBrowser().post(link, {})));
    expect(pressed.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404]);
    const [row] = await test.database.query(
      'select count(*)::int from panel_sesiones where comercio_id = $1',
      [id],
    );
    expect(row).toEqual({ count: 1 });
  });

  it('is not looked for beyond a hundred tries of a client in a minute, with the same answer', async () => {
    const { correo } = await shop();
    const client = newBrowser();
    const tries = Array.from({ length: 101 }, () => client.post('/panel', { correo: newAddress() }));
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([202]));
    expect((await client.post('/panel', { correo })).status).toBe(202);
    expect(await mails(correo)).toEqual([]);
    await signedIn(correo);
  });

  it('of several shops leads to the choice of one, whose session sees nothing of the others', async () => {
    const correo = newAddress();
    const [one, other] = [await shop(correo), await shop(correo)];
    const { body } = await other.post('/api/v1/guias', guiaBody());
    const browser = newBrowser();
    await browser.post('/panel', { correo });
    const link = await linkTo(correo);
    const choice = await browser.post(link, {});
    expect([choice.status, choice.headers.get('set-cookie')]).toEqual([200, null]);
    const { action } = formOf(choice.text, choice.text.match(/panel\/entrar\/[\w-]+/)![0]);
    expect([one, other].every(({ id }) => choice.text.includes(`name="comercio" value="${id}"`))).toBe(true);
    expect((await browser.post(link, { comercio: one.id })).status).toBe(404);
    const stranger = await shop();
    const again = await browser.post(action, { comercio: stranger.id });
    expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null]);
    const next = again.text.match(/\/panel\/entrar\/[\w-]+/)![0];
    expect((await browser.post(next, { comercio: one.id })).status).toBe(303);
    expect((await browser.post(next, { comercio: other.id })).status).toBe(404);
    expect((await browser.get(`/panel/guias/${body.guia}`)).status).toBe(404);
  });

  it('is sent five times an hour to an address, and twenty times for a client, with the same answer after that', async () => {
    const { correo } = await shop();
    const page = async (browser: PanelBrowser, to: string) => {
      const { status, text } = await browser.post('/panel', { correo: to });
      return [status, text.replaceAll(to, '')];
    };
    const first = await page(newBrowser(), correo);
    for (let i = 0; i < 5; i++) expect(await page(newBrowser(), correo)).toEqual(first);
    expect(await mails(correo)).toHaveLength(5);
    const client = newBrowser();
    const shops = await Promise.all(Array.from({ length: 21 }, () => shop()));
    for (const one of shops) expect(await page(client, one.correo)).toEqual(first);
    const sent = await Promise.all(shops.map(async (one) => (await mails(one.correo)).length));
    expect(sent.reduce((sum, count) => sum + count)).toBe(20);
    expect(sent.at(-1)).toBe(0);
    await page(newBrowser(), shops.at(-1)!.correo);
    expect(await mails(shops.at(-1)!.correo)).toHaveLength(1);
  });
});

describe('a session that began by mail', () => {
  it('makes guides and keys, which make no further keys, in the real mode', async () => {
    const { correo, id } = await shop();
    const browser = await signedIn(correo);
    expect((await browser.get('/panel/guias/nueva')).status).toBe(200);
    const page = await browser.page('/panel/claves');
    expect([...page.matchAll(/name="alcances" value="([^"]*)"/g)].map(([, scope]) => scope)).toEqual([
      'guias:leer',
      'guias:escribir',
    ]);
    const { hidden } = formOf(page, '/panel/claves');
    const refused = await browser.post('/panel/claves', { ...hidden, alcances: 'claves' });
    expect(refused.status).toBe(422);
    const made = await browser.submit('/panel/claves', '/panel/claves', { alcances: 'guias:leer' });
    const [, key] = /<pre data-clave[^>]*>(gk_live_\w+)</.exec(made.text)!;
    expect(
      (await test.request('/api/v1/guias', { headers: { authorization: `Bearer ${key}` } })).status,
    ).toBe(200);
    await eventually(async () => {
      const rows = await test.database.query(
        `select distinct clave_id from solicitudes where ruta = '/panel/claves' and comercio_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ clave_id: null }]);
    });
  });

  it('may end the last key, without which it still enters', async () => {
    const { correo, keyId } = await shop();
    const browser = await signedIn(correo);
    const ended = await browser.submit('/panel/claves', `/panel/claves/${keyId}/terminar`);
    expect(ended.status).toBe(303);
    expect(await browser.page('/panel')).toContain('<h1>Hoy</h1>');
  });

  it('ends by the button, and once its shop has another address or none', async () => {
    const { correo, id } = await shop();
    const [left, stayed] = [await signedIn(correo), await signedIn(correo)];
    await left.submit('/panel', '/salir');
    expect(await left.page('/panel')).toContain(SIGN_IN);
    await test.app.get(MerchantsService).update(id, { correo });
    expect(await stayed.page('/panel')).toContain('<h1>Hoy</h1>');
    await test.app.get(MerchantsService).update(id, { correo: null });
    expect(await stayed.page('/panel')).toContain(SIGN_IN);
    await test.app.get(MerchantsService).update(id, { correo });
    expect(await stayed.page('/panel')).toContain(SIGN_IN);
  });

  it('of a closed merchant only looks', async () => {
    const { correo, id } = await shop();
    const before = await signedIn(correo);
    const eva = new Console(test, 'eva');
    await eva.submit(`/admin/comercios/${id}`, '/cerrar');
    expect(await before.page('/panel')).toContain(SIGN_IN);
    const browser = await signedIn(correo);
    expect((await browser.get('/panel/guias')).status).toBe(200);
    expect(await browser.page('/panel/ajustes')).not.toContain('name="correo"');
    for (const path of ['/panel/guias/nueva', '/panel/claves'])
      expect((await browser.get(path)).status).toBe(403);
    expect((await browser.post('/panel/ajustes', { clave: randomUUID(), avisos: 'no' })).status).toBe(403);
  });

  it('counts in one limit of its merchant, and leaves twenty of them, and those by key', async () => {
    const { correo, ...merchant } = await shop();
    const byKey = await PanelBrowser.in(test, merchant);
    const browser = await signedIn(correo);
    const left = async (one: PanelBrowser) =>
      Number(/r=(\d+)/.exec((await one.get('/panel')).headers.get('ratelimit')!)![1]);
    const other = await signedIn(correo);
    expect((await left(browser)) - (await left(other))).toBe(1);
    await test.database.query(
      `insert into panel_sesiones (huella, comercio_id, correo, vence_en)
       select sha256(n::text::bytea), $1, $2, now() + interval '1 hour' from generate_series(1, 30) n`,
      [merchant.id, correo],
    );
    await signedIn(correo);
    const [row] = await test.database.query<{ count: number }>(
      'select count(*)::int as count from panel_sesiones where comercio_id = $1',
      [merchant.id],
    );
    expect(row!.count).toBe(20);
    expect(await byKey.page('/panel')).toContain('<h1>Hoy</h1>');
  });
});

describe('the settings of the panel', () => {
  it('change what is sent, each by itself', async () => {
    const merchant = await shop();
    const browser = await PanelBrowser.in(test, merchant);
    const saved = await browser.submit('/panel/ajustes', '/ajustes', { resumen: 'no' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/panel/ajustes?hecho=guardado']);
    expect(await stateOf(merchant.id)).toMatchObject({
      correo: merchant.correo,
      con_resumen: false,
      con_avisos: true,
    });
    await browser.submit('/panel/ajustes', '/ajustes', {
      resumen: 'si',
      avisos: 'no',
      correo: merchant.correo,
    });
    expect(await stateOf(merchant.id)).toMatchObject({ con_resumen: true, con_avisos: false });
    expect(await mails(merchant.correo)).toEqual([]);
  });

  it.each(['ana', ''])('refuse an address that is none, and keep the one before: %j', async (correo) => {
    const merchant = await shop();
    const browser = await PanelBrowser.in(test, merchant);
    const { status, text } = await browser.submit('/panel/ajustes', '/ajustes', { correo, avisos: 'no' });
    expect(status).toBe(422);
    expect(text).toMatch(/<input[^>]* name="correo"[^>]* aria-invalid="true"/);
    expect(await stateOf(merchant.id)).toMatchObject({ correo: merchant.correo, con_avisos: true });
  });

  it('replace an address once the link to the new one is pressed; then the sessions by mail end, those by key go on', async () => {
    const merchant = await shop();
    const [byKey, byMail] = [await PanelBrowser.in(test, merchant), await signedIn(merchant.correo)];
    const correo = newAddress();
    const sent = await byMail.submit('/panel/ajustes', '/ajustes', { correo: ` ${correo.toUpperCase()}` });
    expect(sent.headers.get('location')).toBe('/panel/ajustes?hecho=enviado');
    expect(await byMail.page('/panel/ajustes')).toContain(correo);
    expect(await stateOf(merchant.id)).toMatchObject({ correo: merchant.correo });
    expect(await mails(correo)).toMatchObject([{ clase: 'confirmacion', comercio_id: merchant.id }]);
    const link = await linkTo(correo);
    expect((await newBrowser().get(link)).text).toContain(correo);
    expect(await stateOf(merchant.id)).toMatchObject({ correo: merchant.correo });
    expect((await newBrowser().post(link.replace('/correo/', '/entrar/'), {})).status).toBe(404);
    const confirmed = await newBrowser().post(link, {});
    expect([confirmed.status, confirmed.headers.get('set-cookie')]).toEqual([200, null]);
    expect(await stateOf(merchant.id)).toMatchObject({ correo, isConfirmed: true });
    expect((await newBrowser().post(link, {})).status).toBe(404);
    expect(await byMail.page('/panel')).toContain(SIGN_IN);
    expect(await byKey.page('/panel/ajustes')).not.toContain('Por confirmar');
    await signedIn(correo);
  });

  it('give no other address to a key that makes no keys, whose holder would make them by mail', async () => {
    const merchant = await shop();
    const key = await test.keyOf(merchant.id, { scopes: ['guias:leer', 'guias:escribir'] });
    const browser = await PanelBrowser.in(test, key);
    expect(await browser.page('/panel/ajustes')).not.toContain('name="correo"');
    const correo = newAddress();
    const sent = await browser.post('/panel/ajustes', { clave: randomUUID(), correo });
    expect([sent.status, await mails(correo)]).toEqual([403, []]);
    const saved = await browser.submit('/panel/ajustes', '/ajustes', { resumen: 'no' });
    expect(saved.status).toBe(303);
    expect(await stateOf(merchant.id)).toMatchObject({ correo: merchant.correo, con_resumen: false });
  });

  it('give a closed merchant no other address, and leave its sessions', async () => {
    const { id, correo } = await shop();
    const other = newAddress();
    await (await signedIn(correo)).submit('/panel/ajustes', '/ajustes', { correo: other });
    await test.database.query('update comercios set cerrado_en = now() where id = $1', [id]);
    const browser = await signedIn(correo);
    expect((await newBrowser().post(await linkTo(other), {})).status).toBe(404);
    expect(await stateOf(id)).toMatchObject({ correo });
    expect((await browser.get('/panel/guias')).status).toBe(200);
  });

  it('send no more links than the page to sign in', async () => {
    const merchant = await shop();
    const correo = newAddress();
    const browser = await PanelBrowser.in(test, merchant);
    for (let i = 0; i < 6; i++) {
      const { headers } = await browser.submit('/panel/ajustes', '/ajustes', { correo });
      expect(headers.get('location')).toBe('/panel/ajustes?hecho=enviado');
    }
    expect(await mails(correo)).toHaveLength(5);
    const [row] = await test.database.query<{ count: number }>(
      'select count(*)::int as count from panel_enlaces where comercio_id = $1',
      [merchant.id],
    );
    expect(row!.count).toBe(1);
  });

  it('are read with a key that only reads, without a form; of a test twin there are none', async () => {
    const merchant = await shop();
    const reader = await PanelBrowser.in(test, await test.keyOf(merchant.id, { scopes: ['guias:leer'] }));
    const page = await reader.page('/panel/ajustes');
    expect([page.includes(merchant.correo), page.includes('name="correo"')]).toEqual([true, false]);
    expect((await reader.post('/panel/ajustes', { clave: randomUUID(), correo: newAddress() })).status).toBe(
      403,
    );
    const tester = await PanelBrowser.in(test, await test.tester(merchant.id));
    expect(await tester.page('/panel/ajustes')).not.toContain('name="correo"');
    const fields = { clave: randomUUID(), correo: newAddress() };
    expect((await tester.post('/panel/ajustes', fields)).status).toBe(422);
  });

  it('show that an address was refused, as the console does', async () => {
    const merchant = await shop();
    await test.database.query(`update comercios set correo_rechazo = '550 no such user' where id = $1`, [
      merchant.id,
    ]);
    expect(await (await PanelBrowser.in(test, merchant)).page('/panel/ajustes')).toContain(
      '550 no such user',
    );
    expect(await new Console(test, 'leo').page(`/admin/comercios/${merchant.id}`)).toContain(
      '550 no such user',
    );
    await signedIn(merchant.correo);
    expect(await new Console(test, 'eva').page(`/admin/comercios/${merchant.id}/cuenta`)).not.toContain(
      'no such user',
    );
  });
});

describe("a merchant's address by command", () => {
  const env = () => ({ DATABASE_URL: test.database.url, APP_SECRET });
  const command = (...args: string[]) => runCommand('merchants', addMerchantCommands, args, env());

  it('is given, listed, changed and taken away; another one ends what was waiting', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const made = await command('create', '--name', 'Tienda', '--email', ` ${first.toUpperCase()} `);
    const id: string = made.merchant_id;
    expect(made.email).toBe(first);
    expect((await command('list')).merchants).toContainEqual(expect.objectContaining({ email: first }));
    const browser = await signedIn(first);
    const waiting = newAddress();
    await browser.submit('/panel/ajustes', '/ajustes', { correo: waiting });
    expect(await command('update', id, '--email', second)).toMatchObject({ name: 'Tienda', email: second });
    expect(await stateOf(id)).toMatchObject({ isConfirmed: false });
    expect((await newBrowser().post(await linkTo(waiting), {})).status).toBe(404);
    expect(await command('update', id, '--email', '')).not.toHaveProperty('email');
    const refused = command('update', id, '--email', 'ana@');
    await expect(refused).rejects.toThrow('--email: is not a valid address; write it like');
    await expect(refused).rejects.not.toThrow('ana@');
  });
});

describe("a merchant's address in the console", () => {
  it('is given, changed and taken away in the forms of its account; another one is not confirmed', async () => {
    const eva = new Console(test, 'eva');
    const correo = newAddress();
    const { action, hidden } = formOf(await eva.page('/admin/comercios'), '/admin/comercios');
    const fields = { nombre: 'Con correo', pais: 'GT', correo: ` ${correo.toUpperCase()}` };
    const made = await eva.post(action, { ...hidden, ...fields });
    const id = /comercios\/([0-9a-f-]{36})/.exec(made.text)![1]!;
    expect(made.text).toContain('sin confirmar');
    await signedIn(correo);
    const path = `/admin/comercios/${id}/cuenta`;
    const save = async (sent: Record<string, string>) => {
      const form = formOf(await eva.page(path), path);
      return eva.post(form.action, { ...form.hidden, nombre: 'Con correo', ...sent });
    };
    await save({ correo });
    await save({});
    expect(await stateOf(id)).toMatchObject({ correo, isConfirmed: true });
    expect((await save({ correo: 'ana@' })).text).toContain('aria-invalid="true"');
    const other = newAddress();
    await save({ correo: other });
    expect(await stateOf(id)).toMatchObject({ correo: other, isConfirmed: false });
    await save({ correo: '' });
    expect(await stateOf(id)).toMatchObject({ correo: null });
  });
});
