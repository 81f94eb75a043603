import { DispatcherService } from '../../src/platform/events/dispatcher.service.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { eventually } from '../support/eventually.js';
import { guiaBody } from '../support/test-app.js';
import { useTestApp } from '../support/use.js';

const AUTH = { authorization: `Basic ${Buffer.from('ana:clave-de-ana').toString('base64')}` };

/** One event in ten cannot be dispatched; there are as many of each of three kinds. */
const EVENTS = 30;

describe('events that cannot be dispatched', () => {
  // Of its own: rules of the schema are dropped.
  const test = useTestApp({ env: { ROLE: 'all', BOARD_USERS: 'ana:clave-de-ana' } });
  /** Guide numbers. */
  const guias: { good: string[]; poison: string[] } = { good: [], poison: [] };
  /** The event ids of each kind. */
  const poison = { unknown: [] as string[], defect: [] as string[], refused: [] as string[] };

  const metric = async (name: string) => {
    const { text } = await test.request('/metrics');
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
  };

  beforeAll(async () => {
    const { database } = test;
    const relay = test.app.get(RelayService);
    await database.query('alter domain evento_tipo drop constraint evento_tipo_check');
    await database.query('alter domain telefono_e164 drop constraint telefono_e164_check');
    // A subscriber that throws on the payload.
    const isDefect = new Set<string>();
    test.app.get(DispatcherService).subscribe(['guia.creada'], (eventos) => {
      if (eventos.some(({ id }) => isDefect.has(id))) throw new TypeError('no function');
      return Promise.resolve([]);
    });
    await relay.beforeApplicationShutdown();
    const merchant = await test.merchant();
    for (let n = 0; n < EVENTS; n++) {
      const { guia, id } = (await merchant.post('/api/v1/guias', guiaBody())).body;
      const kind =
        n % 10 === 3 ? (['unknown', 'defect', 'refused'] as const)[Math.floor(n / 10)]! : undefined;
      if (kind === undefined) guias.good.push(guia);
      else {
        guias.poison.push(guia);
        poison[kind].push(id);
      }
    }
    poison.defect.forEach((id) => isDefect.add(id));
    await database.query(`update eventos set tipo = 'guia.de_otra_version' where id = any ($1)`, [
      poison.unknown,
    ]);
    // The message cannot be inserted.
    await database.query(`update guias set telefono = '12' where id = any ($1)`, [poison.refused]);
    relay.start();
    await eventually(async () => {
      expect(await database.query('select from eventos_pendientes')).toEqual([]);
    });
  });

  it('do not block other events: every other recipient is asked', async () => {
    const asked = await test.database.query<{ guia: string }>(
      `select g.guia from mensajes m join guias g on g.id = m.guia_id order by g.guia`,
    );
    const numbers = asked.map(({ guia }) => guia);
    expect(numbers).toEqual(expect.arrayContaining(guias.good));
  });

  it('are still delivered to their other subscribers', async () => {
    const asked = await test.database.query('select from mensajes where id = any ($1)', [poison.defect]);
    expect(asked).toHaveLength(poison.defect.length);
  });

  it('are counted in the metrics and by /readyz, and no longer as waiting', async () => {
    expect(await metric('outbox_parked')).toBe(guias.poison.length);
    // Messages that are being sent make events of their own, which wait for a moment.
    await eventually(async () => expect(await metric('outbox_oldest_seconds')).toBe(0));
    const { status, body } = await test.request('/readyz');
    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, eventos_apartados: guias.poison.length },
    });
  });

  it('are listed for staff with type, guide, merchant, cause and next try', async () => {
    const { status, text } = await test.request('/admin/eventos', { headers: AUTH });
    expect(status).toBe(200);
    for (const shown of [
      `Eventos apartados: ${guias.poison.length}`,
      ...Object.values(poison).flat(),
      ...guias.poison.map((guia) => `/admin/guias/${guia}`),
      ...['guia.de_otra_version', 'Se creó la guía', 'Tienda', '23514', 'TypeError', 'no conoce ese tipo'],
    ])
      expect(text).toContain(shown);
    expect(text).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z/);
  });

  it('are listed for staff alone', async () => {
    const merchant = await test.merchant();
    expect((await test.request('/admin/eventos')).status).toBe(401);
    expect((await merchant.get('/admin/eventos')).status).toBe(401);
  });

  it('are dispatched once their cause is gone', async () => {
    await test.database.query(`update guias set telefono = '+50255551234' where id = any ($1)`, [
      poison.refused,
    ]);
    await test.database.query('update eventos set proximo_en = now() where id = any ($1)', [poison.refused]);
    await eventually(async () => {
      const asked = await test.database.query('select from mensajes where id = any ($1)', [poison.refused]);
      expect(asked).toHaveLength(poison.refused.length);
    });
  });
});
