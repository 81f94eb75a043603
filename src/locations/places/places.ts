import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Coordinates } from '../reading.js';
import { editDistance } from './edit-distance.js';
import { placeKey } from './place-key.js';

/** A municipality, by the names of the table. */
export interface Municipality {
  departamento: string;
  municipio: string;
}

export interface Department {
  nombre: string;
  municipios: string[];
}

/** A name and its point; without one where the source has none. */
type Row = [name: string, lat?: number, lng?: number];

/** A department of a file of `data/`: its municipalities, and other towns that people name in their place. */
type DepartmentRow = [name: string, municipalities: Row[], towns: Row[]];

type Country = Map<string, IndexedDepartment>;

/** The countries of `data/`, whose files `scripts/make-places.mjs` makes. */
const COUNTRIES = ['MX', 'GT', 'SV', 'HN', 'NI', 'CR', 'PA', 'BZ', 'DO'];

/** Names that departments also have, and the keys of those of the table. */
const OTHER_NAMES: Record<string, Record<string, string>> = {
  MX: {
    ...{
      cdmx: 'ciudad de mexico',
      df: 'ciudad de mexico',
      'distrito federal': 'ciudad de mexico',
      edomex: 'estado de mexico',
      mexico: 'estado de mexico',
    },
    ...{
      'coahuila de zaragoza': 'coahuila',
      'michoacan de ocampo': 'michoacan',
      'queretaro de arteaga': 'queretaro',
    },
    'veracruz de ignacio de la llave': 'veracruz',
  },
  NI: {
    raccn: 'costa caribe norte',
    raccs: 'costa caribe sur',
    raan: 'costa caribe norte',
    raas: 'costa caribe sur',
  },
};

const MAX_SUGGESTIONS = 3;
/** Characters of a name that are compared with others. */
const COMPARED = 40;

const countries = new Map<string, Country>();

/** Keys of the names that guides have. Each create asks for two, mostly of the same few places. */
const askedKeys = new LRUCache<string, string>({ max: 5_000, memoMethod: (name) => placeKey(name) });

/** The index of a country, read when it is first asked for; undefined without a file of it. */
function countryOf(code: string): Country | undefined {
  if (!COUNTRIES.includes(code)) return undefined;
  let country = countries.get(code);
  if (country === undefined) {
    const file = join(import.meta.dirname, 'data', `${code}.json`);
    const rows = JSON.parse(readFileSync(file, 'utf8')) as DepartmentRow[];
    country = new Map(rows.map((row) => [placeKey(row[0]), new IndexedDepartment(row)]));
    countries.set(code, country);
  }
  return country;
}

/** A department whose names are read when they are first asked for: all at once would hold up other requests. */
class IndexedDepartment implements Department {
  readonly nombre: string;
  readonly municipios: string[];
  private indexed: { points: Map<string, Coordinates | null>; keys: string[] } | undefined;

  constructor(private readonly row: DepartmentRow) {
    this.nombre = row[0];
    this.municipios = row[1].map(([name]) => name);
  }

  get keys(): string[] {
    return this.index().keys;
  }

  /** Mean of its municipalities. */
  get centre(): Coordinates | null {
    return meanOf(this.row[1].map(pointOf).filter((point) => point !== null));
  }

  /** The point of a municipality or town; null if it is not known, undefined if there is no such name. */
  pointOf(municipio: string): Coordinates | null | undefined {
    const { points } = this.index();
    const key = askedKeys.memo(municipio);
    return points.has(key) ? points.get(key) : points.get(key.replace(/^ciudad del? /, ''));
  }

  /** Its municipalities and towns, with their keys. */
  named(): { key: string; municipio: string; kind: 'municipio' | 'lugar' }[] {
    const { keys } = this.index();
    const own = new Set(keys);
    const towns = this.row[2].map(([name]) => ({
      key: placeKey(name),
      municipio: name,
      kind: 'lugar' as const,
    }));
    const municipalities = this.municipios.map((municipio, i) => ({
      key: keys[i]!,
      municipio,
      kind: 'municipio' as const,
    }));
    return [...municipalities, ...towns.filter(({ key }) => !own.has(key))];
  }

