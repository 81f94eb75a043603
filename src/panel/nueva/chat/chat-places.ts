import {
  isUnknownPlace,
  similarPlaces,
  type NamedPlace,
  type PlacesByKey,
} from '../../../locations/places/places.js';
import { keyOfWords, wordsOf } from '../../../locations/places/place-key.js';
import type { ChatField } from './chat-field.js';
import { trimMarks, type ChatText, type Span } from './chat-text.js';

/** Words that are looked at, and those of the longest name. */
const MAX_WORDS = 300;
const MAX_NAME = 6;

/** Words that are also names of towns. */
const NO_PLACE =
  /^(?:casa|centro|mercado|parque|iglesia|escuela|colonia|barrio|zona|esperanza|progreso|union|libertad|salud|independencia|villa|puerto|sur|norte|este|oeste|oriente|flor|rosa|cruz|paz|palma|reforma|victoria|gracias|dolores|mercedes|santos|marcos|juarez|hidalgo|guerrero|morelos|allende|aldama|matamoros|zaragoza|bravo|galeana|carmen|rosario|sol|luna|verde|blanco|rojo|negro|arriba|abajo|general|san|santa|santo|ciudad|pueblo|nuevo|nueva|el|la|los|las|de|del)$/;

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

export interface ChatPlace {
  departamento?: ChatField;
  municipio?: ChatField;
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
  const mentions = found.filter(({ start, end }) => !chat.isTaken({ start, end }));
  const labelled = labelledPlace(chat, country, labels, mentions);
  if (labelled) return labelled;
  const departments = mentions.filter(({ places }) => places.some(({ kind }) => kind === 'departamento'));
  const choices = mentions.flatMap((mention) =>
    mention.places.flatMap((place) => choiceOf(chat, mention, place, departments)),
  );
  choices.sort((one, other) => other.score - one.score);
  const [best, next] = choices.filter(
    ({ place }, i) =>
      choices.findIndex(
        (one) => one.place.departamento === place.departamento && one.place.municipio === place.municipio,
      ) === i,
  );
  if (!best) return departmentAlone(chat, departments);
  const { mention, place } = best;
  const said = trimMarks(chat.at(mention));
  const adjacent = departments.find(
    (one) => one !== mention && isOf(one, place) && isBeside(chat, one, mention),
  );
  chat.take(mention);
  if (adjacent) chat.take(adjacent);
  const isSure = adjacent !== undefined && place.kind === 'municipio' && (!next || next.score < best.score);
  const isAmbiguous = next !== undefined && next.score === best.score;
  const nota = isAmbiguous
    ? `Hay otro lugar que se llama «${said}». ¿Está bien?`
    : `Lo supusimos por «${said}». ¿Está bien?`;
  const mark = isSure ? {} : { nota };
  return {
    departamento: { valor: place.departamento, ...mark },
    municipio: { valor: place.municipio, ...mark },
  };
}

const isOf = ({ places }: Mention, { departamento }: NamedPlace) =>
  places.some((one) => one.kind === 'departamento' && one.departamento === departamento);

function isBeside({ rest }: ChatText, one: Span, other: Span): boolean {
  const between = rest.slice(Math.min(one.end, other.end), Math.max(one.start, other.start));
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
  return { departamento: { valor: place.departamento, nota: `Lo supusimos por «${said}». ¿Está bien?` } };
}

/** The places behind the words municipality and department; undefined where no municipality is labelled. */
function labelledPlace(
  chat: ChatText,
  country: string,
  labels: { departamento?: Span; municipio?: Span },
  mentions: Mention[],
): ChatPlace | undefined {
  if (!labels.municipio) return undefined;
  const inside = (span: Span, kind: NamedPlace['kind']) =>
    mentions
      .filter(({ start, end }) => start >= span.start && end <= span.end)
      .flatMap(({ places }) => places.filter((place) => place.kind === kind));
  const [given] = (labels.departamento && inside(labels.departamento, 'departamento')) ?? [];
  const municipalities = inside(labels.municipio, 'municipio');
  const departments = given ? [given] : inside(labels.municipio, 'departamento');
  const fitting = municipalities.filter(
    ({ departamento }) =>
      departments.length === 0 || departments.some((one) => one.departamento === departamento),
  );
  const [place, other] = fitting;
  const said = trimMarks(chat.at(labels.municipio));
  chat.take(labels.municipio);
  if (labels.departamento) chat.take(labels.departamento);
  if (place) {
    const nota =
      other && other.departamento !== place.departamento
        ? { nota: `Hay otro lugar que se llama «${said}». ¿Está bien?` }
        : {};
    return {
      departamento: { valor: place.departamento, ...nota },
      municipio: { valor: place.municipio, ...nota },
    };
  }
  const departamento =
    given?.departamento ?? (labels.departamento ? chat.at(labels.departamento) : undefined);
  const like = similarPlaces(country, { departamento: departamento ?? '', municipio: said })[0];
  const advice = like ? ` ¿Es ${like.municipio}, ${like.departamento}?` : '';
  const isUnknown = isUnknownPlace(country, { departamento: departamento ?? '', municipio: said });
  const mark = isUnknown
    ? { nota: `No conocemos este lugar.${advice}` }
    : { nota: `Lo supusimos por «${said}». ¿Está bien?` };
  return {
    ...(departamento !== undefined && { departamento: { valor: departamento, ...(given ? {} : mark) } }),
    municipio: { valor: said, ...mark },
  };
}
