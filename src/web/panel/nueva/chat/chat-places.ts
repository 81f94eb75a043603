import {
  isUnknownPlace,
  similarPlaces,
  type NamedPlace,
  type PlacesByKey,
} from '../../../../locations/places/places.js';
import { keyOfWords, wordsOf } from '../../../../locations/places/place-key.js';
import { type ChatReading, trimMarks, type ChatText, type Span } from './chat-text.js';

/** Words that are looked at, and those of the longest name. */
const MAX_WORDS = 300;
const MAX_NAME = 6;

/** Words that are also names of towns. */
const NO_PLACE =
  /^(?:casa|centro|mercado|parque|iglesia|escuela|colonia|barrio|zona|esperanza|progreso|union|libertad|salud|independencia|villa|puerto|sur|norte|este|oeste|oriente|flor|rosa|cruz|paz|palma|reforma|victoria|gracias|dolores|mercedes|santos|marcos|juarez|hidalgo|guerrero|morelos|allende|aldama|matamoros|zaragoza|bravo|galeana|carmen|rosario|sol|luna|verde|blanco|rojo|negro|arriba|abajo|general|san|santa|santo|ciudad|pueblo|nuevo|nueva|el|la|los|las|de|del)$/;

/** Characters between a municipality and its department. */
const MAX_BETWEEN = 30;

const ARTICLE = /^(?:el|la|los|las) /;
const LINKING = /^(?:de|del|en|y|a)(?: |$)/;

/** A place that a text names. */
export interface Mention extends Span {
  places: readonly NamedPlace[];
  words: number;
}

/** The places whose names stand in a text, the longest of those that overlap. */
export function mentionsIn({ rest }: ChatText, byKey: PlacesByKey): Mention[] {
  if (byKey.size === 0) return [];
  const words = [...rest.matchAll(/[\p{L}\p{N}]{1,40}\.?/gu)].slice(0, MAX_WORDS);
  const keys = words.map(([word]) => wordsOf(word).join(' '));
  const mentions: Mention[] = [];
  for (let i = 0; i < words.length; i++) {
    for (let count = Math.min(MAX_NAME, words.length - i); count > 0; count--) {
      const key = keyOfWords(keys.slice(i, i + count));
      const places = byKey.get(key) ?? byKey.get(key.replace(/^ciudad del? /, ''));
      if (!places) continue;
      const start = words[i]!.index;
      const end = words[i + count - 1]!.index + words[i + count - 1]![0].length;
      const text = rest.slice(start, end);
      // An article makes no name of a common word.
      if (NO_PLACE.test(text.replace(ARTICLE, '')) || LINKING.test(text) || /[\n\ue000;:?!]/.test(text))
        continue;
      mentions.push({ start, end, places, words: count });
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
  const mentions = found.filter(({ start, end }) => !chat.isTaken({ start, end }));
  const labelled = labelledPlace(chat, country, labels, mentions);
  if (labelled) return labelled;
  const departments = mentions.filter(({ places }) => places.some(({ kind }) => kind === 'departamento'));
  const choices = mentions.flatMap((mention) =>
    mention.places.flatMap((place) => choiceOf(chat, mention, place, departments)),
  );
  choices.sort((one, other) => other.score - one.score);
  const [best] = choices;
  if (!best) return departmentAlone(chat, departments);
  const { mention, place } = best;
  const next = choices.find(
    (one) => one.place.departamento !== place.departamento || one.place.municipio !== place.municipio,
  );
  const said = trimMarks(chat.at(mention));
  const adjacent = departments.find(
    (one) => one !== mention && isOf(one, place) && isBeside(chat, one, mention),
  );
  chat.take(mention);
  if (adjacent) chat.take(adjacent);
  if (next && next.score === best.score) return fieldsOf(place, ambiguous(said));
  const isSure = adjacent !== undefined && place.kind === 'municipio';
  return fieldsOf(place, isSure ? undefined : supposed(said));
}

const isOf = ({ places }: Mention, { departamento }: NamedPlace) =>
  places.some((one) => one.kind === 'departamento' && one.departamento === departamento);

function isBeside({ rest }: ChatText, one: Span, other: Span): boolean {
  const [end, start] = [Math.min(one.end, other.end), Math.max(one.start, other.start)];
  if (start - end > MAX_BETWEEN) return false;
  const between = rest.slice(end, start);
  return /^[ ,.\-\n(/]{0,4}(?:de|en|departamento|estado|depto\.?|provincia)?(?: de)?:?[ ,.)]{0,3}$/.test(
    between,
  );
}

function choiceOf(chat: ChatText, mention: Mention, place: NamedPlace, departments: Mention[]): Choice[] {
  if (place.kind === 'departamento') return [];
  const own = departments.filter((one) => one !== mention && isOf(one, place));
  const isTown = place.kind === 'lugar';
  // So many towns have common names that one alone says nothing.
  if (isTown && own.length === 0 && mention.words === 1) return [];
  const isNamed = /(?:municipio|muni|ciudad|vivo en|estoy en|para|hasta) (?:de |del )?$/.test(
    chat.before(mention.start, 24),
  );
  const isAdjacent = own.some((one) => isBeside(chat, one, mention));
  const score =
    (isAdjacent ? 8 : 0) +
    (own.length > 0 ? 4 : 0) +
    (isNamed ? 3 : 0) +
    Math.min(2, mention.words) -
    (isTown ? 3 : 0);
  return [{ mention, place, score }];
}

function departmentAlone(chat: ChatText, departments: Mention[]): ChatPlace {
  const [only, other] = departments;
  if (!only || other) return {};
  const place = only.places.find(({ kind }) => kind === 'departamento')!;
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
  return {
    departamento: { valor: departamento, nota: given ? undefined : nota },
    municipio: { valor: said, nota },
  };
}
