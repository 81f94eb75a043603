import type { CountryCode } from 'libphonenumber-js';
import { inFours } from '../../guias/guia/guia-digits.js';
import { money } from '../../guias/guia/local-format.js';
import { dayOf, localIso } from '../../platform/validation/time-zone.js';
import type { NuevoCorreo } from '../correos.service.js';
import type { AvisoRow } from './avisos.queries.js';
import type { AvisoCodigo } from './correo-aviso.entity.js';

/** Where and how amounts and times are written, and how pages are linked. */
export interface AvisoContext {
  zone: string;
  pais: CountryCode;
  moneda: string;
  /** ms since 1970. */
  now: number;
  /** An absolute link. @param path with a slash before it. */
  url: (path: string) => string;
}

type AvisoText = Pick<NuevoCorreo, 'asunto' | 'titulo' | 'nota' | 'parrafos' | 'filas' | 'boton' | 'despues'>;

/** The occasion in a line; `quien` is the recipient's first name. */
const TITLES: Record<AvisoCodigo, (quien: string, row: AvisoRow) => string> = {
  destinatario_no_recibio: (quien) => `${quien} dijo que no lo recibió`,
  destinatario_niega: (quien) => `${quien} dice que el paquete no es suyo`,
  cod_distinto: (quien) => `A ${quien} se le cobró otro monto`,
  cancelada_ya_recogida: (quien) => `Se canceló lo de ${quien}, y el paquete está con la mensajería`,
  extraviado: (quien) => `Se extravió el paquete de ${quien}`,
  webhook_desactivado: (_, { detalle }) => `Ya no enviamos avisos a ${detalle ?? 'su webhook'}`,
};

const ADVICE: Record<AvisoCodigo, string> = {
  destinatario_no_recibio: 'La mensajería también lo sabe. Lo que usted averigüe, díganoslo.',
  destinatario_niega: 'No le escribimos más. Revise el teléfono en la guía, o cancélela.',
  cod_distinto: 'Si no lo acordaron así, hable con la mensajería.',
  cancelada_ya_recogida: 'Pida el paquete a la mensajería.',
  extraviado: 'Avise a su cliente, y hable con la mensajería.',
  webhook_desactivado:
    'No respondió durante cinco días, o dijo que ya no existe. Corríjalo y actívelo otra vez: lo que no llegó se puede reenviar.',
};

const LOST: readonly AvisoCodigo[] = ['destinatario_no_recibio', 'extraviado'];

/** A mail that tells one thing, or several. @param rows at least one. */
export function avisoText(rows: AvisoRow[], context: AvisoContext): AvisoText {
  const [first] = rows;
  const { total, guia } = first!;
  const isOneGuia = guia !== null && total === rows.length && rows.every((row) => row.guia === guia);
  const boton = isOneGuia
    ? { texto: 'Ver la guía', url: context.url(`/panel/guias/${guia}`) }
    : { texto: 'Ver lo de hoy', url: context.url('/panel') };
  if (total === 1) return { ...textOfOne(first!, context), boton };
  const asunto = `${total} avisos de sus guías`;
  const filas = rows.map((row) => [titleOf(row), summaryOf(row, context)] as const);
  const more = total > rows.length ? [`Y ${total - rows.length} más.`] : [];
  return { asunto, parrafos: [], filas, boton, despues: more };
}

function textOfOne(row: AvisoRow, context: AvisoContext): AvisoText {
  const { codigo, guia, external_ref, nota, cod_amount, cod_cobrado, entregada_en, corregido } = row;
  const titulo = titleOf(row);
  const amount = (value: string | null) => money(value ?? 0, context.moneda, context.pais);
  const filas: [string, string][] = [];
  if (guia !== null) filas.push(['Guía', inFours(guia)]);
  if (external_ref !== null) filas.push(['Su pedido', external_ref]);
  if (codigo === 'destinatario_no_recibio' && entregada_en !== null)
    filas.push(['Consta entregado', timeOf(entregada_en, context)]);
  if (codigo === 'destinatario_no_recibio' && cod_cobrado !== null)
    filas.push(['Consta cobrado', amount(cod_cobrado)]);
  if (codigo === 'cod_distinto') filas.push(['Había que cobrar', amount(cod_amount)]);
  if (codigo === 'cod_distinto' && !corregido) filas.push(['Se cobró', amount(cod_cobrado)]);
  if (['destinatario_niega', 'extraviado'].includes(codigo) && Number(cod_amount) > 0)
    filas.push(['Por cobrar', amount(cod_amount)]);
  const said = nota === null ? '' : `, en su página: «${withoutPhones(nota)}»`;
  const when = timeOf(row.creado_en, context);
  return {
    asunto: guia === null ? titulo : `${titulo} (guía ${guia.slice(-4)})`,
    titulo,
    nota: {
      texto: `${when[0]!.toUpperCase()}${when.slice(1)}${said}.`,
      tono: LOST.includes(codigo) && !corregido ? 'bad' : 'care',
    },
    parrafos: [],
    filas,
    despues: [corregido ? 'La mensajería ya lo corrigió.' : ADVICE[codigo]],
  };
}

/** In the list of several: the amounts, where it is about them, the number and the merchant's reference. */
function summaryOf(
  { codigo, guia, external_ref, cod_amount, cod_cobrado, corregido }: AvisoRow,
  context: AvisoContext,
): string {
  const amount = (value: string | null) => money(value ?? 0, context.moneda, context.pais);
  const difference = codigo === 'cod_distinto' && `${amount(cod_cobrado)} de ${amount(cod_amount)}`;
  return [corregido ? 'ya se corrigió' : difference, guia && inFours(guia), external_ref]
    .filter(Boolean)
    .join(' · ');
}

function titleOf(row: AvisoRow): string {
  const words = withoutPhones(row.destinatario ?? '').split(' ');
  const name = words.find((word) => /\p{L}/u.test(word)) ?? 'su cliente';
  return TITLES[row.codigo](name, row).replace(/^su/, 'Su');
}

/** "hoy a las 13:15", or "el 24 de noviembre a las 9:05", where the merchant is. */
function timeOf(at: Date, { zone, now }: AvisoContext): string {
  const time = localIso(at.getTime(), zone).slice(11, 16).replace(/^0/, '');
  if (dayOf(at.getTime(), zone) === dayOf(now, zone)) return `hoy a las ${time}`;
  const day = at.toLocaleDateString('es', { timeZone: zone, day: 'numeric', month: 'long' });
  return `el ${day} a las ${time}`;
}

/** Words of a person, without numbers that may be phones. */
const withoutPhones = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/\+?\d(?:[ ().-]{0,3}\d){6,}/g, '…');
