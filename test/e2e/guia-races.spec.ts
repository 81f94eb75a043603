import fc from 'fast-check';
import { GUIA_ESTADOS, type GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { GuiaActors, type Action, type Done } from '../support/guia-actors.js';
import { expectSoundHistory, see } from '../support/history.js';
import { anySteps, COD, type Model, type Real } from '../support/life-model.js';
import { Lives } from '../support/lives.js';
import { propertyRuns } from '../support/property-runs.js';
import { mintLink } from '../support/recipient-link.js';
import { queueOnGuia } from '../support/row-queue.js';
import { guiaBody, type TestApp, type TestOperator } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

const anyEstado = fc.constantFrom(...GUIA_ESTADOS);
/** Mostly the first legal state, so that few lives end in an early cancellation. */
const anyNext = fc.constantFrom(0, 0, 0, 0, 1, 2);
const anyRef = fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined, freq: 2 });
const anyMove: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('move' as const),
  to: fc.oneof({ weight: 5, arbitrary: anyNext }, { weight: 1, arbitrary: anyEstado }),
  ref: anyRef,
  isLate: fc.constantFrom(true, false, false, false, false),
  cod_cobrado: fc.constantFrom(COD, 1),
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
/** Six actors at once; each performs eight actions one after the other. */
const anyScripts = fc.array(fc.array(anyAction, { minLength: 8, maxLength: 8 }), {
  minLength: 6,
  maxLength: 6,
});

const STATUSES: Record<Action['do'], number[]> = {
  ...{ move: [200, 201, 409], batch: [200, 201, 409], cancel: [200, 409], patch: [200, 409, 412] },
  confirm: [200, 404, 409],
};

const ON_THE_WAY: GuiaEstado[] = ['en_camino_a_recoger'];
const PICKED_UP: GuiaEstado[] = [...ON_THE_WAY, 'recogido'];
const OUT: GuiaEstado[] = [...PICKED_UP, 'en_ruta'];

const move = (to: GuiaEstado, ref?: string): Action => ({ do: 'move', to, ref, cod_cobrado: COD });
const batch = (tos: GuiaEstado[], ref?: string): Action => ({ do: 'batch', tos, ref });
const patch = (what: 'notas' | 'telefono' | 'place', hasTag = false): Action => ({
  do: 'patch',
  what,
  hasTag,
});
const CANCEL: Action = { do: 'cancel' };
const CONFIRM: Action = { do: 'confirm' };

const nameOf = (action: Action) => {
  const ref = 'ref' in action && action.ref !== undefined ? ` with ref ${action.ref}` : '';
  switch (action.do) {
    case 'move':
      return `move to ${action.to}${ref}`;
    case 'batch':
      return `batch of ${action.tos.join(', ')}${ref}`;
    case 'patch':
      return `patch of ${action.what}${action.hasTag ? ' with If-Match' : ''}`;
    default:
      return action.do;
  }
};