  private index() {
    if (this.indexed === undefined) {
      const [, municipalities, towns] = this.row;
      const keys = municipalities.map(([name]) => placeKey(name));
      const points = new Map(towns.map((town) => [placeKey(town[0]), pointOf(town)] as const));
      // Of equal names the municipality counts.
      for (const [i, key] of keys.entries()) points.set(key, pointOf(municipalities[i]!));
      this.indexed = { points, keys };
    }
    return this.indexed;
  }
}

const pointOf = ([, lat, lng]: Row): Coordinates | null =>
  lat === undefined || lng === undefined ? null : { lat, lng };

function meanOf(points: Coordinates[]): Coordinates | null {
  if (points.length === 0) return null;
  const mean = (of: keyof Coordinates) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  return { lat: mean('lat'), lng: mean('lng') };
}

function departmentOf(country: string, departamento: string): IndexedDepartment | undefined {
  const key = askedKeys.memo(departamento);
  return countryOf(country)?.get(OTHER_NAMES[country]?.[key] ?? key);
}

/** Departments and municipalities of a country; none without a table of it. @param country ISO 3166. */
export function departmentsOf(country: string): Department[] {
  return [...(countryOf(country)?.values() ?? [])].map(({ nombre, municipios }) => ({ nombre, municipios }));
}

export interface NamedPlace extends Municipality {
  /** `departamento`: a department, whose name `municipio` repeats; `lugar`: a town that is no municipality. */
  kind: 'departamento' | 'municipio' | 'lugar';
}

/** Places by the key of their name. */
export type PlacesByKey = ReadonlyMap<string, readonly NamedPlace[]>;

const named = new Map<string, Promise<PlacesByKey>>();

/** The places of a country, to find them in a text; none without a table of it. Read once, a department at a time. */
export function placesByKey(country: string): Promise<PlacesByKey> {
  const places = named.get(country) ?? readPlaces(country);
  named.set(country, places);
  return places;
}

async function readPlaces(country: string): Promise<PlacesByKey> {
  const byKey = new Map<string, NamedPlace[]>();
  const add = (key: string, place: NamedPlace) => {
    const same = byKey.get(key);
    if (same) same.push(place);
    else byKey.set(key, [place]);
  };
  const others = Object.entries(OTHER_NAMES[country] ?? {});
  for (const [key, department] of countryOf(country) ?? []) {
    await nextTurn();
    const { nombre: departamento } = department;
    const names = [key, ...others.filter(([, meant]) => meant === key).map(([other]) => other)];
    for (const name of names) add(name, { kind: 'departamento', departamento, municipio: departamento });
    for (const { key: name, ...place } of department.named()) add(name, { ...place, departamento });
  }
  return byKey;
}

/** Whether there is a table of a country. */
export const hasPlaces = (country: string): boolean => COUNTRIES.includes(country);

/** Whether a department has no such municipality. Never where there is no table of the country. */
export function isUnknownPlace(country: string, { departamento, municipio }: Municipality): boolean {
  if (countryOf(country) === undefined) return false;
  return departmentOf(country, departamento)?.pointOf(municipio) === undefined;
}

/** About where a municipality is, or its department where the table has no point of it; null for an unknown name. */
export function centreOf(country: string, { departamento, municipio }: Municipality): Coordinates | null {
  const department = departmentOf(country, departamento);
  const point = department?.pointOf(municipio);
  return point === null ? department!.centre : (point ?? null);
}

/** The municipalities whose names are the most like an unknown one, nearest first; its own department first. */
export function similarPlaces(country: string, { departamento, municipio }: Municipality): Municipality[] {
  const own = departmentOf(country, departamento);
  const key = placeKey(municipio).slice(0, COMPARED);
  const found: { place: Municipality; distance: number }[] = [];
  for (const department of countryOf(country)?.values() ?? []) {
    const isOwn = department === own;
    const most = Math.floor(key.length / (isOwn ? 2.5 : 4));
    for (const [i, name] of department.keys.entries()) {
      const isPart = isOwn && key !== '' && ` ${name} `.includes(` ${key} `);
      const distance = isPart ? 1 : editDistance(key, name, most);
      if (distance > most && !isPart) continue;
      const place = { departamento: department.nombre, municipio: department.municipios[i]! };
      found.push({ place, distance: isOwn ? distance : distance + 1 });
    }
  }
  found.sort((one, other) => one.distance - other.distance);
  return found.slice(0, MAX_SUGGESTIONS).map(({ place }) => place);
}
