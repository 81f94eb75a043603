import { quoted } from '../../../platform/database/quoted.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import { INITIAL_ESTADO, OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { countIn, MAX_COUNTED, MAX_SEARCHED, newestIn } from '../../../guias/guia/newest-guias.js';
import { readSearch, type SearchTerms } from '../../../guias/search/search-terms.js';
import { MOVABLE_ESTADOS, NADIE, type DispatchFilter } from './dispatch-filter.js';

/** Of a value: how a statement names it. */
export type Param = (value: unknown) => string;

/** Words that so many of the newest guides have are not looked for among all. */
const OFTEN = 200;

/** The guides of these keys, each by its key: for all at once, the planner would read the whole table. */
export const guiasOf = (keys: string) =>
  `${keys} k cross join lateral (select * from guias where comercio_id = k.comercio_id and id = k.id offset 0) g`;

const ofPlace = (column: 'municipio' | 'departamento', name: string, param: Param) =>
  `clave_lugar(g.${column}) = (select clave_lugar(${param(name)}))`;

/**
 * The beginning of a statement. `shops`: the merchants of the filter, where it names any. `newest`: the keys of the guides that
 * are searched. `matches`: each guide that matches, with its place `n` in the list, from 1.
 */
export function matching(filter: DispatchFilter, param: Param): string {
  const { estados, municipio, departamento, piloto, comercio, confirmada, area } = filter;
  const created = createdIn(filter, param);
  const where = [`g.estado in (${quoted(estados)}) ${created}`];
  if (filter.isVoid) where.push('false');
  if (municipio !== undefined) where.push(ofPlace('municipio', municipio, param));
  if (departamento !== undefined) where.push(ofPlace('departamento', departamento, param));
  if (piloto === NADIE) where.push('g.piloto_id is null');
  else if (piloto !== undefined) where.push(`g.piloto_id = ${param(piloto)}`);
  if (comercio !== undefined) where.push('g.comercio_id in (select id from shops)');
  if (confirmada !== undefined)
    where.push(confirmada ? 'g.direccion_confirmada' : 'not g.direccion_confirmada');
  if (area) {
    const [south, west, north, east] = area.map(param);
    where.push(`g.destino_lat between ${south} and ${north} and g.destino_lng between ${west} and ${east}`);
  }
  const found = filter.q === undefined ? undefined : searchOf(filter.q, param);
  if (found) where.push(found.where);
  return `with ${comercio === undefined ? '' : `shops as materialized (${shopsOf(comercio, param)}),`}
    newest as materialized (${newestOf(filter, created, param)}), ${found ? `${found.ctes},` : ''}
    matches as materialized (
      select g.comercio_id, g.id, g.guia, g.direccion_confirmada, g.destino_lat as lat, g.destino_lng as lng,
        row_number() over (order by g.direccion_confirmada, g.id desc) as n
      from ${guiasOf(found ? `(${found.keys})` : 'newest')} where ${where.join(' and ')}
    )`;
}

/** SQL of all that match: those that were found, or what the index of states counts where more match than were searched. */
export function totalOf(filter: DispatchFilter, param: Param): string {
  const found = '(select count(*)::int from matches)';
  return isCounted(filter)
    ? `case when (select count(*) from newest) < ${MAX_SEARCHED} then ${found} else (${countIn(filter.estados, among(filter, createdIn(filter, param)))}) end`
    : found;
}

/** SQL of whether more may match than `total`, which was neither searched nor counted. */
export function isLeftOf(filter: DispatchFilter): string {
  if (isCounted(filter)) return `total = ${MAX_COUNTED}`;
  const isFull = `(select count(*) from newest) = ${MAX_SEARCHED}`;
  if (filter.q === undefined) return isFull;
  const { ultimos, palabras } = termsOf(filter.q);
  if (ultimos) return isFull;
  return palabras ? `${isFull} and (select count(*) from reciente) >= ${OFTEN}` : 'false';
}

/** Whether the index of states knows how many match: it has no more than the merchant, the state and the id. */
const isCounted = ({ municipio, departamento, piloto, confirmada, q, area }: DispatchFilter) =>
  [municipio, departamento, piloto, confirmada, q, area].every((part) => part === undefined);

/** Whether `newest` has the newest of all, whatever the filter. */
export const isOfAll = ({
  municipio,
  departamento,
  piloto = NADIE,
  comercio,
  desde,
  hasta,
}: DispatchFilter) =>
  piloto === NADIE && [municipio, departamento, comercio, desde, hasta].every((part) => part === undefined);

const among = ({ comercio }: DispatchFilter, guia: string) => ({
  guia,
  ...(comercio !== undefined && { comercio: 'and c.id in (select id from shops)' }),
});

function createdIn({ desde, hasta }: DispatchFilter, param: Param): string {
  const from = desde === undefined ? '' : `and g.id >= ${param(firstIdAt(desde))}::uuid`;
  return hasta === undefined ? from : `${from} and g.id < ${param(firstIdAt(hasta + 1))}::uuid`;
}

