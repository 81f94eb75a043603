import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { insertMerchant, insertOperator } from '../support/merchant-rows.js';
import { APP_SECRET, guiaBody } from '../support/guia-body.js';
import { startPostgresServer, type PostgresServer } from './postgres-server.js';
import { Victim } from './victim.js';

/** `npm run torture -- pilotos` makes more. */
const GUIDES = Number(process.env.PILOTOS_GUIAS ?? 30);
const DRIVERS = Number(process.env.PILOTOS ?? 4);
const KILLS = Number(process.env.PILOTOS_KILLS ?? 1);

/** Events that a phone sends at once, and guides that the dispatcher assigns at once. */
const BATCH = 20;

/** Milliseconds after which a driver without guides looks again; phones look once a minute. */
const LOOK_AGAIN_MS = 1_000;

/** Milliseconds between two batches of the dispatcher: each guide is given to another some ten times. */
const DISPATCH_REST_MS = 200;

const OPERACIONES = '/api/v1/operaciones';

/** Where a driver takes a guide next. */
const NEXT: Record<string, string> = {
  aceptado: 'en_camino_a_recoger',
  en_camino_a_recoger: 'recogido',
  recogido: 'en_ruta',
  en_ruta: 'entregado',
  intento_fallido: 'en_ruta',
};

/** An event that the service acknowledged. */
interface Acknowledged {
  ref: string;
  piloto: string;
  cod_cobrado?: number;
}

/** One snapshot: what was collected by drivers, and what they handed over and carry; amounts in cents. */
const CASH = `select
  (select coalesce(sum(cod_cobrado), 0) * 100 from cobros where piloto_id is not null)::int as collected,
  (select coalesce(sum(esperado), 0) * 100 from caja_entregas)::int as handed,
  (select coalesce(sum(monto), 0) * 100 from caja_movimientos where entrega_id is null)::int as carried`;

/** For each guide the drivers of its events, by their time, and whom it was assigned to; times in ms since 1970. */
const HISTORY = `select guia_id, tipo, actor, operador_id, ref, datos->>'piloto' as piloto, datos->>'estado' as estado,
    extract(epoch from creado_en)::float8 * 1000 as creado, extract(epoch from ocurrido_en)::float8 * 1000 as ocurrido
  from eventos where guia_id = any ($1) order by guia_id, creado_en, id`;

