import { type ChatFieldName, trimMarks, type ChatText, type Span } from './chat-text.js';

/** How people name a field in front of it, folded. */
const LABELS = new Map(
  Object.entries({
    nombre:
      'nombre,nombres,nombre completo,nombre y apellido,nombre del cliente,cliente,name,recibe,quien recibe,persona que recibe,destinatario,a nombre de,para',
    telefono:
      'telefono,tel,celular,cel,movil,whatsapp,numero,numero de telefono,no. de telefono,contacto,fono,cel / whatsapp,cel/whatsapp,numero de celular,tel. de contacto',
    direccion:
      'direccion,direccion de entrega,direccion exacta,direccion completa,dir,domicilio,calle,calle y numero',
    departamento: 'departamento,depto,dpto,estado,provincia,region',
    municipio: 'municipio,muni,ciudad,canton,alcaldia,distrito,comuna,localidad,municipalidad,poblacion',
    referencia: 'referencia,referencias,ref,punto de referencia,senas',
    contenido: 'producto,productos,contenido,articulo,detalle',
    notas: 'nota,notas,observacion,observaciones,horario,comentario',
    cod_amount:
      'total,total a pagar,total a cobrar,monto,monto a cobrar,cobrar,a cobrar,cobro,precio,cod,valor,total con envio',
    maps_url: 'ubicacion,mapa,link de ubicacion,pin',
  } satisfies Record<ChatFieldName, string>).flatMap(([name, labels]) =>
    labels.split(',').map((label) => [label, name as ChatFieldName] as const),
  ),
);

/** Read by what they look like, wherever they stand; all others also by their label alone. */
const BY_LOOKS: readonly ChatFieldName[] = ['telefono', 'cod_amount', 'maps_url'];

/** Between a label and its value, which may stand in the line below. */
const SEPARATOR = /[:=\n]|[-–] /g;

/** Characters before a separator, in which the label stands. */
const MAX_LABEL = 40;

const MAX_LABELS = 30;

/** The values that a text labels: each up to the next label, or the end of its line. The labels are taken. */
export function labelledParts(chat: ChatText): Map<ChatFieldName, Span> {
  const { rest } = chat;
  const labels: (Span & { name: ChatFieldName })[] = [];
  for (const { 0: separator, index } of rest.matchAll(SEPARATOR)) {
    if (labels.length === MAX_LABELS) break;
    const end = index + separator.length;
    if (separator === '\n' && !/^[^\n:]{3}/.test(rest.slice(end, end + 3))) continue;
    const label = labelIn(rest.slice(Math.max(0, index - MAX_LABEL), index));
    const name = LABELS.get(label);
    if (name !== undefined) labels.push({ name, start: rest.lastIndexOf(label, index), end });
  }
  const parts = new Map<ChatFieldName, Span>();
  for (const [i, { name, start, end }] of labels.entries()) {
    const next = labels[i + 1]?.start ?? rest.length;
    const line = rest.indexOf('\n', end);
    const stop = Math.min(next, line < 0 ? rest.length : line);
    if (BY_LOOKS.includes(name)) continue;
    chat.take({ start, end });
    if (!parts.has(name) && stop > end) parts.set(name, { start: end, end: stop });
  }
  return parts;
}

/** The words at the end of a text, from the beginning of their line or the last mark. */
function labelIn(text: string): string {
  const words = trimMarks(text)
    .split(/[\n,;*•|–-]/)
    .at(-1)!
    .replace(/^[^a-z]+/, '');
  return LABELS.has(words) ? words : words.slice(words.lastIndexOf('. ') + 1).trim();
}
