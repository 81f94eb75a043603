import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { seedGuias } from '../support/guias-seed.js';
import { Lives } from '../support/lives.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { crowdOnGuia } from '../support/row-queue.js';
import { createTestApp, type Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const EVENTOS = '/api/v1/operaciones/eventos';
const LIMIT = 512 * 1024;
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const MOVE = { estado: 'en_camino_a_recoger' };
/** Of the operator, whose refs are the same in every process. */
const NAME = 'La de los lotes';

describe('a batch of events', () => {
  const test = useSharedApp();
  const operator = opened(() => test.operator(NAME));
  const lives = opened(async () => new Lives(test, await test.merchant()));

  const send = (eventos: unknown) => operator.post(EVENTOS, { eventos });
  /** The status of each result: 201 for a new event, 200 for a repeat. */
  const statuses = ({ status, body }: Answer): number[] => {
    expect([status, body.ok]).toEqual([200, true]);
    return body.resultados.map((one: any) => (one.ok ? (one.duplicado ? 200 : 201) : one.status));
  };
  const faultsOf = (result: any) => result.errores.map(({ campo, codigo }: any) => `${campo}: ${codigo}`);

  it.each([1, 100])('of %d events has a result for each, in order', async (count) => {
    const { merchant } = lives;
    await seedGuias(test.database, merchant.id, { count, at: String(Date.now()) });
    const guias = await test.database.query<{ id: string; guia: string }>(
      'select id, guia from guias where comercio_id = $1 order by creada_en desc limit $2',
      [merchant.id, count],
    );
    const answer = await send(guias.map(({ guia }, i) => ({ guia, ...MOVE, ref: `r-${i}` })));
    expect(statuses(answer)).toEqual(Array(count).fill(201));
    expect(Object.keys(answer.body)).toEqual(['ok', 'resultados']);
    expect(answer.body.resultados).toEqual(
      guias.map((guia) => ({
        ok: true,
        ...guia,
        evento: expect.any(String),
        secuencia: 2,
        estado: 'en_camino_a_recoger',
        estado_anterior: 'aceptado',
        aplicado: true,
      })),
    );
  });

  it.each<[what: string, body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
    ['no events', { eventos: [] }, ['eventos: fuera_de_rango']],
    ['101 events', { eventos: Array(101).fill({ guia: 'x', ...MOVE }) }, ['eventos: fuera_de_rango']],
    ['null in place of the list', { eventos: null }, ['eventos: requerido']],
    [
      'an event in place of a batch',
      { guia: 'x', ...MOVE },
      ['eventos: requerido', 'guia: campo_desconocido', 'estado: campo_desconocido'],
    ],
    ['a list in place of a batch', [{ guia: 'x', ...MOVE }], ['cuerpo: tipo']],
  ])('is refused as a whole: %s', async (_, body, faults) => {
    expectFaults(await operator.post(EVENTOS, body), faults);
  });

  it('applies the events of a guide by their time, and answers in the order sent', async () => {
    const { guia, id } = await lives.create();
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const answer = await send([
      { guia, estado: 'en_ruta' },
      { guia, estado: 'recogido', ocurrido_en: at(20) },
      { guia, estado: 'en_camino_a_recoger', ocurrido_en: at(30) },
      { guia: id, estado: 'en_camino_a_recoger', ocurrido_en: at(40) },
      { guia: id, estado: 'aceptado', ocurrido_en: at(35) },
    ]);
    expect(statuses(answer)).toEqual([201, 201, 201, 201, 201]);
    expect(answer.body.resultados.map(({ secuencia }: any) => secuencia)).toEqual([6, 5, 4, 2, 3]);
  });

  it('continues after a refused event; each result is what a single request would get', async () => {
    const [one, two, three] = [await lives.create(), await lives.create(), await lives.in('entregado')];
    const items = [
      { guia: one.guia, ...MOVE },
      { guia: one.guia, estado: 'entregado' },
      { guia: UNKNOWN, ...MOVE },
      { guia: three.id, estado: 'en_ruta' },
      { guia: two.id, estado: 'x', lat: 91 },
      { ...MOVE },
      { guia: two.id, ...MOVE },
    ];
    const answer = await send(items);
    expect(statuses(answer)).toEqual([201, 409, 404, 409, 400, 400, 201]);
    const { resultados } = answer.body;
    expect(resultados[1]).toEqual({
      ok: false,
      status: 409,
      codigo: 'transicion_invalida',
      detail: expect.stringContaining('recogido, aceptado, cancelado'),
      errores: [expect.objectContaining({ campo: 'estado' })],
    });
    expect(resultados[2]).toEqual({
      ok: false,
      status: 404,
      codigo: 'no_encontrado',
      detail: expect.any(String),
    });
    expect(faultsOf(resultados[4])).toEqual(['estado: formato', 'lat: fuera_de_rango', 'lng: incompleto']);
    expect(faultsOf(resultados[5])).toEqual(['guia: requerido']);
    for (const i of [1, 2, 3, 4]) {
      const { guia, ...body } = items[i] as { guia: string };
      const { status, codigo, detail, errores } = (await operator.move(guia, body)).body;
      expect({ ok: false, status, codigo, detail, ...(errores && { errores }) }).toEqual(resultados[i]);
    }
    expect((await lives.events(one)).map(({ estado }) => estado)).toEqual([
      'aceptado',
      'en_camino_a_recoger',
    ]);
    expect((await lives.read(two)).guia.estado).toBe('en_camino_a_recoger');
  });

  it('may repeat its own events, and be repeated as a whole: nothing is recorded twice', async () => {
    const guia = await lives.create();
    const items = [
      { guia: guia.id, ...MOVE, ref: 'a' },
      { guia: guia.guia, ...MOVE, ref: 'a' },
      { guia: guia.id, estado: 'recogido', ref: 'b' },
      { guia: guia.id, ...MOVE, ref: 'a' },
    ];
    const first = await send(items);
    expect(statuses(first)).toEqual([201, 200, 201, 200]);
    const again = await send(items);
    expect(statuses(again)).toEqual([200, 200, 200, 200]);
    const ids = (answer: Answer) => answer.body.resultados.map(({ evento }: any) => evento);
    expect(ids(again)).toEqual(ids(first));
    expect(await lives.events(guia)).toHaveLength(3);
  });

  it('sent four times simultaneously records each event once', async () => {
    const guias = await Promise.all(Array.from({ length: 5 }, () => lives.create()));
    const items = guias.map(({ id }, i) => ({ guia: id, ...MOVE, ref: `vez-${i}` }));
    const answers = await crowdOnGuia(
      test.database,
      guias[0]!.id,
      Array.from({ length: 4 }, () => () => send(items)),
    );
    const all = answers.flatMap(statuses);
    expect(
      [all.filter((status) => status === 201), all.filter((status) => status === 200)].map(
        ({ length }) => length,
      ),
    ).toEqual([5, 15]);
    for (const guia of guias) expect(await lives.events(guia)).toHaveLength(2);
  });

  describe('that the database holds up', () => {
    const LIMIT_MS = 4_000;

    const hurried = opened(() =>
      createTestApp({ database: test.database, timeLimits: { answer: LIMIT_MS } }),
    );
    const courier = opened(() => hurried.operator(NAME));

    /** Locks a guide; `blocks` resolves once a statement waits for it. */
    const lock = async (client: pg.Client, { id }: { id: string }) => {
      await client.query('begin');
      await client.query('select from guias where id = $1 for update', [id]);
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const waiting = 'select pid from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))';
      return {
        blocks: () =>
          eventually(async () => {
            const found = await test.database.query<{ pid: number }>(waiting, [rows[0]!.pid]);
            expect(found).toHaveLength(1);
            return found[0]!.pid;
          }),
      };
    };
    const newItems = async (prefix: string) => {
      const guias = await Promise.all(Array.from({ length: 4 }, () => lives.create()));
      const items = guias.map(({ id }, i) => ({ guia: id, ...MOVE, ref: `${prefix}-${i}` }));
      return { guias, items };
    };
    const expectLate = (results: any[]) => {
      for (const { detail } of results) expect(detail).toMatch(/Repita este evento/);
    };

    it('is answered when it is due with what was recorded and what was not, and may be sent again', async () => {
      const { guias, items } = await newItems('lenta');
      await withClient(test.database.url, (one) =>
        withClient(test.database.url, async (other) => {
          const second = await lock(one, guias[1]!);
          const third = await lock(other, guias[2]!);
          const answer = courier.post(EVENTOS, { eventos: items });
          await second.blocks();
          await one.query('rollback');
          await third.blocks();
          // A guide that is held up holds up no other.
          expect(statuses(await answer)).toEqual([201, 201, 503, 201]);
          expectLate([(await answer).body.resultados[2]]);
        }),
      );
      const again = statuses(await send(items));
      // The third may have been recorded once its guide was free.
      expect(again.toSpliced(2, 1)).toEqual([200, 200, 200]);
      for (const guia of guias) expect(await lives.events(guia)).toHaveLength(2);
    });

    it('before its first event is answered when it is due as well', async () => {
      const { items } = await newItems('llave');
      const fresh = await hurried.operator(NAME);
      await withClient(test.database.url, (one) =>
        withClient(test.database.url, async (other) => {
          await one.query('begin; lock table guias in access exclusive mode');
          await other.query('begin; lock table claves_api in access exclusive mode');
          const answer = fresh.post(EVENTOS, { eventos: items });
          await sleep(LIMIT_MS / 2);
          await other.query('rollback');
          expect(statuses(await answer)).toEqual([503, 503, 503, 503]);
          expectLate((await answer).body.resultados);
          await one.query('rollback');
        }),
      );
    });

    it('until its connection breaks says to repeat that event and those of its guide after it', async () => {
      const { guias, items } = await newItems('rota');
      items.push({ guia: guias[1]!.id, estado: 'recogido', ref: 'rota-4' });
      await withClient(test.database.url, async (client) => {
        const second = await lock(client, guias[1]!);
        const answer = send(items);
        await test.database.query('select pg_terminate_backend($1)', [await second.blocks()]);
        expect(statuses(await answer)).toEqual([201, 503, 201, 201, 503]);
        const { resultados } = (await answer).body;
        expectLate([resultados[1], resultados[4]]);
      });
      expect(statuses(await send(items))).toEqual([200, 201, 200, 200, 201]);
    });
  });

  it.each(['null', '[[]]', '1e400'])(
    'with %s in place of an event refuses that one and records the others',
    async (element) => {
      const [one, two] = [await lives.create(), await lives.create()];
      const item = (guia: string) => JSON.stringify({ guia, ...MOVE });
      const answer = await operator.post(
        EVENTOS,
        `{"eventos": [${item(one.id)}, ${element}, ${item(two.id)}]}`,
      );
      expect(statuses(answer)).toEqual([201, 400, 201]);
      expect(answer.body.resultados[1].codigo).toBe('validacion');
    },
  );

  describe('of a large size', () => {
    /** Pads a body with spaces to this many bytes. */
    const padTo = (body: string, length: number) => body + ' '.repeat(length - Buffer.byteLength(body));

    it('takes 100 events with the longest notes and refs, in four-byte characters', async () => {
      const { id } = await lives.create();
      const longest = {
        guia: id,
        ...MOVE,
        nota: '😀'.repeat(500),
        ref: '😀'.repeat(100),
        lat: -14.123456789012,
        lng: -90.123456789012,
      };
      const answer = await send(Array(100).fill(longest));
      expect(statuses(answer)).toEqual([201, ...Array<number>(99).fill(200)]);
    });

    it('takes 512 KiB', async () => {
      const { id } = await lives.create();
      const body = padTo(JSON.stringify({ eventos: [{ guia: id, ...MOVE }] }), LIMIT);
      expect(statuses(await operator.post(EVENTOS, body))).toEqual([201]);
    });

    it('refuses one byte more with 413, and records nothing', async () => {
      const guia = await lives.create();
      const body = padTo(JSON.stringify({ eventos: [{ guia: guia.id, ...MOVE }] }), LIMIT + 1);
      const answer = await operator.post(EVENTOS, body);
      expectProblem(answer, 'cuerpo_demasiado_grande');
      expect(answer.body.detail).toMatch(/512 KiB\. Divida el lote/);
      expect(await lives.events(guia)).toHaveLength(1);
    });
  });
});
