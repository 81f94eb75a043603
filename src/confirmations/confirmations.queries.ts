import type { QueryConfig } from 'pg';
import { arrayLiteral } from '../database/array-literal.js';
import { whereConfirmable } from '../guias/changes/guia-confirmations.queries.js';
import type { GuiaKey } from '../guias/guia-key.js';
import { TOKEN_DAYS } from './token.js';

const MINT = `insert into confirmaciones (huella, comercio_id, guia_id, secuencia, creada_en, expira_en)
  select huella, comercio_id, guia_id, secuencia, now(), now() + interval '${TOKEN_DAYS} days'
  from unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::integer[]) as nueva (huella, comercio_id, guia_id, secuencia)
  on conflict do nothing`;

/** Stores links by the hashes of their tokens; those stored before stay as they are. */
export function mintLinks(links: ({ huella: Buffer; secuencia: number } & GuiaKey)[]): QueryConfig {
  const values = [
    links.map(({ huella }) => huella),
    arrayLiteral(links.map(({ comercioId }) => comercioId)),
    arrayLiteral(links.map(({ guiaId }) => guiaId)),
    arrayLiteral(links.map(({ secuencia }) => secuencia)),
  ];
  return { name: 'confirmaciones-mint', text: MINT, values };
}

/** A link that may still be answered, and its guide. */
export interface OpenLinkRow {
  comercio_id: string;
  guia_id: string;
  comercio: string;
  guia: string;
  municipio: string;
  confirmada_en: Date | null;
  /** Whether the destination is far from the merchant's country. */
  lejos: boolean;
  telefono_secuencia: number | null;
}

// A link sent to a phone that the guide no longer has does not open it.
const FIND = `select g.comercio_id, g.id as guia_id, c.nombre as comercio, g.guia, g.municipio, g.confirmada_en,
    'destino_fuera_del_pais' = any (g.advertencias) as lejos, g.telefono_secuencia
  from confirmaciones t
  join guias g on ${whereConfirmable('g')} and g.comercio_id = t.comercio_id and g.id = t.guia_id
  join comercios c on c.id = t.comercio_id
  where t.huella = $1 and t.expira_en > now() and coalesce(t.secuencia, 0) >= coalesce(g.telefono_secuencia, 0)`;

/** The open link with this hash of its token. */
export function findOpenLink(huella: Buffer): QueryConfig {
  return { name: 'confirmacion', text: FIND, values: [huella] };
}
