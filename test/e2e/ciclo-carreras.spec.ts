import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import { GUIA_ESTADOS, nextEstados, type GuiaEstado } from '../../src/guias/guia-estado.js';
import { expectSoundHistory, see } from '../support/history.js';
import { Lives } from '../support/lives.js';
import {
  client,
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestOperator,
} from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const EVENTOS = '/api/v1/operaciones/eventos';
const COD = 50;

/** What one actor does next: moves to a state, or to one of those that seem legal from what was read just now. */
type Action =
  | { do: 'move'; to: GuiaEstado | number; ref?: string; isLate: boolean; cod_cobrado?: number }
  | { do: 'batch'; tos: GuiaEstado[]; ref?: string }
  | { do: 'cancel' }
  | { do: 'patch'; what: 'notas' | 'telefono' | 'place'; hasTag: boolean }
  | { do: 'confirm' };

const anyEstado = fc.constantFrom(...GUIA_ESTADOS);
/** Most often forward, where there is a way: to be cancelled at once is a short life. */
const anyNext = fc.constantFrom(0, 0, 0, 0, 1, 2);
const anyRef = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined, freq: 2 });
const anyMove: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('move' as const),
  to: fc.oneof({ weight: 5, arbitrary: anyNext }, { weight: 1, arbitrary: anyEstado }),
  ref: anyRef,
  isLate: fc.constantFrom(true, false, false, false, false),
  cod_cobrado: fc.constantFrom(undefined, COD, 1),
});
const anyBatch: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('batch' as const),
  tos: fc.array(anyEstado, { minLength: 2, maxLength: 4 }),
  ref: anyRef,
});
const anyPatch: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('patch' as const),
  what: fc.constantFrom('notas' as const, 'notas' as const, 'telefono' as const, 'place' as const),
  hasTag: fc.boolean(),
});
const anyAction = fc.oneof(
  { weight: 20, arbitrary: anyMove },
  { weight: 3, arbitrary: anyBatch },
  { weight: 6, arbitrary: anyPatch },
  { weight: 4, arbitrary: fc.constant<Action>({ do: 'confirm' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'cancel' }) },
);
const SIX = { minLength: 6, maxLength: 6 };
/** Six actors at once, each with eight things to do one after the other. */
const anyScripts = fc.array(fc.array(anyAction, { minLength: 8, maxLength: 8 }), SIX);