/** Two requests in flight together, the first of which takes effect first. */
const RACES: [through: GuiaEstado[], actions: [Action, Action], statuses: [number[], number[]]][] = [
  [[], [move('en_camino_a_recoger'), move('en_camino_a_recoger')], [[201], [409]]],
  [[], [move('en_camino_a_recoger', 'a'), move('en_camino_a_recoger', 'a')], [[201], [200]]],
  [[], [batch(['en_camino_a_recoger']), batch(['en_camino_a_recoger'])], [[201], [409]]],
  [[], [batch(['en_camino_a_recoger'], 'a'), batch(['en_camino_a_recoger'], 'a')], [[201], [200]]],
  [[], [move('en_camino_a_recoger', 'a'), batch(['en_camino_a_recoger'], 'a')], [[201], [200]]],
  [[], [CANCEL, move('en_camino_a_recoger')], [[200], [409]]],
  [[], [CANCEL, batch(['en_camino_a_recoger'])], [[200], [409]]],
  [[], [CANCEL, CANCEL], [[200], [200]]],
  [[], [move('cancelado'), CANCEL], [[201], [200]]],
  [[], [CANCEL, move('cancelado')], [[200], [200]]],
  [[], [move('cancelado'), move('cancelado')], [[201], [200]]],
  [ON_THE_WAY, [move('recogido'), CANCEL], [[201], [409]]],
  [[], [patch('notas', true), patch('notas', true)], [[200], [412]]],
  [[], [patch('notas'), patch('notas')], [[200], [200]]],
  [[], [move('en_camino_a_recoger'), patch('notas', true)], [[201], [412]]],
  [PICKED_UP, [move('en_ruta'), patch('telefono')], [[201], [409]]],
  [PICKED_UP, [move('en_ruta'), patch('notas')], [[201], [200]]],
  [[], [CANCEL, patch('place')], [[200], [409]]],
  [PICKED_UP, [patch('place'), move('en_ruta')], [[200], [201]]],
  [[], [CONFIRM, CONFIRM], [[200], [200]]],
  [[], [CONFIRM, CANCEL], [[200], [200]]],
  [[], [CANCEL, CONFIRM], [[200], [409]]],
  [OUT, [move('entregado'), CONFIRM], [[201], [409]]],
  [[], [patch('telefono'), CONFIRM], [[200], [409]]],
  [[], [patch('place'), CONFIRM], [[200], [200]]],
  [[], [CONFIRM, patch('place', true)], [[200], [412]]],
  [[], [CONFIRM, patch('telefono')], [[200], [200]]],
];

let actors: GuiaActors;

beforeAll(async () => {
  actors = await GuiaActors.start();
});
afterAll(() => actors.close());

describe('simultaneous changes of one guide', () => {
  /** What must hold of a guide after any actions on it. */
  const expectInvariants = async (guia: { id: string }, all: Done[]) => {
    const seen = await see(actors.lives, guia);
    expectSoundHistory(seen);
    const of = (kind: Action['do'], status: number) =>
      all.filter(({ action, status: got }) => action.do === kind && got === status);
    const moves = [...of('move', 201), ...of('batch', 201)];
    const repeats = [...of('move', 200), ...of('batch', 200)];
    const recordedBy = (tipo: string, actor: string) =>
      seen.events.filter((event) => event.tipo === tipo && event.actor === actor);

    // Each acknowledged event is recorded once, as it was acknowledged.
    const recorded = new Map(seen.events.map((event) => [event.id, event]));
    for (const { body } of moves)
      expect(recorded.get(body.evento)).toMatchObject({
        secuencia: body.secuencia,
        tipo: body.aplicado ? expect.stringMatching(/estado_cambiado|cancelada/) : 'guia.evento_tardio',
        estado_anterior: body.estado_anterior,
      });
    expect(new Set(moves.map(({ body }) => body.evento)).size).toBe(moves.length);
    const cancellations = recordedBy('guia.cancelada', 'comercio').length;
    if (of('cancel', 200).length > 0) expect(seen.guia.estado).toBe('cancelado');
    expect(cancellations).toBeLessThanOrEqual(Math.min(1, of('cancel', 200).length));
    expect(recordedBy('guia.actualizada', 'comercio')).toHaveLength(of('patch', 200).length);
    expect(recordedBy('guia.confirmada', 'destinatario')).toHaveLength(of('confirm', 200).length);

    // A ref is one event for each operator.
    const byRef = new Map<string, Set<unknown>>();
    // The cancellation of a cancelled guide is a repeat without its ref.
    for (const { action, operator, body } of [
      ...moves,
      ...repeats.filter(({ body }) => body.estado !== 'cancelado'),
    ]) {
      const { ref } = action as { ref?: string };
      if (ref !== undefined)
        byRef.set(`${operator} ${ref}`, (byRef.get(`${operator} ${ref}`) ?? new Set()).add(body.evento));
    }
    expect([...byRef.values()].filter(({ size }) => size !== 1)).toEqual([]);
    for (const { body } of repeats) expect(recorded.has(body.evento)).toBe(true);
    return { seen, acknowledged: moves.length + cancellations };
  };

  it('never reach an illegal state, lose no event, and record a history that gives the state', async () => {
    await fc.assert(
      fc.asyncProperty(anyScripts, async (scripts) => {
        const guia = await actors.create();
        const perActor = await Promise.all(
          scripts.map(async (script, actor) => {
            const done: Done[] = [];
            for (const action of script) done.push(...(await actors.perform(actor, action, guia)));
            return done;
          }),
        );
        const all = perActor.flat();
        for (const { action, status } of all)
          expect([action.do, ...STATUSES[action.do]]).toEqual(expect.arrayContaining([action.do, status]));
        const { seen, acknowledged } = await expectInvariants(guia, all);
        // Nothing is recorded that was not acknowledged.
        const recordedMoves = seen.events.filter(({ tipo }) =>
          ['guia.estado_cambiado', 'guia.cancelada', 'guia.evento_tardio'].includes(tipo),
        );
        expect(recordedMoves).toHaveLength(acknowledged);
      }),
      // Shrinking is useless: another run of the same scripts is another race.
      { numRuns: propertyRuns(2), endOnFailure: true },
    );
  });

  it.each(
    RACES.map(([through, actions, statuses]) => {
      const from = through.at(-1) ?? 'aceptado';
      return [
        from,
        nameOf(actions[0]),
        statuses[0],
        nameOf(actions[1]),
        statuses[1],
        through,
        actions,
      ] as const;
    }),
  )(
    'in %s: %s is answered %j, and %s behind it %j',
    async (_from, _1, first, _2, second, through, actions) => {
      const guia = await actors.create(through);
      // Through two processes, by one operator.
      const done = await queueOnGuia(
        actors.test.database,
        guia.id,
        actions.map((action, actor) => () => actors.perform(actor, action, guia)),
      );
      expect(done.map((results) => results.map(({ status }) => status))).toEqual([first, second]);
      await expectInvariants(guia, done.flat());
    },
  );
});

