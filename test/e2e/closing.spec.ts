import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { ClosingsService } from '../../src/support/closing/closings.service.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { Console, CONSOLE_USERS, formOf } from '../support/console.js';
import { withClient } from '../support/database.js';
import { eventually, settled } from '../support/eventually.js';
import { APP_SECRET } from '../support/guia-body.js';
import { Lives, PLACE } from '../support/lives.js';
import { useOperatorCommands } from '../support/operator-commands.js';
import { PanelBrowser } from '../support/panel.js';
import { expectProblem } from '../support/problem.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';
import { createHookedApp, FAILURE, type Hooks, type HookedApp } from '../support/webhooks.js';

const GUIAS = '/api/v1/guias';

/** An app of its own: endpoints end by what all merchants have, and the console has users. */
describe('a merchant that is closed', () => {
  let hooked: HookedApp;
  let test: TestApp;
  let hooks: Hooks;
  let eva: Console;
  const { run, guias } = useOperatorCommands();

  beforeAll(async () => {
    hooked = await createHookedApp({ env: { BOARD_USERS: CONSOLE_USERS } });
    ({ test, hooks } = hooked);
    eva = new Console(test, 'eva');
  });
  afterAll(() => hooked.close());

  const closings = () => test.app.get(ClosingsService);
  const pageOf = ({ id }: TestMerchant) => `/admin/comercios/${id}`;
  const close = (merchant: TestMerchant) => eva.submit(pageOf(merchant), '/cerrar');
  const reopen = (merchant: TestMerchant) => eva.submit(pageOf(merchant), '/reabrir');
  const estadosOf = async ({ id }: TestMerchant) =>
    (
      await test.database.query<{ estado: string }>(
        'select estado from guias where comercio_id = $1 order by id',
        [id],
      )
    ).map(({ estado }) => estado);
  const endpointOf = async (id: string) =>
    (
      await test.database.query<{ activo: boolean; desactivado_por: string | null }>(
        'select activo, desactivado_por from webhooks where id = $1',
        [id],
      )
    )[0]!;
  /** As if its process had died a minute ago, before it cancelled anything. */
  const left = async ({ id }: TestMerchant) => {
    await closings().close(id, 'eva');
    await test.database.query(
      `update comercios set cerrado_en = cerrado_en - interval '1 minute' where id = $1`,
      [id],
    );
  };
  const lockWaits = () =>
    test.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  const heardAt = (at: string) => hooked.receiver.at(at).map(({ json }) => json.type as string);

  it('only reads by its keys, the test mode’s too, until it is opened again', async () => {
    const merchant = await test.merchant();
    const tester = await test.tester(merchant.id);
    const { id, guia } = await new Lives(test, merchant).in('recogido');
    const guiaOf = new Map([
      [merchant, guia],
      [tester, (await tester.post(GUIAS, guiaBody())).body.guia],
    ]);
    await close(merchant);
    for (const key of [merchant, tester]) {
      expect((await key.get(GUIAS)).status).toBe(200);
      // It only reads, by a POST.
      expect((await key.post('/api/v1/etiquetas', { guias: [guiaOf.get(key)] })).status).toBe(200);
      const refused = await key.post(GUIAS, guiaBody());
      expectProblem(refused, 'comercio_cerrado');
      expect(refused.body.detail).toContain('cerrado');
    }
    expectProblem(await merchant.patch(`${GUIAS}/${id}`, { notas: 'x' }), 'comercio_cerrado');
    expectProblem(await merchant.post('/api/v1/webhooks', { url: 'https://a.example' }), 'comercio_cerrado');
    expectProblem(await merchant.delete('/api/v1/webhooks/x'), 'comercio_cerrado');
    await merchant.get('/api/v1/webhooks/avisos');
    expect(
      await test.database.query('select escucha_desde from comercios where id = $1', [merchant.id]),
    ).toEqual([{ escucha_desde: null }]);
    await reopen(merchant);
    for (const key of [merchant, tester]) expect((await key.post(GUIAS, guiaBody())).status).toBe(201);
  });

  it('gets no guide after the commit, whatever another process still holds of its key', async () => {
    const other = await createTestApp({ database: test.database });
    try {
      const merchant = await test.merchant();
      const create = (over = {}) =>
        other.request(GUIAS, {
          method: 'POST',
          headers: { authorization: `Bearer ${merchant.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(guiaBody(over)),
        });
      expect((await create({ external_ref: 'uno' })).status).toBe(201);
      await close(merchant);
      // The other process has the key in its cache: the database decides.
      expectProblem(await create(), 'comercio_cerrado');
      expectProblem(await create({ external_ref: 'uno' }), 'comercio_cerrado');
      const lote = await other.request(`${GUIAS}/lote`, {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.key}`, 'content-type': 'text/csv' },
        body: 'telefono,departamento\n55551234,Guatemala',
      });
      if (lote.status === 200) expect(lote.body.creadas).toBe(0);
      expect(await estadosOf(merchant)).toEqual(['cancelado']);
      const endpoint = await other.request('/api/v1/webhooks', {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'https://tienda.example/avisos' }),
      });
      expectProblem(endpoint, 'comercio_cerrado');
    } finally {
      await other.close();
    }
  });

  it('has no open test twin, made before or after the closing', async () => {
    const merchants = test.app.get(MerchantsService);
    const [before, after] = [await test.merchant(), await test.merchant()];
    await withClient(test.database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('select from comercios where id = $1 for no key update', [before.id]);
      const closing = closings().close(before.id, 'eva');
      await eventually(async () => expect(await lockWaits()).toHaveLength(1));
      const twin = v7();
      await client.query(
        `insert into comercios (id, nombre, pais, prueba_de) select $1, nombre, pais, id from comercios where id = $2`,
        [twin, before.id],
      );
      await client.query('commit');
      expect((await closing).toSorted()).toEqual([before.id, twin].toSorted());
    });
    const known = (await merchants.find(after.id))!;
    await closings().close(after.id, 'eva');
    for (const one of [{ id: before.id }, known])
      expect((await merchants.testTwinOf(one)).cerrado_en).not.toBeNull();
    for (const { id } of [before, after]) await closings().finish(id);
  });

  it('waits for the creates that began before it, and cancels their guides', async () => {
    const merchant = await test.merchant();
    const model = await (await test.merchant()).post(GUIAS, guiaBody());
    await withClient(test.database.url, async (client) => {
      // As a create does whose statement began before the closing: it writes after it.
      await client.query('begin');
      const closing = close(merchant);
      await eventually(async () => expectProblem(await merchant.post(GUIAS, guiaBody()), 'comercio_cerrado'));
      await client.query(
        `insert into guias select (jsonb_populate_record(g, jsonb_build_object('comercio_id', $1::text, 'id', $2::text,
          'guia', '999999999991', 'estado', 'aceptado'))).* from guias g where id = $3`,
        [merchant.id, v7(), model.body.id],
      );
      await client.query('commit');
      await closing;
    });
    expect([...new Set(await estadosOf(merchant))]).toEqual(['cancelado']);
  });

  it('has the guides cancelled that are not picked up, by staff; all others go on', async () => {
    const merchant = await test.merchant();
    const lives = new Lives(test, merchant);
    const [waiting] = [await lives.create(), await lives.in('en_camino_a_recoger')];
    const out = await lives.in('en_ruta');
    await lives.in('entregado');
    const asked = await eva.page(pageOf(merchant));
    expect(asked).toContain('porque no se han recogido: 2 guías.');
    expect(asked).toContain('con la mensajería: 1 guía.');
    expect(asked).toContain('Por liquidar: Q');
    expect(await close(merchant)).toContain('Se cancelaron 2 guías');
    expect(await estadosOf(merchant)).toEqual(['cancelado', 'cancelado', 'en_ruta', 'entregado']);
    expect((await lives.events(waiting)).at(-1)).toMatchObject({
      tipo: 'guia.cancelada',
      actor: 'soporte',
      nota: 'El comercio cerró.',
    });
    const delivered = await (await test.operator()).move(out.id, { estado: 'entregado', cod_cobrado: 349.5 });
    expect(delivered.status).toBe(201);
    await reopen(merchant);
    expect(await estadosOf(merchant)).toEqual(['cancelado', 'cancelado', 'entregado', 'entregado']);
  });

  it('has nothing more cancelled once it is open again', async () => {
    const merchant = await test.merchant();
    const { id } = await new Lives(test, merchant).create();
    await closings().close(merchant.id, 'eva');
    await withClient(test.database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query('select from guias where id = $1 for update', [id]);
      const finished = closings().finish(merchant.id);
      await eventually(async () => expect(await lockWaits()).toHaveLength(1));
      await closings().reopen(merchant.id);
      await client.query('commit');
      expect(await finished).toBe(0);
    });
    expect(await estadosOf(merchant)).toEqual(['aceptado']);
  });

  it('says before what is to be settled, with the adjustments; its page is there without that, too', async () => {
    const merchant = await test.merchant();
    await test.database.query(
      `insert into ajustes (comercio_id, id, moneda, monto, motivo, creado_en) values ($1, $2, 'GTQ', 123.45, 'x', now())`,
      [merchant.id, v7()],
    );
    for (const path of [pageOf(merchant), `${pageOf(merchant)}/cuenta`]) {
      expect(await eva.page(path)).toMatch(/Por liquidar: Q\s?123\.45/);
      const failing = jest.spyOn(closings(), 'outlook').mockRejectedValueOnce(new Error('no'));
      expect(await eva.page(path)).toContain('No se pudo contar');
      failing.mockRestore();
    }
  });

  it('keeps an endpoint until it has heard of the cancellations, also by a retry, and of nothing later', async () => {
    const merchant = await test.merchant();
    const lives = new Lives(test, merchant);
    const endpoint = await hooks.quickEndpoint(merchant);
    const out = await lives.in('en_ruta');
    await lives.create();
    await settled(test);
    hooked.receiver.alwaysAt(endpoint.at, FAILURE);
    await close(merchant);
    const cancelled = await eventually(async () => {
      const found = (await hooks.of(endpoint)).find(({ evento }) => evento === 'guia.cancelada');
      expect(found).toMatchObject({ estado: 'pendiente', intentos: 1 });
      return found!;
    });
    const end = () => test.app.get(DeliveriesService).endClosed();
    await end();
    expect(await endpointOf(endpoint.id)).toEqual({ activo: true, desactivado_por: null });
    await (await test.operator()).move(out.id, { estado: 'intento_fallido', motivo: 'ausente' });
    await settled(test);
    hooked.receiver.alwaysAt(endpoint.at, {});
    await hooks.due(cancelled);
    await hooks.reached(cancelled, { estado: 'entregada' });
    await end();
    expect(await endpointOf(endpoint.id)).toEqual({ activo: false, desactivado_por: 'comercio' });
    expect((await hooks.of(endpoint)).map(({ evento }) => evento)).not.toContain('guia.estado_cambiado');
    expect(await eva.page(pageOf(merchant))).toContain('el comercio cerró');
    expect(await eva.submit(pageOf(merchant), '/liberar')).toContain('Reábralo antes');
    await reopen(merchant);
    expect((await endpointOf(endpoint.id)).activo).toBe(false);
    const active = await merchant.patch(endpoint.path, { activo: true });
    expect(active.body.webhook).toMatchObject({ activo: true, desactivado_por: null });
    await lives.create();
    await eventually(() => expect(heardAt(endpoint.at).at(-1)).toBe('guia.creada'));
  });

  it('ends its sessions of the panel; a new one only looks, and ends keys', async () => {
    const merchant = await test.merchant();
    const spare = await test.keyOf(merchant.id);
    const browser = await PanelBrowser.in(test, merchant);
    await close(merchant);
    const answer = await browser.get('/panel/guias');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/panel']);
    const again = await PanelBrowser.in(test, merchant);
    const list = await again.page('/panel/guias');
    expect(list).not.toContain('/panel/guias/nueva');
    expect(list).toContain('El comercio está cerrado');
    expect((await again.get('/panel/guias/nueva')).status).toBe(403);
    const page = await again.page('/panel/claves');
    const make = formOf(page, '/panel/claves');
    const refused = await again.post(make.action, { ...make.hidden, alcances: 'guias:leer' });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('cerrado')]);
    const end = formOf(page, `${spare.keyId}/terminar`);
    expect((await again.post(end.action, end.hidden)).status).toBe(303);
    await reopen(merchant);
  });

  it('is closed to its end by another process if the first one died', async () => {
    const merchant = await test.merchant();
    const lives = new Lives(test, merchant);
    await lives.create();
    const endpoint = await hooks.quickEndpoint(merchant);
    await closings().close(merchant.id, 'eva');
    await closings().finishLeft();
    expect(await estadosOf(merchant)).toEqual(['aceptado']);
    await left(merchant);
    expect(await eva.page(pageOf(merchant))).toContain('todavía se cancelan guías');
    await closings().finishLeft();
    // The sweep may have been faster to take it.
    await eventually(async () => expect(await estadosOf(merchant)).toEqual(['cancelado']));
    await settled(test);
    await hooks.idle(endpoint);
    await test.app.get(DeliveriesService).endClosed();
    expect(await endpointOf(endpoint.id)).toEqual({ activo: false, desactivado_por: 'comercio' });
    expect(heardAt(endpoint.at)).toContain('guia.cancelada');
  });

  it('is closed to its end though another closing fails; not by two processes, nor by one that stops', async () => {
    const merchants = [await test.merchant(), await test.merchant(), await test.merchant()];
    const [failing, next, elsewhere] = merchants as [TestMerchant, TestMerchant, TestMerchant];
    for (const merchant of merchants) {
      await new Lives(test, merchant).create();
      await left(merchant);
    }
    await test.database.query('update comercios set cierre_visto_en = now() where id = $1', [elsewhere.id]);
    await closings().finishLeft(AbortSignal.abort());
    expect(await closings().finish(next.id, AbortSignal.abort())).toBe(0);
    expect(await estadosOf(next)).toEqual(['aceptado']);
    const finish = jest.spyOn(closings(), 'finish').mockRejectedValueOnce(new Error('no'));
    await closings().finishLeft();
    finish.mockRestore();
    expect(await estadosOf(failing)).toEqual(['aceptado']);
    expect(await estadosOf(next)).toEqual(['cancelado']);
    expect(await estadosOf(elsewhere)).toEqual(['aceptado']);
    for (const { id } of merchants) await closings().finish(id);
  });

  it('is closed by admins alone, after a question, once for each form; pages and lists say that it is closed', async () => {
    const merchant = await test.merchant();
    const ana = new Console(test);
    expect(await ana.page(pageOf(merchant))).not.toContain('/cerrar');
    expect((await ana.post(`${pageOf(merchant)}/cerrar`, {})).status).toBe(403);
    const { action, hidden } = formOf(await eva.page(`${pageOf(merchant)}/cuenta`), '/cerrar');
    await eva.after(await eva.post(action, hidden));
    await reopen(merchant);
    await eva.after(await eva.post(action, hidden));
    expect((await merchant.post(GUIAS, guiaBody(PLACE))).status).toBe(201);
    await close(merchant);
    for (const path of [pageOf(merchant), `${pageOf(merchant)}/cuenta`, `/admin/comercios?q=${merchant.id}`])
      expect(await eva.page(path)).toMatch(/<span class="badge off">cerrado/);
    expect(await eva.page(`${pageOf(merchant)}/cuenta`)).not.toContain('Nueva clave');
    expect((await eva.actions()).slice(0, 3).map(({ accion }) => accion)).toEqual([
      'cerrar_comercio',
      'reabrir_comercio',
      'cerrar_comercio',
    ]);
  });

  it('is closed, handed its data and opened again by commands', async () => {
    const env = { DATABASE_URL: test.database.url, APP_SECRET };
    const merchant = await test.merchant();
    const lives = new Lives(test, merchant);
    const due = await lives.create({ nombre: '=Ana', cod_amount: 349.5 });
    const out = await lives.in('en_ruta', { cod_amount: 100 });
    await (await test.operator()).move(out.id, { estado: 'entregado', cod_cobrado: 100 });
    const closed = await guias(['merchants', 'close', merchant.id], env);
    expect(closed).toMatchObject({ merchant_id: merchant.id, cancelled: 1, going_on: 0 });
    expect(closed.closed_at).toMatch(/^\d{4}-/);
    expect((await lives.events(due)).at(-1)).toMatchObject({ tipo: 'guia.cancelada', actor: 'sistema' });
    expect(await guias(['merchants', 'close', merchant.id], env)).toEqual({ ...closed, cancelled: 0 });
    const refused = await run(['keys', 'create', '--merchant', merchant.id, '--json'], env);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('merchants reopen');
    const folder = await mkdtemp(join(tmpdir(), 'guias-export-'));
    try {
      const made = await guias(['merchants', 'export', merchant.id, join(folder, 'a', 'b')], env);
      expect(made.files).toEqual([
        ...['guias.csv', 'historial.csv', 'cobros.csv', 'ajustes.csv', 'liquidaciones.csv'],
      ]);
      const read = (name: string) => readFile(join(made.folder, name), 'utf8');
      const { mode } = await stat(join(made.folder, 'guias.csv'));
      expect(mode & 0o777).toBe(0o600);
      expect(await read('guias.csv')).toBe((await merchant.get(GUIAS, { accept: 'text/csv' })).text);
      expect(await read('guias.csv')).toContain("'=Ana");
      expect(await read('cobros.csv')).toBe(
        (await merchant.get('/api/v1/cobros', { accept: 'text/csv' })).text,
      );
      const history = (await read('historial.csv')).split('\r\n');
      expect(history[0]).toMatch(/^guia,id,secuencia,tipo,actor,ocurrido_en/);
      expect(history.filter((line) => line.includes(',guia.cancelada,'))).toHaveLength(1);
      expect(history).toHaveLength(2 + (await lives.events(due)).length + (await lives.events(out)).length);
      expect(await read('ajustes.csv')).toBe('id,guia,moneda,monto,motivo,creado_en,liquidacion\r\n');
      expect(await read('liquidaciones.csv')).toMatch(/^id,comercio,moneda,guias,cobrado/);
      const failed = await run(['merchants', 'export', merchant.id, '/dev/null/x'], env);
      expect([failed.code, failed.stderr.split('\n').length]).toEqual([1, 2]);
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(await guias(['merchants', 'reopen', merchant.id], env)).not.toHaveProperty('closed_at');
    expect((await guias(['keys', 'create', '--merchant', merchant.id], env)).api_key).toMatch(/^gk_live_/);
  });
});
