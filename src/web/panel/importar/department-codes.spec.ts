import { departmentsOf } from '../../../locations/places/places.js';
import { CODES, codesOfNames, departmentOfCode } from './department-codes.js';

describe('departmentOfCode', () => {
  it.each([
    ['GUA', 'GT', 'Guatemala'],
    ['sac', 'GT', 'Sacatepéquez'],
    ['GT-SA', 'GT', 'Sacatepéquez'],
    ['GT-03', 'GT', 'Sacatepéquez'],
    ['GUA', 'MX', 'Guanajuato'],
    ['Q ROO', 'MX', 'Quintana Roo'],
    ['SV-SS', 'SV', 'San Salvador'],
    ['CR-A', 'CR', 'Alajuela'],
    ['PA-10', 'PA', 'Panamá Oeste'],
    ['A', 'CR', undefined],
    ['10', 'PA', undefined],
    ['SV-SS', 'GT', undefined],
    ['Guatemala', 'GT', undefined],
    ['GUA', 'CO', undefined],
  ])('reads %s in %s as %s', (text, country, name) => {
    expect(departmentOfCode(text, country)).toBe(name);
  });

  it.each(Object.keys(CODES))(
    'has one code or more for each department of %s, and none for two',
    (country) => {
      const names = codesOfNames(country);
      const codes = names.flatMap(([, of]) => of);
      expect(names.map(([name]) => name)).toEqual(departmentsOf(country).map(({ nombre }) => nombre));
      expect(new Set(codes).size).toBe(codes.length);
    },
  );
});
