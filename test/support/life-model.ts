import fc from 'fast-check';
import { MAX_CORRECTIONS } from '../../src/guias/changes/confirmable.js';
import { EDITABLE_IN, isEditable } from '../../src/guias/changes/editable-fields.js';
import {
  OPEN_ESTADOS,
  GUIA_ESTADOS,
  canMove,
  nextEstados,
  type GuiaEstado,
} from '../../src/guias/guia/guia-estado.js';
import type { Lives } from './lives.js';
import type { Answer, TestOperator } from './test-app.js';

/** A model of one guide's life, and steps applied to the model and to the real guide. */

/** The amount to collect of each guide. */
export const COD = 50;

/** The expected state of the guide. */
export interface Model {
  estado: GuiaEstado;
  version: number;
  hasMoved: boolean;
  isConfirmed: boolean;
  /** Of the place, by its recipient. */
  corrections: number;
  /** The last link: of the guide's phone, or of a phone that the guide no longer has. */
  link: 'open' | 'dead';
  /** Event ids by operator and ref. */
  refs: Map<string, unknown>;
  /** Ids of the acknowledged events. */
  acknowledged: string[];
}

/** The real guide and its actors. */
export interface Real {
  lives: Lives;
  operators: TestOperator[];
  guia: { id: string; guia: string };
  path: string;
  link: string;
  /** Time of its last move, ISO 8601. */
  since: string;
  /** Creates the link of a message requested by the event with this `secuencia`. */
  mint: (secuencia: number) => Promise<string>;
  answer: (link: string, point: object) => Promise<Answer>;
}

type Step = fc.AsyncCommand<Model, Real>;
type When = 'now' | 'before' | 'slow' | 'at' | 'after';

/** How much an operator's clock may be slow: a legal move so much before the last one is applied. */
const SLOW_CLOCK_MS = 5 * 60_000;

let counter = 0;
/** A place that no guide had before. */
const newPlace = () => ({ lat: 14 + ++counter / 1e6, lng: -90.5 });

const at = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString();

class Move implements Step {
  constructor(
    readonly by: number,
    /** A state, or the index of a legal one. */
    readonly to: GuiaEstado | number,
    readonly when: When,
    readonly ref: string | undefined,
    readonly cod_cobrado: number | undefined,
  ) {}
  check = () => true;
  toString = () => `move(${this.by}, ${this.to}, ${this.when}, ${this.ref}, ${this.cod_cobrado})`;

  private target({ estado }: Model): GuiaEstado {
    const next = nextEstados(estado);
    return typeof this.to === 'string' ? this.to : (next[this.to % next.length] ?? estado);
  }

  async run(model: Model, real: Real): Promise<void> {
    const { by, when, ref } = this;
    const estado = this.target(model);
    const ocurrido_en = {
      ...{ now: undefined, before: at(real.since, -SLOW_CLOCK_MS - 1), slow: at(real.since, -SLOW_CLOCK_MS) },
      ...{ at: real.since, after: at(real.since, 1) },
    }[when];
    const cod_cobrado = estado === 'entregado' ? this.cod_cobrado : undefined;
    const motivo = estado === 'intento_fallido' ? 'ausente' : undefined;
    const body = { estado, ref, cod_cobrado, motivo, ocurrido_en };
    const answer = await real.operators[by]!.move(real.guia.id, body);
    const key = `${by} ${ref}`;
    const isLegal = canMove(model.estado, estado);
    const isLate = model.hasMoved && (when === 'before' || (when === 'slow' && !isLegal));
    if (ref !== undefined && model.refs.has(key)) {
      expect([answer.status, answer.body.evento, answer.body.duplicado]).toEqual([
        200,
        model.refs.get(key),
        true,
      ]);
    } else if (estado === 'cancelado' && model.estado === 'cancelado') {
      expect([answer.status, answer.body.estado, answer.body.duplicado]).toEqual([200, 'cancelado', true]);
    } else if ((isLate || isLegal) && estado === 'entregado' && cod_cobrado === undefined) {
      expect([answer.status, answer.body.errores[0].campo]).toEqual([400, 'cod_cobrado']);
    } else if (isLate || isLegal) {
      model.version++;
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          ok: true,
          ...real.guia,
          evento: expect.any(String),
          secuencia: model.version,
          estado: isLate ? model.estado : estado,
          estado_anterior: isLate ? null : model.estado,
          aplicado: !isLate,
          ...(isLate && { no_aplicado: 'tarde' }),
        },
      ]);
      if (ref !== undefined) model.refs.set(key, answer.body.evento);
      model.acknowledged.push(answer.body.evento);
      if (isLate) return;
      const hadMoved = model.hasMoved;
      model.hasMoved = true;
      model.estado = estado;
      if (estado === 'entregado' && cod_cobrado !== COD) model.version++;
      const { ocurrido_en: since } = (await real.lives.events(real.guia)).find(
        ({ id }) => id === answer.body.evento,
      );
      if (!hadMoved || since > real.since) real.since = since;
    } else {
      expect([answer.status, answer.body.codigo]).toEqual([409, 'transicion_invalida']);
    }
  }
}

