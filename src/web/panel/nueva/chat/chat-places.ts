import {
  hasPlaces,
  isUnknownPlace,
  similarPlaces,
  type NamedPlace,
  type PlacesByKey,
} from '../../../../locations/places/places.js';
import { keyOfWords, wordsOf } from '../../../../locations/places/place-key.js';
import { spokenPlaces } from '../../../../locations/places/spoken-places.js';
import { type ChatReading, trimMarks, type ChatText, type Span } from './chat-text.js';

/** Words that are looked at, and those of the longest name. */
const MAX_WORDS = 300;
const MAX_NAME = 6;

/** Places that are compared. */
const MAX_MENTIONS = 40;

/** Words that are also names of towns. */
const NO_PLACE =
  /^(?:casa|centro|mercado|parque|iglesia|escuela|colonia|barrio|zona|esperanza|progreso|union|libertad|salud|independencia|villa|puerto|sur|norte|este|oeste|oriente|flor|rosa|cruz|paz|palma|reforma|victoria|gracias|dolores|mercedes|santos|marcos|juarez|hidalgo|guerrero|morelos|allende|aldama|matamoros|zaragoza|bravo|galeana|carmen|rosario|sol|luna|verde|blanco|rojo|negro|arriba|abajo|general|san|santa|santo|ciudad|pueblo|nuevo|nueva|el|la|los|las|de|del)$/;

/** Characters between a municipality and its department. */
const MAX_BETWEEN = 30;

const ARTICLE = /^(?:el|la|los|las) /;
const LINKING = /^(?:de|del|en|y|a)(?: |$)/;

/** Before the name of a street, a quarter or a house, which may be that of a town, too. */
const OF_ADDRESS =
  /(?:aldea|barrio|barriada|colonia|col\.?|canton|caserio|paraje|sector|lotificacion|residencial(?:es)?|residencia|res\.?|condominio|urbanizacion|fracc?\.?|fraccionamiento|reparto|finca|edificio|torres?|calle|avenida|av\.?|boulevard|blvd\.?|calzada|pasaje|plaza|parque|iglesia|escuela|colegio|hospital|hotel|mercado|farmacia|tienda|centro comercial|terminal|puente|estadio|playas?|proyecto|villas?)(?: (?:de la|de los|del?|el|la|los|las))? $/;

/** The same in Costa Rica, where a canton is a municipality. */
const NO_CANTON = /(?:^|[^a-z])canton(?: (?:de la|de los|del?|el|la))? $/;

/** Before a town that something else lies near to, or on the way to. */
const NEAR =
  /(?:cerca del?|carretera a|camino a|salida a|ruta a|rumbo a|viniendo del?|antes del?|despues del?|pasando|entrada a|km\.? ?[\d.]{1,5} a) (?:el |la |los |las )?$/;

/** A place that a text names. */
export interface Mention extends Span {
  places: readonly NamedPlace[];
  words: number;
  /** Whether it is no name of the table, or the beginning of several. */
  isSpoken: boolean;
  /** Whether it is a common word, and a place only beside its department. */
  isCommon: boolean;
}

/** The place that a name of the table or of talk means. A department's name stands for its head town, however others begin. */
function withSpoken(
  exact: readonly NamedPlace[] | undefined,
  said: readonly NamedPlace[] | undefined,
): readonly NamedPlace[] | undefined {
  if (said === undefined || exact?.some(({ kind }) => kind === 'departamento')) return exact;
  const known = exact?.filter(({ kind }) => kind === 'municipio') ?? [];
  const others = said.filter(
    (one) =>
      !known.some(
        ({ departamento, municipio }) => departamento === one.departamento && municipio === one.municipio,
      ),
  );
  return [...known, ...others];
}

