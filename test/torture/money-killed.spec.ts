import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAGO_CODES, USUAL_PAGO, type Pago } from '../../src/guias/guia/pago.js';
import { CONSOLE_USERS, staff } from '../support/console.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { PLACE } from '../support/lives.js';
import { insertMerchant, insertOperator } from '../support/merchant-rows.js';
import { BALANCED, balanceOf } from '../support/money.js';
import { useDatabase } from '../support/use.js';
import { Victim } from './victim.js';

/** `npm run torture -- money` makes more. */
const ROUNDS = Number(process.env.MONEY_ROUNDS ?? 20);
const KILLS = Number(process.env.MONEY_KILLS ?? 1);

const HANDS = 5;
const MERCHANTS = 2;
const DRIVERS = 3;
/** The newest guides and settlements, on which the hands meet. */
const HOT = 4;

/** Rounds after which everything is read and compared, and ms between two snapshots meanwhile. */
const COMPARE_EVERY = 500;
const WATCH_MS = 1_000;

const OPERACIONES = '/api/v1/operaciones';

/** Refusals that a hand may get from what the others did before it. */
const REFUSALS = [
  ...['transicion_invalida', 'cobro_liquidado', 'nada_que_deshacer', 'nada_por_liquidar', 'neto_negativo'],
  ...['liquidacion_pagada', 'ajuste_liquidado', 'nada_por_entregar'],
];

/** A change of a guide's amount that was answered. */
interface Told {
  secuencia: number;
  did: 'deliver' | 'correct' | 'undo';
  cod_cobrado: number;
  pago: Pago | undefined;
  piloto?: string;
}

interface Parcel {
  id: string;
  owner: number;
  due: number;
  told: Told[];
}

const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100);
const sum = (amounts: unknown[]) => amounts.reduce<number>((all, amount) => all + cents(amount), 0);
const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;
const anyAmount = () => any([0, 0.01, 50, 99.99, Math.floor(Math.random() * 100_000) / 100]);
/** Positive or negative, never 0. */
const anyChange = () => (any([-1, 1]) * (1 + Math.floor(Math.random() * 5_000))) / 100;
const isHalf = () => Math.random() < 0.5;

/** What the changes of a guide come to, by their order in its history. */
function standingOf({ due, told }: Parcel): {
  amount: number;
  pago: Pago | null;
  piloto?: string | undefined;
} {
  let now: ReturnType<typeof standingOf> = { amount: 0, pago: null };
  for (const { did, cod_cobrado: amount, pago, piloto } of told.toSorted(
    (a, b) => a.secuencia - b.secuencia,
  )) {
    const before = did === 'correct' ? (now.pago ?? USUAL_PAGO) : USUAL_PAGO;
    if (did === 'undo') now = { amount: 0, pago: null };
    else
      now = {
        amount,
        pago: due === 0 ? null : (pago ?? before),
        piloto: did === 'deliver' ? piloto : now.piloto,
      };
  }
  return now;
}

const cashOf = (parcel: Parcel) => {
  const { amount, pago } = standingOf(parcel);
  return (pago ?? USUAL_PAGO) === 'efectivo' ? amount : 0;
};

/** One snapshot: drivers whose cash is not what they handed over and carry. */
const WRONG_DRAWERS = `select p.id from pilotos p where
  (select coalesce(sum(cod_cobrado), 0) from cobros where piloto_id = p.id and coalesce(pago, 'efectivo') = 'efectivo')
  <> (select coalesce(sum(esperado), 0) from caja_entregas where piloto_id = p.id)
    + (select coalesce(sum(monto), 0) from caja_movimientos where piloto_id = p.id and entrega_id is null)`;