describe('a guide under many hands', () => {
  let test: TestApp;
  let second: TestApp;
  let lives: Lives;
  let operators: TestOperator[];
  let counter = 0;

  beforeAll(async () => {
    // Without workers: nothing but the actors changes a guide.
    const env = { ROLE: 'api', TRUST_PROXY: '1' };
    test = await createTestApp({ env });
    second = await createTestApp({ env, database: test.database });
    lives = new Lives(test, await test.merchant());
    operators = [await test.operator('Una'), await test.operator('Otra')];
  });
  afterAll(async () => {
    await second.close();
    await test.close();
  });

  const newGuia = async () => {
    const { body } = await lives.merchant.post(GUIAS, guiaBody({ cod_amount: COD }));
    const mensajeId = randomUUID();
    const confirmations = test.app.get(ConfirmationsService);
    await confirmations.mint([
      { mensajeId, secuencia: 1_000, comercioId: lives.merchant.id, guiaId: body.id },
    ]);
    return {
      id: body.id as string,
      path: `${GUIAS}/${body.id}`,
      link: `/c/${confirmations.token(mensajeId)}`,
    };
  };
  type Guia = Awaited<ReturnType<typeof newGuia>>;

  /** What was answered, with what it was about. */
  interface Done {
    action: Action;
    operator: number;
    status: number;
    body: any;
    headers: Headers;
  }

  const perform = async (actor: number, action: Action, guia: Guia): Promise<Done[]> => {
    const door = actor % 2 ? second : test;
    const operator = (actor >> 1) % 2;
    const merchant = client(door.request, lives.merchant.key);
    const mover = client(door.request, operators[operator]!.key);
    const done = ({ status, body, headers }: Answer): Done => ({ action, operator, status, body, headers });
    const read = () => merchant.get(guia.path);
    switch (action.do) {
      case 'move': {
        const { to, ref, isLate, cod_cobrado } = action;
        const { estado: actual } = (await read()).body.guia as { estado: GuiaEstado };
        const next = nextEstados(actual);
        const estado = typeof to === 'string' ? to : (next[to % next.length] ?? actual);
        const body = {
          ...{ estado, ref },
          ...(isLate && { ocurrido_en: '2020-01-01T00:00:00Z' }),
          ...(estado === 'entregado' && { cod_cobrado }),
        };
        return [done(await mover.post(`/api/v1/operaciones/guias/${guia.id}/eventos`, body))];
      }
      case 'batch': {
        const eventos = action.tos.map((estado) => ({ guia: guia.id, estado, ref: action.ref }));
        const answer = await mover.post(EVENTOS, { eventos });
        return answer.body.resultados.map((body: any) => ({
          ...done(answer),
          body,
          status: body.ok ? (body.duplicado ? 200 : 201) : body.status,
        }));
      }
      case 'cancel':
        return [done(await merchant.post(`${guia.path}/cancelar`))];
      case 'patch': {
        const n = ++counter;
        const body = {
          notas: { notas: `nota ${n}` },
          telefono: { telefono: `+5024${String(n).padStart(7, '0')}` },
          place: { lat: 14 + n / 1e6, lng: -90.5 },
        };
        const tag = action.hasTag ? { 'if-match': (await read()).headers.get('etag')! } : undefined;
        return [done(await merchant.patch(guia.path, body[action.what], tag))];
      }
      case 'confirm': {
        const n = ++counter;
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
        };
        const body = JSON.stringify({ lat: 14 + n / 1e6, lng: -90.5 });
        return [done(await door.request(guia.link, { method: 'POST', headers, body }))];
      }
    }
  };

  const STATUSES: Record<Action['do'], number[]> = {
    move: [200, 201, 409],
    batch: [200, 201, 409],
    cancel: [200, 409],
    patch: [200, 409, 412],
    confirm: [200, 404],
  };

  it('never reaches an illegal state, loses no event, and its history gives its state', async () => {
    const seenStatuses: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(anyScripts, async (scripts) => {
        const guia = await newGuia();
        const all = (
          await Promise.all(
            scripts.map(async (script, actor) => {
              const done: Done[] = [];
              for (const action of script) done.push(...(await perform(actor, action, guia)));
              return done;
            }),
          )
        ).flat();
        const seen = await see(lives, guia);
        expectSoundHistory(seen);

        for (const { action, status } of all) {
          seenStatuses[`${action.do} ${status}`] = (seenStatuses[`${action.do} ${status}`] ?? 0) + 1;
          expect([action.do, ...STATUSES[action.do]]).toEqual(expect.arrayContaining([action.do, status]));
        }
        const of = (kind: Action['do'], status: number) =>
          all.filter(({ action, status: got }) => action.do === kind && got === status);
        const moves = [...of('move', 201), ...of('batch', 201)];
        const repeats = [...of('move', 200), ...of('batch', 200)];
        const told = (tipo: string, actor: string) =>
          seen.events.filter((event) => event.tipo === tipo && event.actor === actor);

        // What was acknowledged is there once, as it was said; and nothing else is.
        const recorded = new Map(seen.events.map((event) => [event.id, event]));
        for (const { body } of moves)
          expect(recorded.get(body.evento)).toMatchObject({
            secuencia: body.secuencia,
            tipo: body.aplicado ? expect.stringMatching(/estado_cambiado|cancelada/) : 'guia.evento_tardio',
            estado_anterior: body.estado_anterior,
          });
        expect(new Set(moves.map(({ body }) => body.evento)).size).toBe(moves.length);
        expect(moves.length + told('guia.cancelada', 'comercio').length).toBe(
          seen.events.filter(({ tipo }) =>
            ['guia.estado_cambiado', 'guia.cancelada', 'guia.evento_tardio'].includes(tipo),
          ).length,
        );
        const byMerchant = told('guia.cancelada', 'comercio').length;
        if (of('cancel', 200).length > 0) expect(seen.guia.estado).toBe('cancelado');
        expect(byMerchant).toBeLessThanOrEqual(Math.min(1, of('cancel', 200).length));
        expect(told('guia.actualizada', 'comercio')).toHaveLength(of('patch', 200).length);
        expect(told('guia.confirmada', 'destinatario')).toHaveLength(of('confirm', 200).length);

        // A ref is one event for each operator.
        const byRef = new Map<string, Set<unknown>>();
        for (const { action, operator, body } of [...moves, ...repeats]) {
          const { ref } = action as { ref?: string };
          if (ref !== undefined)
            byRef.set(`${operator} ${ref}`, (byRef.get(`${operator} ${ref}`) ?? new Set()).add(body.evento));
        }
        expect([...byRef.values()].filter(({ size }) => size !== 1)).toEqual([]);
        for (const { body } of repeats) expect(recorded.has(body.evento)).toBe(true);
      }),
      // Another run of the same script is another race: there is nothing to shrink.
      { numRuns: 20, endOnFailure: true },
    );
    // The scripts did what they are for.
    for (const [kind, statuses] of Object.entries(STATUSES))
      for (const status of statuses) expect(Object.keys(seenStatuses)).toContain(`${kind} ${status}`);
  }, 60_000);
});
