import { missingText, viewOf } from './dispatch-filter.js';

const GUATEMALA = 'America/Guatemala';

describe('viewOf', () => {
  it('takes days inclusive, in the zone', () => {
    const { filter, faults } = viewOf({ desde: '2026-11-27', hasta: '2026-11-28' }, GUATEMALA);
    expect(filter).toMatchObject({
      desde: Date.parse('2026-11-27T06:00Z'),
      hasta: Date.parse('2026-11-29T06:00Z') - 1,
      isVoid: false,
    });
    expect(faults).toEqual([]);
  });

  it.each([
    [{ desde: '2026-02-30' }, '«2026-02-30» no es una fecha'],
    [{ hasta: '27/11/2026' }, '«27/11/2026» no es una fecha'],
    [{ desde: '2026-11-28', hasta: '2026-11-27' }, 'no hay ningún día entre las dos'],
    [{ q: 'a\u0000b' }, 'caracteres que ningún texto tiene'],
  ])('says what is wrong with the filter, and matches nothing: %j', (query, said) => {
    const { filter, faults } = viewOf(query, GUATEMALA);
    expect(faults).toEqual([expect.stringContaining(said)]);
    expect(filter.isVoid).toBe(true);
  });

  it.each([
    ['si', true],
    ['no', false],
    ['x', undefined],
    ['', undefined],
  ])('takes confirmada=%s as %s', (confirmada, expected) => {
    expect(viewOf({ confirmada }, GUATEMALA).filter.confirmada).toBe(expected);
  });
});

describe('missingText', () => {
  it.each([
    [{ total: 3, cuantas: 3, enMapa: 3 }, undefined],
    [{ total: 0, cuantas: 0, enMapa: 0 }, undefined],
    [{ total: 3, cuantas: 3, enMapa: 2 }, 'En el mapa hay 2 de 3: 1 no tiene un lugar en el mapa.'],
    [
      { total: 4_000, cuantas: 3_000, enMapa: 2_990 },
      'En el mapa hay 2,990 de 4,000: 10 no tienen un lugar en el mapa; la lista y el mapa tienen 3,000, las sin confirmar y las más nuevas: filtre para ver las demás.',
    ],
  ])('of %j: %s', (counts, said) => expect(missingText(counts)).toBe(said));
});
