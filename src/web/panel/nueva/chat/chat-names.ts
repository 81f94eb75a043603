import { isNoName } from '../../../../platform/validation/placeholder.js';
import type { Mention } from './chat-places.js';
import { type ChatField, folded, trimMarks, type ChatText, type Span } from './chat-text.js';

/** Before a name. */
const INTRODUCED =
  /(?:^|[^a-z])(?:soy|me llamo|mi nombre es|a nombre de|nombre es|le saluda|le escribe|atte|att|atentamente|recibe|entregar a|dejar con|para la senora|para el senor|para don|para dona|para) ?[.:,]? {0,2}/g;

/** Words after which, and at which, a name ends. */
const NO_NAME = new Set(
  (
    'a al ahi ahora aqui amiga amigo apto av avenida buen buena buenas bueno buenos calle cancelado casa cel celular ciudad cliente ' +
    'clienta cobrar col colonia como con confirmo contra cuando dejo dia dias dije direccion disculpe donde el ella en entrega ' +
    'entregar envio es escribo esa ese esta estado estoy favor frente fue gracias hola hoy interesada interesado la las le les lo los ' +
    'manana mando mande mi mia mio mismo misma muchas mucho muni municipio mun necesito no noche noches nueva nuevo numero o otra otro otra vez paso pedi ' +
    'pedido pago para pero pido por porfa porton precio puede puedo que quien quiero quisiera quiere recibe recibir referencia residencial saludos se seria ' +
    'sera si sigo solo son soy su tarde tardes te tel telefono tengo total trabajo tu ubicacion un una va van verdad vez vivo whatsapp wsp ya yo y ' +
    'ocupo deseo busco compre encargo vengo hablo pregunto urge queremos consulto espero deposite transferi adjunto vendo zona mas pasaje carrera jr cra comuna localidad del pedido residencia depto departamento barrio canton aldea edificio lote cerca junto mandar mandeme envieme me nada todo blusa blusas zapatos sin cobro pagado pagada'
  ).split(' '),
);

const PARTICLES = new Set(['de', 'del', 'la', 'las', 'los', 'san']);
const TITLES = /^(?:don|dona|sr|sra|srta|senor|senora|senorita|lic|ing|dr|dra)\.? /;

const MAX_NAME_WORDS = 5;
const MAX_INTRODUCTIONS = 6;

