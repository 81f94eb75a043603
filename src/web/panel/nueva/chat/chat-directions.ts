import { capitalised } from '../../../../platform/validation/text.js';
import type { ChatField, ChatReading, ChatText, Span } from './chat-text.js';

/** Where a description of the door begins: what people see, not an address. */
const LANDMARK =
  /(?:frente a|en frente|enfrente|a la par|a un costado|al costado|al lado|contiguo|cerca de|a la vuelta|atras de|detras de|junto a|junto al|esquina|antes de|despues de|pasando|entre calles|a \d{1,4} (?:metros|mts|cuadras|casas)|\d{1,4} (?:metros|mts|cuadras|varas)|una cuadra|media cuadra|casa (?:de |color |con )?(?:azul|verde|blanca|roja|amarilla|rosada|celeste|beige|cafe|naranja|gris|esquina|porton|dos niveles|2 niveles|color|con)|porton|puerta|fachada|color|referencia|donde (?:esta|venden|queda)|del? (?:parque|mercado|oxxo|super|estadio|semaforo))/;

/** Where an address begins. */
const ADDRESS =
  /(?<![a-z])(?:\d{1,3} ?(?:a|ra|da|ta|va|na)?\.? ?(?:calle|avenida|av|ave|transversal)|calle(?!s)|carrera|cra\.? |kra\.? |kr\.? ?\d|cll?\.? ?\d|jr\.? |jiron|barriada|vereda|lotificacion|paraje|avda\.? |anillo|avenida|av\.? |ave\.? |zona|z\.? ?\d|colonia|col\.? |residencial|res\.? |residenciales|boulevard|blvd|bulevar|lote|manzana|mz|sector|aldea|barrio|edificio|torre|apto|apartamento|depto \d|depa |departamento \d|interior|int\.? |condominio|canton|caserio|kilometro|km|carretera|calzada|diagonal|ruta|pasaje|senda|casa (?:no|num|#|numero|\d)|fraccionamiento|fracc|privada|cerrada|andador|urbanizacion|reparto|pje|poligono|bloque|block|finca|parcela|oficina|local|centro comercial|plaza|nivel \d)/;

const CONTENTS =
  /(?:quiero|quisiera|me da|mande|mandeme|envieme|enviame|pedi|es por|seria|serian|encargo|compre|apartar|aparte)(?: (?:pedir|comprar|el|la|los|las|de|encargar))? ((?:\d{1,2}|un|una|unos|unas|dos|tres|cuatro|el|la|los|las) [^,.;\n\ue000?]{2,80})/;
const NOTES =
  /(?:llamar|llame|llamen|llameme|avisar|avise|avisen|entregar|entregue|solo|estoy|estare|puede ser|recibo|despues de las|antes de las|por la (?:tarde|manana)|en horario)[^.;\n\ue000]{0,12}(?:antes|llegar|llegue|tarde|manana|lunes|martes|miercoles|jueves|viernes|sabado|domingo|\d{1,2} ?(?:am|pm|a\.|p\.|hrs|de la|a \d)|las \d{1,2}|dia|casa despues)[^.;,\n\ue000]{0,60}/;

/** Words and marks at the end of a part that are none of its own. */
const AFTER =
  /(?:[\s,.;:*_¿?¡!()\-–•|#]|\p{Extended_Pictographic}|\ufe0f|(?<![a-zñ\d])(?:gracias|muchas|verdad|cierto|por favor|porfa|porfavor|saludos|y|en|de|es|son|con|mi|a|el|la|que|para|seria|serian|total|cel|tel|telefono|celular|numero|whatsapp|por|bendiciones|ok|queda|ubicacion|direccion|al|del|pago|contra|efectivo|estoy|vivo|pagar|cobrar|nombre|municipio|muni|departamento|depto|soy|mando|le|aqui|adjunto|precio|envio|quedo|pendiente|atte))$/u;

/** Between the parts of an address. The point after an abbreviation is none. */
const BETWEEN =
  /[\n\ue000;]|,(?= )|(?<!\b(?:av|ave|avda|cra|kra|cl|cll|jr|psje|col|res|no|num|sta|sto|int|apto|blvd|mz|km|z|dr|gral|edif|casa))\.(?= )/g;

const MAX_PIECES = 80;
const MAX_TRIMS = 40;

const NOTE = 'Lo tomamos del texto. Revíselo.';

/** Takes what is left of a text: address, landmark, contents and notes. All of it is to be looked at. */
export function readDirections(chat: ChatText): ChatReading {
  const notas = takeFirst(chat, NOTES);
  const contenido = takeFirst(chat, CONTENTS, 1);
  const addresses: string[] = [];
  const landmarks: string[] = [];
  for (const { start, end } of piecesOf(chat)) {
    const piece = chat.rest.slice(start, end);
    const landmark = LANDMARK.exec(piece)?.index;
    const address = ADDRESS.exec(piece)?.index;
    if (landmark !== undefined && (address === undefined || landmark <= address))
      landmarks.push(trimmed(chat, start + landmark, end));
    else if (address !== undefined) {
      addresses.push(trimmed(chat, start + address, start + (landmark ?? piece.length)));
      if (landmark !== undefined) landmarks.push(trimmed(chat, start + landmark, end));
    }
  }
  return {
    direccion: fieldOf(addresses),
    referencia: fieldOf(landmarks),
    contenido: fieldOf(contenido),
    notas: fieldOf(notas),
  };
}

/** The parts between marks. */
function piecesOf(chat: ChatText): Span[] {
  const marks = chat.find(BETWEEN);
  const starts = [0, ...marks.map(({ end }) => end)];
  const ends = [...marks.map(({ start }) => start), chat.rest.length];
  const pieces = starts.map((start, i) => ({ start, end: ends[i]! }));
  return pieces.filter(({ start, end }) => start < end).slice(0, MAX_PIECES);
}

function fieldOf(texts: string[]): ChatField | undefined {
  const text = [...new Set(texts)].filter((one) => one !== '').join(', ');
  return text === '' ? undefined : { valor: capitalised(text), nota: NOTE };
}

function takeFirst(chat: ChatText, pattern: RegExp, group = 0): string[] {
  const match = pattern.exec(chat.rest);
  if (!match) return [];
  const end = match.index + match[0].length;
  const text = trimmed(chat, end - match[group]!.length, end);
  chat.take({ start: match.index, end });
  return text.length < 3 ? [] : [text];
}

/** A part without the words and marks at its end. */
function trimmed({ rest, text }: ChatText, start: number, last: number): string {
  let end = last;
  for (let i = 0; i < MAX_TRIMS && start < end; i++) {
    const length = AFTER.exec(rest.slice(Math.max(start, end - 20), end))?.[0].length ?? 0;
    if (length === 0) break;
    end -= length;
  }
  return text.slice(start, end).trim();
}
