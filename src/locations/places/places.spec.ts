import { metresBetween } from '../distance.js';
import { editDistance } from './edit-distance.js';
import { centreOf, departmentsOf, isUnknownPlace, similarPlaces } from './places.js';

const place = (departamento: string, municipio: string) => ({ departamento, municipio });

describe('the table of places', () => {
  it.each([
    ['MX', 32, 2_471],
    ['GT', 22, 340],
    ['SV', 14, 262 + 44],
    ['HN', 18, 298],
    ['NI', 17, 153],
    ['CR', 7, 82],
    ['PA', 13, 82],
    ['BZ', 6, 81],
    ['DO', 32, 155],
    ['US', 0, 0],
    ['constructor', 0, 0],
  ])('has of %s %d departments with %d municipalities', (country, departments, municipalities) => {
    const all = departmentsOf(country);
    expect(all).toHaveLength(departments);
    expect(all.flatMap(({ municipios }) => municipios)).toHaveLength(municipalities);
  });

  it('places every municipality within its country, at least by its department', () => {
    for (const country of ['MX', 'GT', 'SV', 'HN', 'NI', 'CR', 'PA', 'BZ', 'DO'])
      for (const { nombre, municipios } of departmentsOf(country))
        for (const municipio of municipios)
          expect({ municipio, centre: centreOf(country, place(nombre, municipio)) }).toEqual({
            municipio,
            centre: { lat: expect.any(Number), lng: expect.any(Number) },
          });
  });

  it.each([
    ['GT', 'Guatemala', 'Mixco', 14.633, -90.606],
    ['GT', 'Petén', 'Flores', 16.93, -89.892],
    ['SV', 'San Salvador', 'San Salvador Centro', 13.7, -89.2],
    ['MX', 'Jalisco', 'Guadalajara', 20.67, -103.35],
    ['HN', 'Cortés', 'San Pedro Sula', 15.5, -88.03],
    ['DO', 'Santiago', 'Santiago de los Caballeros', 19.45, -70.69],
  ])('has in %s, %s: %s near %d, %d', (country, departamento, municipio, lat, lng) => {
    const centre = centreOf(country, place(departamento, municipio))!;
    expect(metresBetween(centre, { lat, lng })).toBeLessThan(10_000);
  });

  it.each([
    ['GT', 'GUATEMALA', 'mixco'],
    ['GT', 'Departamento de Guatemala', 'Municipio de Mixco'],
    ['GT', 'El Quiché', 'Sta. Cruz del Quiche'],
    ['GT', 'Guatemala', 'Ciudad de Guatemala'],
    ['GT', 'Sacatepéquez', 'La Antigua Guatemala'],
    ['SV', 'La Libertad', 'Santa Tecla'],
    ['SV', 'La Libertad', 'La Libertad Sur'],
    ['MX', 'CDMX', 'Iztapalapa'],
    ['MX', 'México', 'Ecatepec de Morelos'],
    ['MX', 'Chihuahua', 'Ciudad Juárez'],
    ['US', 'Texas', 'Nowhere'],
  ])('in %s knows %s, %s', (country, departamento, municipio) => {
    expect(isUnknownPlace(country, place(departamento, municipio))).toBe(false);
  });

  it.each([
    ['GT', 'Guatemala', 'Mixko', [place('Guatemala', 'Mixco')]],
    ['GT', 'Petén', 'Mixco', [place('Guatemala', 'Mixco')]],
    ['GT', 'Guatelama', 'Mixco', [place('Guatemala', 'Mixco')]],
    ['GT', 'Sacatepéquez', 'Antiga Guatemala', [place('Sacatepéquez', 'Antigua Guatemala')]],
    ['GT', 'Guatemala', 'x'.repeat(120), []],
    ['GT', 'Guatemala', '—', []],
    ['GT', 'Guatemala', 'constructor', []],
  ])(
    'in %s does not know %s, %s, and suggests the nearest names',
    (country, departamento, municipio, similar) => {
      expect(isUnknownPlace(country, place(departamento, municipio))).toBe(true);
      expect(similarPlaces(country, place(departamento, municipio))).toEqual(similar);
    },
  );

  it('suggests at most three', () => {
    expect(similarPlaces('MX', place('Oaxaca', 'San Juan'))).toHaveLength(3);
  });
});

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['mixco', 'mixco', 0],
    ['mixco', 'mixko', 1],
    ['flores', 'floresta', 2],
    ['abc', 'xyz', 3],
    ['abcdef', 'a', 4],
  ])('from %j to %j is %d, up to one more than asked for', (one, other, distance) => {
    expect(editDistance(one, other, 3)).toBe(distance);
  });
});
