import type { GuiaEstado } from './guia-estado.js';

const BEFORE_PICKUP: readonly GuiaEstado[] = ['aceptado', 'en_camino_a_recoger'];
const NOT_ON_THE_WAY: readonly GuiaEstado[] = [...BEFORE_PICKUP, 'recogido', 'intento_fallido'];
const UNTIL_RETURN: readonly GuiaEstado[] = [...NOT_ON_THE_WAY, 'en_ruta'];

const OF_PARCEL = { editableIn: BEFORE_PICKUP };
/** Where to go: the courier's own people change it on the way, too, as it reaches the driver. */
const OF_DESTINATION = { editableIn: NOT_ON_THE_WAY, byCourierIn: UNTIL_RETURN };
const FOR_DRIVER = { editableIn: UNTIL_RETURN };

/** A field that a create may have. */
interface GuiaField {
  /** Column of `guias`, where it has another name. */
  column?: string;
  /** Within a sentence. Fields with the same name are one thing to people. */
  name: string;
  /** States in which it may be changed, and in which the courier's people may, where these are more. Absent: in none. */
  editableIn?: readonly GuiaEstado[];
  byCourierIn?: readonly GuiaEstado[];
  /** Whether it is a number; a cell of a file, and a form, write it as a text. */
  isNumber?: true;
  /** Value of its column where it was left out, or cleared. Absent: it cannot be cleared. */
  empty?: '' | null;
}

export interface GuiaText extends GuiaField {
  empty: '' | null;
  /** Characters, as of the column. */
  max: number;
  /** Whether it may have line breaks. */
  isLong: boolean;
  /** Above its field in a form. */
  label: string;
  /** In the document, without the dot; `shown` in answers, where that differs; `cleared` says what null does in an edit. */
  description: string;
  shown?: string;
  cleared: string;
  example: string;
}

/**
 * Texts that may be left out and that people alone read. A new one is an entry here and a migration: its column, the fields of
 * create, edit and answers, files, history, forms and lists of facts, and the label follow.
 */
export const TEXTS = {
  referencia: {
    ...FOR_DRIVER,
    name: 'punto de referencia',
    empty: null,
    max: 500,
    isLong: true,
    label: 'Punto de referencia',
    description: 'Punto de referencia',
    cleared: 'lo borra',
    example: 'Portón verde, frente a la escuela',
  },
  contenido: {
    ...OF_PARCEL,
    name: 'contenido',
    empty: '',
    max: 500,
    isLong: false,
    label: 'Contenido',
    description: 'Descripción del contenido',
    shown: 'Descripción del contenido; vacía si no se indicó',
    cleared: 'la borra',
    example: 'Zapatos, talla 38',
  },
  notas: {
    ...FOR_DRIVER,
    name: 'notas',
    empty: null,
    max: 1_000,
    isLong: true,
    label: 'Notas para el piloto',
    description: 'Notas para el piloto',
    cleared: 'las borra',
    example: 'Llamar antes de llegar',
  },
} as const satisfies Record<string, GuiaText>;

/** The fields of a create, by their names in requests and files, in the order of files and answers. */
const DEFINITIONS = {
  telefono: { ...OF_DESTINATION, name: 'teléfono' },
  departamento: { ...OF_PARCEL, name: 'departamento' },
  municipio: { ...OF_PARCEL, name: 'municipio' },
  'recogida.lat': { isNumber: true, column: 'recogida_lat', name: 'punto de recogida' },
  'recogida.lng': { isNumber: true, column: 'recogida_lng', name: 'punto de recogida' },
  'recogida.maps_url': { column: 'recogida_maps_url', name: 'punto de recogida' },
  'recogida.nombre': { column: 'recogida_nombre', name: 'punto de recogida' },
  'recogida.direccion': { column: 'recogida_direccion', name: 'punto de recogida' },
  nombre: { ...OF_PARCEL, column: 'destinatario', name: 'destinatario', empty: '' },
  direccion: { ...OF_DESTINATION, name: 'dirección', empty: '' },
  ...TEXTS,
  cod_amount: { ...OF_PARCEL, isNumber: true, name: 'monto por cobrar' },
  external_ref: { name: 'número de pedido' },
  lat: { ...OF_DESTINATION, isNumber: true, column: 'destino_lat', name: 'destino' },
  lng: { ...OF_DESTINATION, isNumber: true, column: 'destino_lng', name: 'destino' },
  maps_url: { ...OF_DESTINATION, column: 'destino_maps_url', name: 'destino' },
} as const satisfies Record<string, GuiaField>;

type Definitions = typeof DEFINITIONS;

export type Texto = keyof typeof TEXTS;
export type Campo = keyof Definitions;
export type EditableCampo = {
  [C in Campo]: Definitions[C] extends { editableIn: unknown } ? C : never;
}[Campo];
export type ColumnOf<C extends Campo> = Definitions[C] extends { column: infer Column } ? Column : C;

export const TEXTOS = Object.keys(TEXTS) as Texto[];
export const CAMPOS = Object.keys(DEFINITIONS) as Campo[];
export const EDITABLE_CAMPOS = CAMPOS.filter(
  (campo) => 'editableIn' in DEFINITIONS[campo],
) as EditableCampo[];

export const FIELDS: Readonly<Record<Campo, GuiaField>> = DEFINITIONS;

export const NUMBERS: ReadonlySet<string> = new Set(CAMPOS.filter((campo) => FIELDS[campo].isNumber));

export const COLUMN_OF = Object.fromEntries(
  CAMPOS.map((campo) => [campo, FIELDS[campo].column ?? campo]),
) as {
  readonly [C in Campo]: ColumnOf<C>;
};

/** The texts but those that have a place of their own. */
export const textosBut = (...placed: Texto[]): Texto[] => TEXTOS.filter((texto) => !placed.includes(texto));

/** Something of each text, by its name. */
export const ofEachText = <T>(of: (text: GuiaText, texto: Texto) => T): Record<Texto, T> =>
  Object.fromEntries(TEXTOS.map((texto) => [texto, of(TEXTS[texto], texto)])) as Record<Texto, T>;

export type StoredTexts = { [T in Texto]: '' extends (typeof TEXTS)[T]['empty'] ? string : string | null };

/** Sets the texts of a guide that is made for each request or row, for which `ofEachText` would leave too much behind. */
export function setTexts<T extends object>(guia: T, read: (texto: Texto) => string | null): T & StoredTexts {
  for (const texto of TEXTOS) (guia as Record<Texto, string | null>)[texto] = read(texto);
  return guia as T & StoredTexts;
}

/** Whether a text is about the parcel alone, so that only its merchant changes it. */
export const isOfParcel = ({ editableIn }: GuiaText): boolean => editableIn === BEFORE_PICKUP;

/**
 * A class with the texts of a guide as properties after those of `base`.
 * @param declare decorates each. @param has which it has.
 */
export function withTexts<Base extends object, Texts>(
  base: new () => Base,
  declare: (text: GuiaText) => PropertyDecorator,
  has: (text: GuiaText) => boolean = () => true,
): new () => Base & Texts {
  class WithTexts extends (base as new () => object) {}
  for (const texto of TEXTOS) if (has(TEXTS[texto])) declare(TEXTS[texto])(WithTexts.prototype, texto);
  return WithTexts as new () => Base & Texts;
}