/** The places whose names stand in a text, the longest of those that overlap. */
export function mentionsIn({ rest }: ChatText, byKey: PlacesByKey, country: string): Mention[] {
  if (byKey.size === 0) return [];
  const spoken = spokenPlaces(country);
  const words = [...rest.matchAll(/[\p{L}\p{N}]{1,40}\.?/gu)].slice(0, MAX_WORDS);
  const keys = words.map(([word]) => wordsOf(word).join(' '));
  const mentions: Mention[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let count = Math.min(MAX_NAME, words.length - i); count > 0; count--) {
      const key = keyOfWords(keys.slice(i, i + count));
      const exact = byKey.get(key) ?? byKey.get(key.replace(/^ciudad del? /, ''));
      const said = spoken.get(keys.slice(i, i + count).join(' '));
      const places = withSpoken(exact, said);
      if (!places) continue;
      const start = words[i]!.index;
      const end = words[i + count - 1]!.index + words[i + count - 1]![0].length;
      const text = rest.slice(start, end);
      // An article makes no name of a common word.
      if (LINKING.test(text) || /[\n\ue000;:?!]/.test(text)) continue;
      // A part of an address of mail, or of a name in an app.
      if (
        /[@_]|\w\.$/.test(rest.slice(Math.max(0, start - 2), start)) ||
        /^[@_]/.test(rest.slice(end, end + 1))
      )
        continue;
      const isCommon = said === undefined && NO_PLACE.test(text.replace(ARTICLE, ''));
      mentions.push({ start, end, places, words: count, isSpoken: places !== exact, isCommon });
      i += count - 1;
      break;
    }
  }
  return mentions;
}

type ChatPlace = Pick<ChatReading, 'departamento' | 'municipio'>;

/** @param nota undefined where the place is certain. */
const fieldsOf = ({ departamento, municipio }: NamedPlace, nota?: string): ChatPlace => ({
  departamento: { valor: departamento, nota },
  municipio: { valor: municipio, nota },
});

const supposed = (said: string) => `Lo supusimos por «${said}». ¿Está bien?`;
const ambiguous = (said: string) => `Hay otro lugar que se llama «${said}». ¿Está bien?`;

/** Places that are named in a question. */
const ASKED = 3;

/** Asks which of several towns is meant; nothing is supposed. */
function asked(said: string, places: readonly NamedPlace[]): ChatPlace {
  const names = places.map(({ municipio, departamento }) => `${municipio} (${departamento})`);
  const more = names.length > ASKED ? ', u otro' : '';
  const nota = `«${said}» puede ser ${names.slice(0, ASKED).join(' o ')}${more}. ¿Cuál es?`;
  const departments = new Set(places.map(({ departamento }) => departamento));
  const [only = ''] = departments.size === 1 ? departments : [];
  return { departamento: { valor: only, nota }, municipio: { valor: '', nota } };
}

/** A mention of a municipality, read as one of the places of this name. */
interface Choice {
  mention: Mention;
  place: NamedPlace;
  score: number;
}

