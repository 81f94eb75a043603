import type { ChatFieldName } from './chat-field.js';
import type { ChatText, Span } from './chat-text.js';

/** How people name a field in front of it, folded. */
const LABELS = new Map(
  Object.entries({
    nombre:
      'nombre,nombres,nombre completo,nombre y apellido,nombre del cliente,cliente,name,recibe,quien recibe,persona que recibe,destinatario,a nombre de,para',
    telefono: 'telefono,tel,celular,cel,movil,whatsapp,numero,numero de telefono,no. de telefono,contacto',
    direccion:
      'direccion,direccion de entrega,direccion exacta,direccion completa,dir,domicilio,calle,calle y numero',
    departamento: 'departamento,depto,estado,provincia',
    municipio: 'municipio,muni,ciudad,canton,alcaldia,distrito',
    referencia: 'referencia,referencias,ref,punto de referencia,senas',
    contenido: 'producto,productos,contenido,articulo,detalle',
    notas: 'nota,notas,observacion,observaciones,horario,comentario',
    cod_amount: 'total,total a pagar,total a cobrar,monto,monto a cobrar,cobrar,a cobrar,cobro,precio,cod',
    maps_url: 'ubicacion,mapa,link de ubicacion,pin',
  } satisfies Record<ChatFieldName, string>).flatMap(([name, labels]) =>
    labels.split(',').map((label) => [label, name as ChatFieldName] as const),
  ),
);

/** Most fields are read by what they look like, wherever they stand; these also by their label alone. */
const BY_LABEL: readonly ChatFieldName[] = [
  'nombre',
  'direccion',
  'departamento',
  'municipio',
  'referencia',
  'contenido',
  'notas',
];

/** Words that begin a line or follow a mark, up to a colon or an equals sign. */
const LABEL =
  /(^|[\n,;.*•|\-–])([ \t]{0,4}[^\p{L}\d\n]{0,6})(\p{L}[\p{L} .]{1,24}?)[ *_]{0,3}(?:(?:[:=]|[-–] )[ *_]{0,4}|(?=\n[^\n:]{3}))/gu;

/** Labels that are looked at. */
const MAX_LABELS = 30;

/** The values that a text labels: each up to the next label, or the end of its line. The labels are taken. */
export function labelledParts(chat: ChatText): Map<ChatFieldName, Span> {
  const labels: (Span & { name: ChatFieldName })[] = [];
  for (const match of chat.rest.matchAll(LABEL)) {
    const word = match[3]!.trim();
    if (labels.length === MAX_LABELS) break;
    const name = LABELS.get(word);
    if (name === undefined) continue;
    const start = match.index + match[1]!.length + match[2]!.length;
    const end = match.index + match[0].length;
    // A value may stand in the line below.
    labels.push({ name, start, end: chat.rest[end] === '\n' ? end + 1 : end });
  }
  const parts = new Map<ChatFieldName, Span>();
  for (const [i, { name, start, end }] of labels.entries()) {
    const next = labels[i + 1]?.start ?? chat.rest.length;
    const line = chat.rest.indexOf('\n', end);
    const stop = Math.min(next, line < 0 ? chat.rest.length : line);
    if (!BY_LABEL.includes(name)) continue;
    chat.take({ start, end });
    if (!parts.has(name) && stop > end) parts.set(name, { start: end, end: stop });
  }
  return parts;
}
