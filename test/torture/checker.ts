import type { TestDatabase } from '../support/database.js';
import type { StubRequest } from '../support/http-stub.js';
import type { Acknowledgement } from './clients.js';

/** The results of a run that has settled. */
export interface Evidence {
  journal: Acknowledgement[];
  /** Requests that the provider got. */
  sent: StubRequest[];
  database: TestDatabase;
  /** Guide numbers of messages that a worker was sending when it was killed, once per kill. */
  inDoubt: string[];
  /** Unfinished jobs by state. */
  jobs: Record<string, number>;
}

/** Violations of one kind that are reported one by one. */
const SHOWN = 5;

interface Rows {
  guias: { id: string; guia: string; external_ref: string }[];
  mensajes: { guia: string; estado: string }[];
  eventos: { tipo: string }[];
}

/** Every broken guarantee, in words; empty if all were kept. */
export async function violations(evidence: Evidence): Promise<string[]> {
  const { journal, sent, inDoubt, jobs } = evidence;
  const { guias, mensajes, eventos } = await read(evidence.database);
  const byRef = groups(guias, (guia) => guia.external_ref);
  const sends = groups(sent, (request) => request.json.guia as string);
  const repeated = [...sends].filter(([, requests]) => requests.length > 1);
  const acknowledged = groups(journal, (one) => one.ref);

  const all = [
    journal
      .filter(({ ref, id, guia }) => !byRef.get(ref)?.some((row) => row.id === id && row.guia === guia))
      .map(({ ref, guia }) => `${ref} was acknowledged as ${guia}, which is missing`),
    [...byRef]
      .filter(([, rows]) => rows.length > 1)
      .map(([ref, rows]) => `${ref} was made ${rows.length} times`),
    guias
      .filter((row) => !acknowledged.has(row.external_ref))
      .map((row) => `${row.external_ref} was never asked for`),

    guias.filter((row) => !sends.has(row.guia)).map((row) => `the message of ${row.guia} was never sent`),
    guias
      .filter((row) => mensajes.filter((mensaje) => mensaje.guia === row.guia).length !== 1)
      .map((row) => `${row.guia} has not exactly one message`),
    mensajes
      .filter((mensaje) => mensaje.estado !== 'aceptado')
      .map(({ guia, estado }) => `the message of ${guia} is ${estado}`),

    repeated
      .filter(([, requests]) => new Set(requests.map(fingerprint)).size > 1)
      .map(([guia]) => `the repeat of the message of ${guia} had another webhook-id or body`),
    // A message may be sent twice only if a worker died after the provider's answer and before its own commit.
    repeated
      .filter(([guia, requests]) => requests.length - 1 > inDoubt.filter((one) => one === guia).length)
      .map(
        ([guia, { length }]) =>
          `the message of ${guia} was sent ${length} times, though no worker died over it`,
      ),

    eventos.map(({ tipo }) => `an event ${tipo} was not dispatched`),
    Object.entries(jobs)
      .filter(([, count]) => count > 0)
      .map(([state, count]) => `${count} jobs are left ${state}`),
  ];
  return all.flatMap((kind) =>
    kind.length <= SHOWN ? kind : [...kind.slice(0, SHOWN), `… and ${kind.length - SHOWN} more like it`],
  );
}

async function read(database: TestDatabase): Promise<Rows> {
  const [guias, mensajes, eventos] = await Promise.all([
    database.query<Rows['guias'][0]>('select id, guia, external_ref from guias'),
    database.query<Rows['mensajes'][0]>(
      'select g.guia, m.estado from mensajes m left join guias g on g.id = m.guia_id and g.comercio_id = m.comercio_id',
    ),
    database.query<Rows['eventos'][0]>('select tipo from eventos where despachado_en is null'),
  ]);
  return { guias, mensajes, eventos };
}

function fingerprint({ headers, rawBody }: StubRequest): string {
  return `${String(headers['webhook-id'])} ${rawBody.toString()}`;
}

function groups<T, K>(list: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const grouped = new Map<K, T[]>();
  for (const item of list) grouped.set(keyOf(item), [...(grouped.get(keyOf(item)) ?? []), item]);
  return grouped;
}