class Cancel implements Step {
  check = () => true;
  toString = () => 'cancel()';
  async run(model: Model, real: Real): Promise<void> {
    const answer = await real.lives.merchant.post(`${real.path}/cancelar`);
    const isLegal = canMove(model.estado, 'cancelado');
    expect(answer.status).toBe(isLegal || model.estado === 'cancelado' ? 200 : 409);
    if (!isLegal) return;
    Object.assign(model, { estado: 'cancelado', version: model.version + 1, hasMoved: true });
    real.since = (await real.lives.events(real.guia)).at(-1).ocurrido_en;
  }
}

class Patch implements Step {
  constructor(
    readonly what: 'notas' | 'telefono' | 'place' | 'nothing',
    readonly tag: 'none' | 'current' | 'old',
  ) {}
  check = () => true;
  toString = () => `patch(${this.what}, ${this.tag})`;

  async run(model: Model, real: Real): Promise<void> {
    const n = ++counter;
    const bodies = {
      notas: { notas: `nota ${n}` },
      telefono: { telefono: `+5024${String(n).padStart(7, '0')}` },
      place: newPlace(),
      nothing: { telefono: null },
    };
    const headers = {
      none: {},
      current: { 'if-match': `"${model.version}"` },
      old: { 'if-match': `"${model.version - 1}"` },
    };
    const answer = await real.lives.merchant.patch(real.path, bodies[this.what], headers[this.tag]);
    const refusal = [answer.status, answer.body.codigo];
    if (this.tag === 'old') return expect(refusal).toEqual([412, 'version_obsoleta']);
    const isLocked = ['place', 'telefono'].includes(this.what) && !EDITABLE_IN.lat.includes(model.estado);
    if (!isEditable(model.estado) || isLocked) return expect(refusal).toEqual([409, 'guia_no_modificable']);
    if (this.what !== 'nothing') model.version += this.what === 'notas' || model.isConfirmed ? 1 : 2;
    if (this.what === 'place') model.isConfirmed = true;
    if (this.what === 'telefono') model.link = 'dead';
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, `"${model.version}"`]);
  }
}

/** Sends the recipient a new link. */
class Ask implements Step {
  check = (model: Readonly<Model>) => !model.isConfirmed;
  toString = () => 'ask()';
  async run(model: Model, real: Real): Promise<void> {
    real.link = await real.mint(model.version);
    model.link = 'open';
  }
}

class Confirm implements Step {
  check = () => true;
  toString = () => 'confirm()';
  async run(model: Model, real: Real): Promise<void> {
    const { status } = await real.answer(real.link, newPlace());
    const estados = model.isConfirmed ? EDITABLE_IN.lat : OPEN_ESTADOS;
    const isOpen =
      model.link === 'open' && estados.includes(model.estado) && model.corrections < MAX_CORRECTIONS;
    expect(status).toBe(isOpen ? 200 : model.link === 'dead' ? 404 : 409);
    if (!isOpen) return;
    if (model.isConfirmed) model.corrections++;
    Object.assign(model, { version: model.version + 1, isConfirmed: true });
  }
}

/** Mostly the first legal state, so that few lives end in an early cancellation. */
const anyNext = fc.constantFrom(0, 0, 0, 0, 1, 2);

const anyMove = fc
  .record({
    by: fc.nat({ max: 1 }),
    to: fc.oneof(
      { weight: 5, arbitrary: anyNext },
      { weight: 1, arbitrary: fc.constantFrom(...GUIA_ESTADOS) },
    ),
    when: fc.constantFrom<When>('now', 'now', 'before', 'slow', 'at', 'after'),
    ref: fc.option(fc.constantFrom('a', 'b', 'c', 'd'), { nil: undefined, freq: 2 }),
    cod: fc.constantFrom(undefined, COD, COD - 1),
  })
  .map(({ by, to, when, ref, cod }): Step => new Move(by, to, when, ref, cod));

const anyPatch = fc
  .record({
    what: fc.constantFrom('notas' as const, 'telefono' as const, 'place' as const, 'nothing' as const),
    tag: fc.constantFrom('none' as const, 'current' as const, 'old' as const),
  })
  .map(({ what, tag }): Step => new Patch(what, tag));

const anyStep = fc.oneof(
  { weight: 20, arbitrary: anyMove },
  { weight: 6, arbitrary: anyPatch },
  { weight: 2, arbitrary: fc.constant<Step>(new Ask()) },
  { weight: 4, arbitrary: fc.constant<Step>(new Confirm()) },
  { weight: 1, arbitrary: fc.constant<Step>(new Cancel()) },
);

/** Steps in any order: moves of two operators, a merchant's edits, a recipient's answers. */
export const anySteps = fc.commands([anyStep], { maxCommands: 25, size: 'max' });