/** Takes the municipality that a text names, and its department. */
export function readPlace(
  chat: ChatText,
  country: string,
  labels: { departamento?: Span; municipio?: Span },
  found: readonly Mention[],
): ChatPlace {
  const mentions = found.slice(0, MAX_MENTIONS).filter(({ start, end }) => !chat.isTaken({ start, end }));
  const labelled = labelledPlace(chat, country, labels, mentions);
  if (labelled) return labelled;
  const departments = mentions.filter(({ places, isSpoken }) =>
    places.some((place) => isDepartment(place, isSpoken)),
  );
  const choices = mentions.flatMap((mention) => choicesOf(chat, country, mention, departments));
  choices.sort((one, other) => other.score - one.score);
  const [best] = choices;
  if (!best) return labelledDepartment(chat, labels.departamento) ?? departmentAlone(chat, departments);
  const { mention, place } = best;
  const next = choices.find(
    (one) => one.place.departamento !== place.departamento || one.place.municipio !== place.municipio,
  );
  const said = trimMarks(chat.at(mention));
  const adjacent = departments.find(
    (one) => one !== mention && isOf(one, place) && isBeside(chat, one, mention),
  );
  // After a name without a mark, it may be the last name.
  const isLastName =
    LAST_NAMES.test(chat.rest.slice(mention.start, mention.end)) &&
    !/(?:^|[,.;:(\n]|(?:^|[^a-z])(?:en|a|de|para)) ?$/.test(
      chat.rest.slice(Math.max(0, mention.start - 6), mention.start),
    );
  const isClear =
    !isLastName && (adjacent !== undefined || (next === undefined && standsAlone(chat, mention, place)));
  const isNear = NEAR.test(chat.before(mention.start, 30));
  chat.take(mention);
  if (adjacent) chat.take(adjacent);
  const tied = choices.filter((one) => one.score === best.score && one.mention === mention);
  if (mention.isSpoken && tied.length > 1)
    return asked(
      said,
      tied.map((one) => one.place),
    );
  if (next && next.score === best.score) return fieldsOf(place, ambiguous(said));
  // Another town may be the one that is meant.
  const isOnly = choices.every(
    (one) =>
      [mention, adjacent].includes(one.mention) ||
      one.place.kind === 'lugar' ||
      one.place.municipio === place.municipio,
  );
  const isSure = isClear && place.kind === 'municipio' && isOnly && !isNear;
  return fieldsOf(place, isSure ? undefined : supposed(said));
}

const isOf = ({ places, isSpoken }: Mention, { departamento }: NamedPlace) =>
  places.some((one) => isDepartment(one, isSpoken) && one.departamento === departamento);

/** A spoken name of a head town stands for its department, too. */
const isDepartment = ({ kind, departamento, municipio }: NamedPlace, isSpoken: boolean) =>
  kind === 'departamento' || (isSpoken && departamento === municipio);

/** Municipalities that are also common last names. */
const LAST_NAMES =
  /^(?:morales|palencia|barillas|quesada|granados|jerez|aguilares|alvarado|jimenez|mora|acosta|cardenas|carrillo|flores|rivas|leon|granada|castillo|sanchez|cabrera|salcedo|peralta|mella|polo|tamayo|cabral|fundacion|villanueva|colon|david|santiago|belen|sandoval|duran|soto|ramos|salazar|guzman|mendoza|nava|ayala|cortes|corona|valle|trujillo|central)$/;

/**
 * Whether nothing but the name of a town stands between two marks, or after `vivo en`: no street, no last name. The name of a
 * department is less clear.
 */
function standsAlone(
  chat: ChatText,
  { start, end, isSpoken }: Mention,
  { departamento, municipio }: NamedPlace,
) {
  if (isSpoken || departamento === municipio || LAST_NAMES.test(chat.rest.slice(start, end))) return false;
  const before = chat.before(start, 30);
  const after = chat.after(end, 30);
  const begins =
    /(?:^|[,.;(]) {0,2}$/.test(before) || /(?:^|[^a-z])(?:vivo|estoy|vive|entrega) en $/.test(before);
  return begins && /^ {0,2}(?:$|[,.;)]|zona \d)/.test(after);
}

function isBeside({ rest }: ChatText, one: Span, other: Span): boolean {
  const [end, start] = [Math.min(one.end, other.end), Math.max(one.start, other.start)];
  if (start - end > MAX_BETWEEN) return false;
  const between = rest.slice(end, start);
  return /^[ ,.\-\n(/]{0,4}(?:de|en|departamento|estado|depto\.?|provincia)?(?: de)?:?[ ,.)]{0,3}$/.test(
    between,
  );
}

function choicesOf(chat: ChatText, country: string, mention: Mention, departments: Mention[]): Choice[] {
  const before = chat.before(mention.start, 30);
  if (OF_ADDRESS.test(before) && !(country === 'CR' && NO_CANTON.test(before))) return [];
  const others = departments.filter((one) => one !== mention);
  const beside = others.filter((one) => isBeside(chat, one, mention));
  const isNamed = /(?:municipio|muni|ciudad|vivo en|estoy en|para|hasta) (?:de |del )?$/.test(
    before.slice(-24),
  );
  const isNear = NEAR.test(before);
  return mention.places.flatMap((place) => {
    if (place.kind === 'departamento') return [];
    const isAdjacent = beside.some((one) => isOf(one, place));
    const hasOwn = isAdjacent || others.some((one) => !one.isCommon && isOf(one, place));
    const isTown = place.kind === 'lugar';
    // So many towns have common names that one alone says nothing.
    if (isTown && !hasOwn && mention.words === 1) return [];
    if (mention.isCommon && !isAdjacent) return [];
    const score =
      (isAdjacent ? 8 : 0) +
      (hasOwn ? 4 : 0) +
      (isNamed ? 3 : 0) +
      Math.min(2, mention.words) -
      (isTown ? 3 : 0) -
      (isNear ? 4 : 0);
    return [{ mention, place, score }];
  });
}

const isPlainName = (text: string) => /^\p{L}[\p{L} .'’-]{1,40}$/u.test(text) && text.split(' ').length <= 4;

/** The text labelled as department, where there is no municipality, or no table of the country. */
function labelledDepartment(chat: ChatText, label: Span | undefined): ChatPlace | undefined {
  const valor = label === undefined ? '' : trimMarks(chat.at(chat.unread(label)));
  if (valor === '') return undefined;
  chat.take(label!);
  return { departamento: { valor, nota: supposed(valor) } };
}

function departmentAlone(chat: ChatText, departments: Mention[]): ChatPlace {
  const [only, other] = departments.filter(({ isCommon }) => !isCommon);
  if (!only || other) return {};
  const place = only.places.find(({ kind }) => kind === 'departamento');
  if (!place) return {};
  const said = chat.at(only);
  chat.take(only);
  return { departamento: { valor: place.departamento, nota: supposed(said) } };
}

/** The places behind the words municipality and department; undefined where no municipality is labelled. */
function labelledPlace(
  chat: ChatText,
  country: string,
  labels: { departamento?: Span; municipio?: Span },
  mentions: Mention[],
): ChatPlace | undefined {
  if (!labels.municipio) return undefined;
  const inside = (span: Span | undefined, kind: NamedPlace['kind']) =>
    mentions
      .filter(({ start, end }) => span && start >= span.start && end <= span.end)
      .flatMap(({ places }) => places.filter((place) => place.kind === kind));
  const [given] = inside(labels.departamento, 'departamento');
  const departments = given ? [given] : inside(labels.municipio, 'departamento');
  const [place, other] = inside(labels.municipio, 'municipio').filter(
    ({ departamento }) =>
      departments.length === 0 || departments.some((one) => one.departamento === departamento),
  );
  const said = trimMarks(chat.at(labels.municipio));
  chat.take(labels.municipio);
  if (labels.departamento) chat.take(labels.departamento);
  if (place) {
    const isTwo = other !== undefined && other.departamento !== place.departamento;
    return fieldsOf(place, isTwo ? ambiguous(said) : undefined);
  }
  const departamento = given?.departamento ?? (labels.departamento ? chat.at(labels.departamento) : '');
  const named = { departamento, municipio: said };
  const [like] = similarPlaces(country, named);
  const advice = like ? ` ¿Es ${like.municipio}, ${like.departamento}?` : '';
  const nota = isUnknownPlace(country, named) ? `No conocemos este lugar.${advice}` : supposed(said);
  // Without a table, what is labelled is what was said.
  const isSure = !hasPlaces(country) && isPlainName(said);
  return {
    departamento: { valor: departamento, nota: given || isSure ? undefined : nota },
    municipio: { valor: said, nota: isSure ? undefined : nota },
  };
}