describe(`${DRIVERS} drivers at once, with ${GUIDES} guides, while a dispatcher assigns them and the server dies`, () => {
  let postgres: PostgresServer;
  let server: Victim;
  let merchant: string;
  let operator: string;

  beforeAll(async () => {
    postgres = await startPostgresServer();
    merchant = await insertMerchant(postgres);
    operator = await insertOperator(postgres);
    server = new Victim({
      ...{ DATABASE_URL: postgres.url, APP_SECRET, ROLE: 'all', LOG_LEVEL: 'warn' },
      ...{ RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_URL: 'https://guias.example.com' },
    });
    await server.up();
  });
  afterAll(async () => {
    await server?.end();
    await postgres?.drop();
  });

  const ask = (path: string, key?: string, body?: object) => server.ask(path, key, body);

  it('loses nothing, does nothing twice, and the cash is right at each look', async () => {
    const guias: string[] = [];
    for (let from = 0; from < GUIDES; from += 100) {
      const batch = Array.from({ length: Math.min(100, GUIDES - from) }, (_, n) =>
        guiaBody({
          lat: 14.64,
          lng: -90.51,
          cod_amount: (from + n) % 3 === 0 ? 0 : 10.01,
          external_ref: `g-${from + n}`,
        }),
      );
      const { resultados } = await ask('/api/v1/guias/lote', merchant, { guias: batch });
      guias.push(...resultados.map(({ id }: { id: string }) => id));
    }
    const drivers = await Promise.all(
      Array.from({ length: DRIVERS }, async (_, n) => {
        const { piloto } = await ask(`${OPERACIONES}/pilotos`, operator, {
          nombre: `Piloto ${n}`,
          ref: `p-${n}`,
        });
        const { enlace } = await ask(`${OPERACIONES}/pilotos/${piloto.id}/enlace`, operator, {});
        return { id: piloto.id as string, path: new URL(enlace).pathname };
      }),
    );
    const acknowledged: Acknowledged[] = [];
    const faults: string[] = [];
    let isOver = false;
    const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

    const drive = async ({ id, path }: (typeof drivers)[number]) => {
      while (!isOver) {
        const own = (await ask(`${path}/guias`)).guias.filter(({ estado }: any) => estado in NEXT);
        if (own.length === 0) await sleep(LOOK_AGAIN_MS);
        const eventos = own.slice(0, BATCH).map(({ guia, estado, cobrar }: any) => {
          const [ref, ocurrido_en] = [randomUUID(), new Date().toISOString()];
          const fails = estado === 'en_ruta' && Math.random() < 0.1;
          if (fails) return { guia, estado: 'intento_fallido', motivo: 'ausente', ref, ocurrido_en };
          const cod_cobrado = Number(cobrar);
          return {
            guia,
            estado: NEXT[estado],
            ref,
            ocurrido_en,
            ...(estado === 'en_ruta' && { cod_cobrado }),
          };
        });
        if (eventos.length === 0) continue;
        // As the phone does: what was not answered for good is sent again, by the same refs.
        let resultados: any[];
        do ({ resultados } = await ask(`${path}/eventos`, undefined, { eventos }));
        while (resultados.some(({ status }) => status >= 500));
        for (const [n, { ok, status, codigo }] of resultados.entries()) {
          const { ref, cod_cobrado } = eventos[n];
          if (ok) acknowledged.push({ ref, piloto: id, cod_cobrado });
          // Given to another meanwhile, or moved by them.
          else if (![404, 409].includes(status)) faults.push(`${status} ${codigo}`);
        }
        const { guia, estado } = eventos.at(-1);
        if (Math.random() < 0.2)
          await ask(`${path}/eventos`, undefined, { eventos: [{ guia, deshacer: true, ref: randomUUID() }] });
        if (Math.random() < 0.1 && estado === 'entregado')
          await ask(`${OPERACIONES}/guias/${guia}/cobro`, operator, { cod_cobrado: 7.77, ref: randomUUID() });
      }
    };
    const dispatch = async () => {
      for (let from = 0; !isOver; from = (from + BATCH) % GUIDES) {
        const chosen = [...guias.slice(from, from + BATCH), any(guias), any(guias)];
        await ask(`${OPERACIONES}/asignaciones`, operator, {
          piloto: any(drivers).id,
          guias: [...new Set(chosen)],
        });
        const { id } = any(drivers);
        if (Math.random() < 0.3)
          await ask(`${OPERACIONES}/pilotos/${id}/caja/entregas`, operator, {
            moneda: 'GTQ',
            monto: 1,
            ref: randomUUID(),
          });
        await sleep(DISPATCH_REST_MS);
      }
    };
    const watch = async () => {
      while (!isOver) {
        const [cash] = await postgres.query<{ collected: number; handed: number; carried: number }>(CASH);
        if (cash!.collected !== cash!.handed + cash!.carried) faults.push(JSON.stringify(cash));
        await sleep(250);
      }
    };
    const ended = async () => {
      const [row] = await postgres.query<{ count: number }>(
        `select count(*)::int from guias where estado = 'entregado'`,
      );
      return row!.count;
    };
    const interrupt = async () => {
      for (let n = 1; n <= KILLS; n++) {
        while ((await ended()) < (GUIDES * n) / (KILLS + 2)) await sleep(50);
        await server.kill();
        await server.up();
      }
      while ((await ended()) < GUIDES) await sleep(100);
      isOver = true;
    };
    await Promise.all([...drivers.map(drive), dispatch(), watch(), interrupt()]);
    expect(faults).toEqual([]);
    expect(server.complaints).toEqual([]);

    const events = await postgres.query<any>(HISTORY, [guias]);
    const refs = events.filter(({ actor, ref }) => actor === 'piloto' && ref).map(({ ref }) => ref as string);
    expect(new Set(refs).size).toBe(refs.length);
    const known = new Set(refs);
    expect(acknowledged.filter(({ ref }) => !known.has(ref))).toEqual([]);
    expect(driversOfOthers(events)).toEqual([]);
    // Of a guide with nothing to collect an amount is kept once the office has corrected it.
    const standing = await postgres.query(
      `select * from (
         select g.id, g.estado, g.cod_amount, c.cod_cobrado, g.piloto_id,
           (select (e.datos->>'piloto')::uuid from eventos e
            where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo = 'guia.asignada'
            order by e.creado_en desc, e.id desc limit 1) as asignada_a
         from guias g left join cobros c on c.comercio_id = g.comercio_id and c.guia_id = g.id
       ) g
       where (estado = 'entregado' and (cod_amount > 0 or coalesce(cod_cobrado, 0) > 0)) is distinct from (cod_cobrado is not null)
         or piloto_id is distinct from asignada_a`,
    );
    expect(standing).toEqual([]);
    const handed = await Promise.all(
      drivers.map(async ({ id }) => {
        const { caja } = await ask(`${OPERACIONES}/pilotos/${id}/caja`, operator);
        const { entregas } = await ask(`${OPERACIONES}/pilotos/${id}/caja/entregas?limit=100`, operator);
        expect(entregas.length).toBeLessThan(100);
        const cents = [
          ...caja.map(({ monto }: any) => monto),
          ...entregas.map(({ esperado }: any) => esperado),
        ];
        return {
          id,
          cents: cents.reduce((sum: number, amount: number) => sum + Math.round(amount * 100), 0),
        };
      }),
    );
    const collected = await postgres.query<{ id: string; cents: number }>(
      `select piloto_id as id, (sum(cod_cobrado) * 100)::int as cents from cobros where piloto_id is not null group by 1`,
    );
    const of = (rows: { id: string; cents: number }[]) =>
      rows.filter(({ cents }) => cents !== 0).sort((one, other) => one.id.localeCompare(other.id));
    expect(of(handed)).toEqual(of(collected));
  });
});

/** Events of drivers who did not have the guide when it was recorded; of those that were not applied, who never had it. */
function driversOfOthers(events: any[]): any[] {
  const owners = new Map<string, { from: number; piloto: string | null }[]>();
  for (const { guia_id, tipo, piloto, creado } of events)
    if (tipo === 'guia.asignada')
      owners.set(guia_id, [...(owners.get(guia_id) ?? []), { from: creado, piloto }]);
  return events.filter(({ guia_id, tipo, actor, operador_id, creado }) => {
    if (actor !== 'piloto') return false;
    const known = owners.get(guia_id) ?? [];
    const had = known.filter(({ from }, n) => {
      const until = tipo === 'guia.evento_tardio' ? Infinity : (known[n + 1]?.from ?? Infinity);
      return from <= creado && creado <= until;
    });
    return !had.some(({ piloto }) => piloto === operador_id);
  });
}