describe(`${HANDS} hands at once on everybody's money, while the server dies`, () => {
  const database = useDatabase();
  let server: Victim;
  let operator: string;
  let merchants: { id: string; key: string }[];
  let drivers: string[];

  beforeAll(async () => {
    const keys: string[] = [];
    for (let n = 0; n < MERCHANTS; n++) keys.push(await insertMerchant(database));
    const ids = await database.query<{ id: string }>('select id from comercios order by id');
    merchants = ids.map(({ id }, n) => ({ id, key: keys[n]! }));
    operator = await insertOperator(database);
    server = new Victim({
      ...{
        DATABASE_URL: database.url,
        APP_SECRET,
        ROLE: 'api',
        LOG_LEVEL: 'warn',
        BOARD_USERS: CONSOLE_USERS,
      },
      ...{ RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_URL: 'https://guias.example.com' },
    });
    await server.up();
    drivers = [];
    for (let n = 0; n < DRIVERS; n++)
      drivers.push(
        (await server.ask(`${OPERACIONES}/pilotos`, operator, { nombre: `Piloto ${n}` })).piloto.id,
      );
  });
  afterAll(() => server?.end());

  const parcels: Parcel[] = [];
  /** What was answered, by its id. */
  const settlements = new Map<string, any>();
  const paid = new Map<string, string>();
  const adjusted = new Map<string, number>();
  const removed = new Set<string>();
  const handed = new Map<string, { piloto: string; esperado: number; diferencia: number }>();
  const moved = new Map<string, { piloto: string; monto: number }>();

  const listOf = async (path: string, name: string, key: string): Promise<any[]> => {
    const rows: any[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await server.ask(`${path}?limit=100${cursor && `&cursor=${cursor}`}`, key);
      rows.push(...page[name]);
      cursor = page.siguiente_cursor as string | null;
    }
    return rows;
  };

  /** Sends a change until it is answered. @returns undefined where it is refused for what others did. */
  const send = async (path: string, body: object | undefined, method?: string): Promise<any> => {
    const answer = await server.ask(
      OPERACIONES + path,
      operator,
      body && { ref: randomUUID(), ...body },
      method,
    );
    if (answer.status < 300) return answer;
    // 400: an amount of what stays paid to the merchant, or counted as less than nothing.
    const isRefused =
      REFUSALS.includes(answer.codigo) || (answer.status === 400 && answer.errores.length === 1);
    if (!isRefused) throw new Error(`${method ?? 'POST'} ${path}: ${JSON.stringify(answer)}`);
    return undefined;
  };
  const change = async (parcel: Parcel, path: string, body: object, told: Omit<Told, 'secuencia'>) => {
    const answer = await send(`/guias/${parcel.id}/${path}`, body);
    if (answer) parcel.told.push({ ...told, secuencia: answer.secuencia });
  };

  const ACTS: Record<string, () => Promise<unknown>> = {
    deliver: async () => {
      const [pago, piloto] = [any([undefined, ...PAGO_CODES]), any([undefined, ...drivers])];
      const cod_cobrado = pago === 'directo' ? 0 : anyAmount();
      const body = { estado: 'entregado', cod_cobrado, pago, piloto };
      await change(hot(), 'eventos', body, { did: 'deliver', cod_cobrado, pago, piloto });
    },
    correct: async () => {
      const pago = any([undefined, ...PAGO_CODES]);
      const cod_cobrado = pago === 'directo' ? 0 : anyAmount();
      await change(
        hot(),
        'cobro',
        { cod_cobrado, pago, ajustar: isHalf() },
        { did: 'correct', cod_cobrado, pago },
      );
    },
    undo: async () => {
      const told = { did: 'undo', cod_cobrado: 0, pago: undefined } as const;
      await change(hot(), 'deshacer', { motivo: 'x', ajustar: isHalf() }, told);
    },
    settle: async () => {
      const answer = await send('/liquidaciones', { comercio: any(merchants).id });
      if (answer) settlements.set(answer.liquidacion.id, answer.liquidacion);
    },
    pay: async () => {
      const [id, referencia_pago] = [any([...settlements.keys()].slice(-HOT)), randomUUID()];
      if (id && (await send(`/liquidaciones/${id}/pagar`, { referencia_pago }))) {
        expect(paid.has(id)).toBe(false);
        paid.set(id, referencia_pago);
      }
    },
    adjust: async () => {
      const body = { comercio: any(merchants).id, monto: anyChange(), motivo: 'x' };
      adjusted.set((await send('/ajustes', body)).ajuste.id, body.monto);
    },
    remove: async () => {
      const id = any([...adjusted.keys()].slice(-HOT));
      if (!id || removed.has(id)) return;
      const { status, codigo } = await server.ask(
        `${OPERACIONES}/ajustes/${id}`,
        operator,
        undefined,
        'DELETE',
      );
      // 404: the answer to this request, or to another one, was lost or is older.
      if ([204, 404].includes(status)) removed.add(id);
      else expect(codigo).toBe('ajuste_liquidado');
    },
    handOver: async () => {
      const piloto = any(drivers);
      const body = { moneda: 'GTQ', monto: anyAmount() };
      const answer = await send(`/pilotos/${piloto}/caja/entregas`, body);
      if (answer) handed.set(answer.entrega.id, { ...answer.entrega, piloto });
    },
    move: async () => {
      const piloto = any(drivers);
      const monto = anyChange();
      const answer = await send(`/pilotos/${piloto}/saldo`, { moneda: 'GTQ', monto, motivo: 'x' });
      moved.set(answer.movimiento.id, { piloto, monto });
    },
  };
  const WEIGHTED = ['deliver', 'deliver', 'deliver', 'correct', 'correct', 'correct', 'undo', 'undo'];
  WEIGHTED.push(...Object.keys(ACTS));

  /** Sometimes an old one. */
  const hot = () => any(Math.random() < 0.9 ? parcels.slice(-HOT) : parcels);

  const create = async (n: number) => {
    const [owner, due] = [n % MERCHANTS, anyAmount()];
    const body = guiaBody({ ...PLACE, cod_amount: due, external_ref: `g-${n}` });
    const { id } = await server.ask('/api/v1/guias', merchants[owner]!.key, body);
    await database.query(`update guias set estado = 'en_ruta' where id = $1`, [id]);
    parcels.push({ id, owner, due, told: [] });
  };

  const expectMerchant = async ({ id, key }: (typeof merchants)[0], owner: number) => {
    const cobros = await listOf('/api/v1/cobros', 'cobros', key);
    const ajustes = await listOf('/api/v1/ajustes', 'ajustes', key);
    const liquidaciones = await listOf('/api/v1/liquidaciones', 'liquidaciones', key);
    const own = parcels.filter((parcel) => parcel.owner === owner);
    const cobroOf = new Map(cobros.map((cobro) => [cobro.id as string, cobro]));
    const shown = own.map((parcel) => [parcel.id, cents(cobroOf.get(parcel.id)?.cod_cobrado)]);
    expect(shown).toEqual(own.map((parcel) => [parcel.id, cents(standingOf(parcel).amount)]));
    const byHand = ajustes.filter((ajuste) => adjusted.has(ajuste.id));
    for (const { id: one, monto } of byHand)
      expect([removed.has(one), monto]).toEqual([false, adjusted.get(one)]);
    const automatic = ajustes.filter((ajuste) => !adjusted.has(ajuste.id));
    const settled = cobros.filter(({ liquidado }) => liquidado !== null);
    const adjustedOf = new Map<string, number>();
    for (const { guia, monto } of automatic) adjustedOf.set(guia, (adjustedOf.get(guia) ?? 0) + cents(monto));
    for (const { guia, cod_cobrado, liquidado } of settled)
      expect([guia, adjustedOf.get(guia) ?? 0]).toEqual([guia, cents(cod_cobrado) - cents(liquidado)]);
    for (const { id: one, ...liquidacion } of liquidaciones) {
      const { pagada_en: _, referencia_pago: __, ...answered } = settlements.get(one);
      expect({ id: one, ...liquidacion }).toMatchObject(answered);
      expect([one, liquidacion.referencia_pago]).toEqual([one, paid.get(one) ?? null]);
      const its = [settled, ajustes].map((all) => all.filter((row) => row.liquidacion === one));
      const sums = [
        its[0]!.length,
        sum(its[0]!.map((row) => row.liquidado)),
        sum(its[1]!.map((row) => row.monto)),
      ];
      const { guias, cobrado, neto } = liquidacion;
      expect(sums).toEqual([guias, cents(cobrado), cents(liquidacion.ajustes)]);
      expect(cents(neto)).toBe(cents(cobrado) + cents(liquidacion.ajustes));
    }
    const pending = [
      ...cobros.filter(({ estado }) => estado === 'cobrado').map((row) => row.cod_cobrado),
      ...ajustes.filter(({ liquidacion }) => liquidacion === null).map((row) => row.monto),
    ];
    const netos = liquidaciones.map(({ neto }) => neto);
    expect(sum(cobros.map((row) => row.cod_cobrado)) + sum(byHand.map((row) => row.monto))).toBe(
      sum(netos) + sum(pending),
    );
    expect(await balanceOf(database, id)).toEqual(BALANCED);
    return { byHand: byHand.length, liquidaciones: liquidaciones.length };
  };

  const expectDriver = async (piloto: string, closing: string) => {
    const path = `${OPERACIONES}/pilotos/${piloto}`;
    const { caja, saldo } = await server.ask(`${path}/caja`, operator);
    const entregas = await listOf(`${path}/caja/entregas`, 'entregas', operator);
    const movimientos = await listOf(`${path}/saldo`, 'movimientos', operator);
    const ids = (rows: Iterable<[string, { piloto: string }]>) =>
      [...rows].filter(([, row]) => row.piloto === piloto).map(([id]) => id);
    expect(entregas.map(({ id }) => id).sort()).toEqual(ids(handed).sort());
    expect(movimientos.map(({ id }) => id).sort()).toEqual(ids([...handed, ...moved]).sort());
    const collected = sum(parcels.filter((one) => standingOf(one).piloto === piloto).map(cashOf));
    const carried = cents(caja[0]?.monto);
    expect(carried + sum(entregas.map(({ esperado }) => esperado))).toBe(collected);
    const own = [...moved.values()].filter((row) => row.piloto === piloto);
    expect(cents(saldo[0]?.monto)).toBe(
      sum([...entregas.map(({ diferencia }) => diferencia), ...own.map(({ monto }) => monto)]),
    );
    const line = closing.split('\r\n').find((one) => one.includes(piloto))!;
    expect(cents(line.split(',').at(-1))).toBe(carried);
  };

  const expectAll = async () => {
    const listed = await Promise.all(merchants.map(expectMerchant));
    const count = (name: 'byHand' | 'liquidaciones') => listed.reduce((all, one) => all + one[name], 0);
    expect([count('byHand'), count('liquidaciones')]).toEqual([
      adjusted.size - removed.size,
      settlements.size,
    ]);
    const response = await fetch(`${server.url}/admin/despacho/cierre/pilotos.csv`, {
      headers: staff('sol'),
    });
    const closing = await response.text();
    for (const driver of drivers) await expectDriver(driver, closing);
    const recorded = await database.query(
      `select guia_id as id, secuencia from eventos where tipo in ('guia.cobro_corregido', 'guia.estado_corregido')
         or tipo = 'guia.estado_cambiado' and datos->>'estado' = 'entregado' order by guia_id, secuencia`,
    );
    const told = parcels.flatMap(({ id, told }) => told.map(({ secuencia }) => ({ id, secuencia })));
    expect(recorded).toEqual(told.sort((a, b) => a.id.localeCompare(b.id) || a.secuencia - b.secuencia));
  };

  it(`agrees to the cent with what was answered, in ${ROUNDS} rounds with ${KILLS} kills`, async () => {
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        for (const { id } of merchants) expect(await balanceOf(database, id)).toEqual(BALANCED);
        expect(await database.query(WRONG_DRAWERS)).toEqual([]);
        await sleep(WATCH_MS);
      }
    };
    const play = async () => {
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await create(round);
          const killsUntil = (n: number) => Math.floor((n * KILLS) / ROUNDS);
          const hands = Array.from({ length: HANDS }, () => ACTS[any(WEIGHTED)]!());
          const dies = killsUntil(round + 1) > killsUntil(round);
          await Promise.all([...hands, dies && server.kill(Math.random() * 50)]);
          if (round === ROUNDS - 1 || round % COMPARE_EVERY === 0) await expectAll();
        }
      } finally {
        isOver = true;
      }
    };
    await Promise.all([play(), watch()]);
    expect(server.complaints).toEqual([]);
    const changes = parcels.reduce((all, { told }) => all + told.length, 0);
    const figures = { changes, settlements, paid, adjusted, removed, handed, moved };
    const sizes = Object.entries(figures).map(([name, one]) => [
      name,
      typeof one === 'number' ? one : one.size,
    ]);
    if (process.env.MONEY_ROUNDS) console.log(JSON.stringify(Object.fromEntries(sizes)));
  });
});