describe('the life of a guide', () => {
  let test: TestApp;
  let lives: Lives;
  let operators: TestOperator[];
  let addresses = 0;

  beforeAll(async () => {
    ({ test } = actors);
    lives = new Lives(test, await test.merchant());
    operators = [await test.operator('Una'), await test.operator('Otra')];
  });

  const begin = async (): Promise<{ model: Model; real: Real }> => {
    const { body } = await lives.merchant.post(GUIAS, guiaBody({ cod_amount: COD }));
    const { id, guia } = body as { id: string; guia: string };
    const mint = (secuencia: number) =>
      mintLink(test, { comercioId: lives.merchant.id, guiaId: id }, secuencia);
    const answer = (link: string, point: object) =>
      test.request(link, {
        method: 'POST',
        // Each from an address of its own: one address may not send so many.
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}`,
        },
        body: JSON.stringify(point),
      });
    const since = new Date().toISOString();
    return {
      model: {
        ...{ estado: 'aceptado', version: 1, hasMoved: false, isConfirmed: false, corrections: 0 },
        ...{ link: 'open', refs: new Map(), acknowledged: [] },
      },
      real: {
        ...{ lives, operators, guia: { id, guia }, path: `${GUIAS}/${id}`, link: await mint(1), since, mint },
        answer,
      },
    };
  };

  it('follows the model step by step, and the history gives the same state', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (commands) => {
        const started = await begin();
        await fc.asyncModelRun(() => started, commands);
        const { model, real } = started;
        const seen = await see(lives, real.guia);
        expectSoundHistory(seen);
        expect({
          estado: seen.guia.estado,
          etag: seen.etag,
          isConfirmed: seen.guia.direccion_confirmada,
        }).toEqual({ estado: model.estado, etag: `"${model.version}"`, isConfirmed: model.isConfirmed });
        // One event for each version; all acknowledged ones are among them.
        expect(seen.events.map(({ secuencia }) => secuencia)).toEqual(
          Array.from({ length: model.version }, (_, i) => i + 1),
        );
        const ids = seen.events.map(({ id }) => id);
        expect(model.acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
      }),
      { numRuns: propertyRuns(5) },
    );
  });
});
