import type { TestDatabase } from '../support/database.js';
import type { StubRequest } from '../support/http-stub.js';
import type { Acknowledgement } from './clients.js';

/** The results of a run that has settled. */
export interface Evidence {
  journal: Acknowledgement[];
  /** Requests that the provider got. */
  sent: StubRequest[];
  /** Requests that the merchant's endpoint got, each about the creation of a guide. */
  delivered: StubRequest[];
  database: TestDatabase;
  /** Guide numbers of messages that were being sent when a fault fell, once per fault. */
  inDoubt: string[];
  /** Unfinished jobs by state. */
  jobs: Record<string, number>;
}

/** How a property did. */
export interface Verdict {
  property: string;
  /** How often it could have failed. */
  trials: number;
  /** In words. */
  violations: string[];
}

interface Rows {
  guias: { id: string; guia: string; external_ref: string }[];
  mensajes: { guia: string; estado: string }[];
  eventos: { tipo: string }[];
}

/** Judges everything that is promised. */
export async function judge(evidence: Evidence): Promise<Verdict[]> {
  const { journal, sent, delivered, inDoubt, jobs } = evidence;
  const { guias, mensajes, eventos } = await read(evidence.database);
  const byRef = groups(guias, (guia) => guia.external_ref);
  const acknowledged = new Set(journal.map(({ ref }) => ref));
  const messages = groups(mensajes, ({ guia }) => guia);
  const sends = groups(sent, ({ json }) => json.guia as string);
  const deliveries = groups(delivered, ({ json }) => json.data.guia.guia as string);
  const doubts = groups(inDoubt, (guia) => guia);
  const repeatsOf = (all: Map<string, StubRequest[]>) =>
    [...all].filter(([, requests]) => requests.length > 1);
  const changed = (all: Map<string, StubRequest[]>) =>
    repeatsOf(all).filter(([, requests]) => new Set(requests.map(fingerprint)).size > 1);
  const verdict = (property: string, trials: number, violations: string[]) => ({
    property,
    trials,
    violations,
  });

  return [
    verdict(
      'an acknowledged guide is kept',
      journal.length,
      journal
        .filter(({ ref, id, guia }) => !byRef.get(ref)?.some((row) => row.id === id && row.guia === guia))
        .map(({ ref, guia }) => `${ref} was acknowledged as ${guia}, which is missing`),
    ),
    verdict(
      'a reference makes one guide',
      byRef.size,
      [...byRef]
        .filter(([, rows]) => rows.length > 1)
        .map(([ref, rows]) => `${ref} was made ${rows.length} times`),
    ),
    verdict(
      'a guide was asked for',
      guias.length,
      guias
        .filter((row) => !acknowledged.has(row.external_ref))
        .map((row) => `${row.external_ref} was never asked for`),
    ),
    verdict(
      'a guide has one message, which ends accepted',
      guias.length,
      guias
        .map(({ guia }) => [
          guia,
          messages
            .get(guia)
            ?.map(({ estado }) => estado)
            .join(', '),
        ])
        .filter(([, states]) => states !== 'aceptado')
        .map(([guia, states]) => `the messages of ${guia}: ${states ?? 'none'}`),
    ),
    verdict(
      "a guide's message reaches the provider",
      guias.length,
      guias.filter(({ guia }) => !sends.has(guia)).map(({ guia }) => `the message of ${guia} was never sent`),
    ),
    verdict(
      'a message is sent again only if a fault fell on it',
      sent.length,
      repeatsOf(sends)
        .filter(([guia, { length }]) => length - 1 > (doubts.get(guia)?.length ?? 0))
        .map(([guia, { length }]) => `the message of ${guia} was sent ${length} times without a fault`),
    ),
    verdict(
      'a message sent again is the same',
      repeatsOf(sends).length,
      changed(sends).map(([guia]) => `the repeat of the message of ${guia} had another webhook-id or body`),
    ),
    verdict(
      "a guide's webhook reaches the merchant",
      guias.length,
      guias.filter(({ guia }) => !deliveries.has(guia)).map(({ guia }) => `no webhook told of ${guia}`),
    ),
    verdict(
      'a webhook sent again is the same',
      repeatsOf(deliveries).length,
      changed(deliveries).map(
        ([guia]) => `the repeat of the webhook of ${guia} had another webhook-id or body`,
      ),
    ),
    verdict(
      'an event is dispatched',
      guias.length,
      eventos.map(({ tipo }) => `an event ${tipo} was not dispatched`),
    ),
    verdict(
      'a job ends',
      guias.length,
      Object.entries(jobs)
        .filter(([, count]) => count > 0)
        .map(([state, count]) => `${count} jobs are left ${state}`),
    ),
  ];
}

async function read(database: TestDatabase): Promise<Rows> {
  const [guias, mensajes, eventos] = await Promise.all([
    database.query<Rows['guias'][0]>('select id, guia, external_ref from guias'),
    database.query<Rows['mensajes'][0]>(
      'select g.guia, m.estado from mensajes m left join guias g on g.id = m.guia_id and g.comercio_id = m.comercio_id',
    ),
    database.query<Rows['eventos'][0]>(
      `select tipo from eventos where proximo_en is not null
       union all select tipo from eventos_pendientes join eventos using (comercio_id, guia_id, id)`,
    ),
  ]);
  return { guias, mensajes, eventos };
}

function fingerprint({ headers, rawBody }: StubRequest): string {
  return `${String(headers['webhook-id'])} ${rawBody.toString()}`;
}

function groups<T, K>(list: T[], keyOf: (item: T) => K): Map<K, T[]> {
  const grouped = new Map<K, T[]>();
  for (const item of list) {
    const group = grouped.get(keyOf(item));
    if (group) group.push(item);
    else grouped.set(keyOf(item), [item]);
  }
  return grouped;
}