/** A whole name before a part of one. */
function shopsOf(comercio: string, param: Param): string {
  const typed = `${param(comercio)}::text`;
  return `select id, nombre from comercios, lateral (select clave_lugar(nombre) as clave) own, (select clave_lugar(${typed}) as clave) typed
    where prueba_de is null and (id::text = lower(${typed}) or own.clave = typed.clave or position(typed.clave in own.clave) > 0
      and not exists (select from comercios e where e.prueba_de is null and clave_lugar(e.nombre) = typed.clave))`;
}

/**
 * SQL of the keys of guides that may match, `MAX_SEARCHED` at most: the newest of a driver, a merchant or a place where one is
 * given, by its index; else the newest of all.
 */
function newestOf(filter: DispatchFilter, created: string, param: Param): string {
  const { estados, municipio, departamento, piloto, comercio } = filter;
  const newest = (
    of: string,
  ) => `select own.* from unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
      select g.comercio_id, g.id from guias g where ${of} and not g.de_prueba and g.estado = e.estado ${created}
      order by g.id desc limit ${MAX_SEARCHED}
    ) own order by own.id desc limit ${MAX_SEARCHED}`;
  if (piloto !== undefined && piloto !== NADIE) return newest(`g.piloto_id = ${param(piloto)}`);
  if (comercio !== undefined) return newestIn(estados, among(filter, created));
  if (municipio !== undefined) return newest(ofPlace('municipio', municipio, param));
  if (departamento !== undefined) return newest(ofPlace('departamento', departamento, param));
  return newestIn(estados, { guia: created });
}

/** The readings of a text; any last digits of a guide's number are enough. */
function termsOf(q: string): SearchTerms {
  const digits = q.replace(/\s/g, '');
  return { ...readSearch(q, [], false), ...(/^\d{3,11}$/.test(digits) && { ultimos: digits }) };
}

/** Of a guide that drivers may have in hand there is an index of its last digits, while nobody has it. */
const IN_HAND = OPEN_ESTADOS.filter((estado) => estado !== INITIAL_ESTADO);

/**
 * How a text is searched: what a guide `g` is found by, and the keys of those that may be. Where `newest` is not all, those that
 * an index knows are added.
 */
function searchOf(q: string, param: Param): { where: string; ctes: string; keys: string } {
  const { numero, ultimos, referencias, palabras } = termsOf(q);
  const isFull = `(select count(*) from newest) = ${MAX_SEARCHED}`;
  const where: string[] = [];
  const keys = ['select comercio_id, id from newest'];
  const ctes: string[] = [];
  if (numero !== undefined) {
    where.push(`g.guia = ${param(numero)}`);
    keys.push(
      `select comercio_id, id from guias where guia = ${param(numero)} and not de_prueba and ${isFull}`,
    );
  }
  if (ultimos !== undefined) {
    const digits = `${param(ultimos)}::text`;
    const ends = `right(g.guia, length(${digits})) = ${digits}`;
    where.push(ends);
    keys.push(
      `select g.comercio_id, g.id from guias g where left(reverse(g.guia), 4) = left(reverse(${digits}), 4) and g.piloto_id is null
        and not g.de_prueba and g.estado in (${quoted(IN_HAND)}) and ${ends} and ${isFull}`,
      `select own.* from pilotos p cross join unnest(array[${quoted(MOVABLE_ESTADOS)}]) e (estado) cross join lateral (
        select g.comercio_id, g.id from guias g where g.piloto_id = p.id and not g.de_prueba and g.estado = e.estado and ${ends} offset 0
      ) own where ${isFull}`,
    );
  }
  if (referencias !== undefined) {
    const refs = `${param(referencias)}::text[]`;
    where.push(`g.external_ref = any (${refs})`);
    keys.push(`select own.* from comercios c cross join lateral (
        select g.comercio_id, g.id from guias g where g.comercio_id = c.id and g.external_ref = any (${refs}) offset 0
      ) own where c.prueba_de is null and ${isFull}`);
  }
  if (palabras !== undefined) {
    const patterns = palabras.map((word) => param(word.replace(/[\\%_]/g, '\\$&')));
    const has = (text: string) =>
      patterns.map((pattern) => `${text} like '%' || clave_lugar(${pattern}::text) || '%'`).join(' and ');
    where.push(has(`clave_lugar(concat_ws(E'\\n', g.destinatario, g.external_ref))`));
    ctes.push(`reciente as materialized (
      select n.comercio_id, n.id from newest n cross join lateral (
        select texto from busqueda where comercio_id = n.comercio_id and guia_id = n.id offset 0
      ) b where ${isFull} and ${has('b.texto')}
    )`);
    keys.push(`(select b.comercio_id, b.guia_id from busqueda b where ${isFull}
      and (select count(*) from reciente) < ${OFTEN} and ${has('b.texto')} limit ${MAX_SEARCHED})`);
  }
  ctes.push(`searched as materialized (${keys.join(' union ')})`);
  return {
    where: where.length === 0 ? 'false' : `not g.de_prueba and (${where.join(' or ')})`,
    ctes: ctes.join(', '),
    keys: 'select comercio_id, id from searched',
  };
}
