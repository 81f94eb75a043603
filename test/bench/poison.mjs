// Time until a backlog with events that cannot be dispatched is dispatched but for these:
//
//   npm run bench -- --only poison [--redis redis://HOST:PORT] [--events 10000] [--poison 1000]
//
// Every tenth event is poison, of three kinds in turn: of a type that no part of the service knows, with a message that
// the database refuses, or with a webhook that it refuses. A process with all roles starts on the backlog; printed
// are the seconds from its start, until all good events are dispatched and until every poison one is set aside by name.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  newMerchant,
  onBothStores,
  onStage,
  printRow,
  round,
  startService,
  TITLES,
} from './pipeline-stage.mjs';
import { query, seed } from './stores.mjs';

const { values: options } = parseArgs({
  options: {
    redis: { type: 'string' },
    events: { type: 'string', default: '10000' },
    poison: { type: 'string', default: '1000' },
  },
});
const EVENTS = Number(options.events);
const POISON = Number(options.poison);

/** The database refuses the message or webhook of a guide that is listed. */
const POISONED = `create table veneno (guia_id uuid primary key, guia text not null unique, clase integer not null);
  insert into veneno select id, guia, n % 3 from (select id, guia, row_number() over (order by guia) as n from guias) g
    where n % ${EVENTS / POISON} = 0;
  analyze veneno;
  update eventos e set tipo = 'desconocido' from veneno v where v.guia_id = e.guia_id and v.clase = 0;
  create function rechazar_mensaje() returns trigger language plpgsql as $$
  begin
    if exists (select from veneno v where v.clase = 1 and v.guia_id = new.guia_id)
      then raise check_violation using message = 'veneno'; end if;
    return new;
  end $$;
  create function rechazar_aviso() returns trigger language plpgsql as $$
  begin
    if exists (select from veneno v where v.clase = 2 and v.guia = new.guia)
      then raise check_violation using message = 'veneno'; end if;
    return new;
  end $$;
  create trigger veneno before insert on mensajes for each row execute function rechazar_mensaje();
  create trigger veneno before insert on webhook_mensajes for each row execute function rechazar_aviso()`;

const LEFT = `select count(*) filter (where not exists (select from veneno v where v.guia_id = e.guia_id)) as good,
    count(*) filter (where causa is not null) as named
  from (
    select guia_id, null as causa from eventos_pendientes
    union all select guia_id, causa from eventos where proximo_en is not null
  ) e`;

const results = await onBothStores(options.redis, (stores) =>
  onStage(stores, async ({ database, env }) => {
    const merchant = await newMerchant(env);
    await query(
      database,
      `insert into webhooks (comercio_id, id, url, eventos, creado_en, actualizado_en)
       values ('${merchant.id}', gen_random_uuid(), 'https://tienda.example/avisos', '{guia.creada}', now(), now())`,
    );
    await seed(database, merchant.id, 0, EVENTS);
    await query(database, 'alter domain evento_tipo drop constraint evento_tipo_check');
    await query(database, POISONED);
    const service = await startService({ ...env, LOG_LEVEL: 'fatal' });
    const began = performance.now();
    const seconds = () => round((performance.now() - began) / 1_000);
    let dispatched;
    for (;;) {
      const [{ good, named }] = await query(database, LEFT);
      if (good === '0') dispatched ??= seconds();
      if (dispatched !== undefined && named === String(POISON)) break;
      await sleep(100);
    }
    await service.stop();
    return { dispatched, named: seconds() };
  }),
);
for (const [store, { dispatched, named }] of Object.entries(results)) {
  console.log(`\n${TITLES[store]}`);
  printRow(`${EVENTS} events, ${POISON} poison`, 'good', 'named');
  printRow('  s', dispatched, named);
}