/** Takes the customer's name. @param label where it stands behind the word for it. @param found names of places. */
export function readName(
  chat: ChatText,
  label: Span | undefined,
  found: readonly Mention[],
): ChatField | undefined {
  const places = found.filter(({ isCommon }) => !isCommon);
  if (label) {
    const own = chat.unread(label);
    const [line] = /^(?:[^,;|/\d.]|(?<![a-z]{4})\.)*/i.exec(chat.at(own))!;
    const valor = trimMarks(line);
    const start = own.start + chat.text.slice(own.start).indexOf(line);
    const isPlace = places.some(
      (place) =>
        place.start <= start &&
        (place.end >= start + line.trimEnd().length ||
          (place.end > start && ADDRESS_AFTER.test(chat.rest.slice(place.end, place.end + 20)))),
    );
    if (isPlace) return undefined;
    chat.take({ start: label.start, end: start + line.length });
    if (valor === '' || isNoName(valor)) return undefined;
    const words = folded(valor).split(/\s+/);
    const isName =
      words.length <= 6 &&
      /^[\p{L}\p{M}.'’ -]+$/u.test(valor) &&
      words.every((word) => PARTICLES.has(word) || word === 'y' || !NO_NAME.has(word)) &&
      !ADDRESS_AFTER.test(chat.after(start + line.length, 20)) &&
      !places.some((place) => place.start > start && place.start < start + line.length && isLast(place));
    return { valor: titled(valor), nota: isName ? undefined : 'Revise el nombre.' };

    function isLast({ start: at, end }: Span): boolean {
      return words.length > 2 && at > start && end >= start + line.trimEnd().length;
    }
  }
  for (const { start, end } of chat.find(INTRODUCED, MAX_INTRODUCTIONS)) {
    const name = nameAt(chat, end, places);
    if (!name) continue;
    const said = chat.text.slice(name.start, name.end);
    const isWeak =
      /para|recibe|entregar|dejar/.test(chat.rest.slice(start, end)) ||
      !name.isWhole ||
      name.words < 2 ||
      // Without capitals, a third word may be any.
      (name.words > 2 && !isCapitalised(said)) ||
      (/ del? /i.test(said) && !OF_FAMILY.test(folded(said))) ||
      ADDRESS_AFTER.test(chat.after(name.end, 20));
    const whole = { start, end: name.end };
    const nota = isWeak ? `Lo supusimos por «${chat.at(whole)}». ¿Está bien?` : undefined;
    chat.take(whole);
    return { valor: titled(chat.at(name)), nota };
  }
  return nameOfSender(chat) ?? nameOfLine(chat, places) ?? nameOfPiece(chat, places);
}

const isCapitalised = (name: string) =>
  name.split(' ').every((word) => PARTICLES.has(folded(word)) || /^\p{Lu}\p{Ll}/u.test(word));

/** Last names that begin with `de`; any other may be where somebody is from. */
const OF_FAMILY =
  / de (?:leon|la cruz|paz|la paz|la rosa|los angeles|jesus|maria|la torre|los santos|los rios|la vega|la o|dios|mata|gracia|oliva|la fuente|la garza|avila|alba|la mora)(?: |$)| del (?:cid|valle|rosario|carmen|rio|aguila|castillo|pinal|toro|pozo)(?: |$)/;

/** Words that follow a place, not a name: `Ana López Pinula zona 4`. */
const ADDRESS_AFTER =
  /^ {0,2}(?:zona|z\.? ?\d|calle|avenida|av|ave|aldea|colonia|col|barrio|canton|\d{1,2} ?(?:a|ra|da|ta|va|na)?\.? (?:calle|avenida|av))(?![a-z])/;

/** A line that is nothing but a name, or begins with one and goes on with what has been read. */
function nameOfLine(chat: ChatText, places: readonly Mention[]): ChatField | undefined {
  let start = 0;
  for (const line of chat.rest.split('\n').slice(0, 40)) {
    const begin = start + (/^[^a-zñ]{0,8}/.exec(line)?.[0].length ?? 0);
    const name = nameAt(chat, begin, places);
    const end = start + line.length;
    const piece = /^[^,/|\ue000]*/.exec(line.slice(begin - start))![0];
    if (
      name &&
      name.words > 1 &&
      (/^[ ,.;:/|\ue000-]*$/.test(chat.rest.slice(name.end, end)) ||
        (name.end >= begin + piece.trimEnd().length && piece.length < line.length) ||
        places.some(
          (place) => / de $/.test(chat.rest.slice(name.end, place.start)) && place.start < name.end + 5,
        ))
    )
      return supposed(chat, name);
    start = end + 1;
  }
  return undefined;
}

/** Between the parts of a line. */
const PIECE =
  /(?:^|[,.;\n\ue000(])[ \n]{0,3}(?:(?:cliente|recibe|nombre|atte|hola|buenas|mi (?:hermana|mama|esposo|hija)) )?(?=[a-zñ])/g;
const MAX_PIECES = 60;

/** A part of a line that is nothing but two words or more with capitals, and no place: `zona 10, Ana Paz 5123 7788`. */
function nameOfPiece(chat: ChatText, places: readonly Mention[]): ChatField | undefined {
  for (const { end } of chat.find(PIECE, MAX_PIECES)) {
    const name = nameAt(chat, end, places);
    if (
      !name ||
      name.words < 2 ||
      !/^[ ]{0,2}(?:[,.;:\n\ue000)\d]|$)/.test(chat.rest.slice(name.end, name.end + 3))
    )
      continue;
    const words = chat.text.slice(name.start, name.end).split(' ');
    if (words.every((word) => PARTICLES.has(word) || /^\p{Lu}/u.test(word))) return supposed(chat, name);
  }
  return undefined;
}

function supposed(chat: ChatText, name: Span): ChatField {
  const valor = titled(chat.at(name));
  chat.take(name);
  return { valor, nota: 'Parece el nombre. ¿Está bien?' };
}

function nameOfSender({ senders }: ChatText): ChatField | undefined {
  const [only, other] = [...senders].filter((one) => /^[\p{L} .'’-]{3,40}$/u.test(one));
  if (only === undefined || other !== undefined) return undefined;
  return { valor: titled(only), nota: 'Es el nombre del contacto en el chat. ¿Está bien?' };
}

interface FoundName extends Span {
  words: number;
  /** Whether a mark, a digit or a word that is no name ends it. */
  isWhole: boolean;
}

function nameAt(chat: ChatText, from: number, places: readonly Mention[]): FoundName | undefined {
  const title = TITLES.exec(chat.rest.slice(from, from + 12))?.[0] ?? '';
  const start = from + title.length;
  let end = start;
  let words = 0;
  let isWhole = true;
  for (let at = start; words < MAX_NAME_WORDS;) {
    const word = /^[a-zñü'’]{2,20}\.?(?![a-z\d@])/.exec(chat.rest.slice(at, at + 24))?.[0];
    if (word === undefined) break;
    const bare = word.replace('.', '');
    if (PARTICLES.has(bare)) {
      const next = /^[a-z]+ (?:(?:la|las|los|del?) )?([a-zñ]{2,20})/.exec(chat.rest.slice(at, at + 40));
      const isCapital = next ? /\p{Lu}/u.test(chat.text[at + next[0].length - next[1]!.length]!) : false;
      if (words === 0 || !next || NO_NAME.has(next[1]!)) break;
      const last = at + next[0].length;
      const isPlace = places.some((place) => place.start >= at && place.start < last);
      if (!isCapital || isPlace) {
        isWhole = isPlace;
        break;
      }
      at = last;
      end = at;
      words++;
    } else {
      if (NO_NAME.has(bare)) break;
      if (isPlaceAfterName(places, at, words)) {
        // It may as well be a last name.
        isWhole = false;
        break;
      }
      end = at + word.length;
      words++;
      at = end;
      if (word.endsWith('.')) break;
    }
    const blank = /^[ ]{1,2}/.exec(chat.rest.slice(at, at + 2))?.[0].length ?? 0;
    if (blank === 0) break;
    at += blank;
  }
  if (words === 0) return undefined;
  if (words === MAX_NAME_WORDS) isWhole = false;
  // A first name or surname may also be the name of a town.
  if (places.some((place) => place.start === start && place.end >= end)) return undefined;
  return { start, end: chat.rest[end - 1] === '.' ? end - 1 : end, words, isWhole };
}

/** Whether a place begins here. The first word after a first name is a surname, which may be the name of a town, too. */
const isPlaceAfterName = (places: readonly Mention[], at: number, words: number) =>
  places.some((place) => place.start === at && words > 0 && (words > 1 || place.words > 1));

/** As names are written, where they were written without capitals, or with nothing else. */
function titled(name: string): string {
  const text = name.replace(/\s+/g, ' ').trim();
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return text;
  return text
    .toLowerCase()
    .split(' ')
    .map((word, i) => (i > 0 && PARTICLES.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
}
