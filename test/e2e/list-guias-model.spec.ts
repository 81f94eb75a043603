import fc from 'fast-check';
import { seedGuias } from '../support/guias-seed.js';
import { propertyRuns } from '../support/property-runs.js';
import { walkGuias } from '../support/walk.js';
import { opened, useSharedApp } from '../support/use.js';

const START = Date.UTC(2026, 8, 21);
const GUIAS = 200;

/** Whether a guide matches a filter. Times are compared as text, because all are ISO 8601 with milliseconds. */
const MATCHES: Record<string, (guia: any, value: string) => boolean> = {
  estado: (guia, value) => value.split(',').includes(guia.estado),
  advertencia: ({ guia }, value) =>
    value === 'cualquiera' ? warningsOf(guia).length > 0 : warningsOf(guia).includes(value),
  telefono: (guia, value) => guia.telefono === value,
  direccion_confirmada: (guia, value) => String(guia.direccion_confirmada) === value,
  external_ref: (guia, value) => guia.external_ref === value,
  guia: (guia, value) => guia.guia === value,
  desde: (guia, value) => guia.creada_en >= value,
  hasta: (guia, value) => guia.creada_en <= value,
  actualizada_desde: (guia, value) => guia.actualizada_en >= value,
};

/** A list does not show them, so they follow from the guide's number. */
const warningsOf = (numero: string): string[] =>
  [[], ['cod_distinto'], ['mensaje_fallido', 'cod_distinto'], []][Number(numero) % 4]!;

type Filter = Record<string, string>;

const keyOf = (guia: any, isByChange: boolean): string =>
  `${isByChange ? guia.actualizada_en : guia.creada_en} ${guia.id}`;

/** The expected answer, computed from all guides. */
function expected(guias: any[], filter: Filter): any[] {
  const isByChange = 'actualizada_desde' in filter;
  const matching = guias
    .filter((guia) => Object.entries(filter).every(([name, value]) => MATCHES[name]!(guia, value)))
    .sort((a, b) => (keyOf(a, isByChange) < keyOf(b, isByChange) ? -1 : 1));
  return isByChange ? matching : matching.reverse();
}

describe('GET /api/v1/guias with any filters', () => {
  const test = useSharedApp();
  let guias: any[];

  const merchant = opened(() => test.merchant());

  beforeAll(async () => {
    // Another merchant has guides with the same values.
    for (const { id } of [merchant, await test.merchant()]) {
      await seedGuias(test.database, id, {
        count: GUIAS,
        at: `${START} + n / 3`,
        changedAt: `${START} + 100 + n * 7 % 41`,
        estado: `(array['aceptado', 'recogido', 'entregado', 'entregado'])[n % 4 + 1]`,
        telefono: `'+5025555000' || n * 5 % 7`,
        confirmada: 'n * 11 % 3 = 0',
        externalRef: `case when n % 2 = 0 then 'ref-' || n end`,
      });
    }
    guias = await walkGuias(merchant, { limit: '100' });
    for (const { id, guia } of guias)
      await test.database.query('update guias set advertencias = $2 where id = $1', [id, warningsOf(guia)]);
  });

  const time = (from: number, to: number) =>
    fc.integer({ min: START + from, max: START + to }).map((ms) => new Date(ms).toISOString());
  const anyFilter = () =>
    fc
      .record(
        {
          estado: fc
            .subarray(['aceptado', 'recogido', 'entregado', 'devuelto'], { minLength: 1 })
            .map((estados) => estados.join(',')),
          advertencia: fc.constantFrom(
            'cualquiera',
            'cod_distinto',
            'mensaje_fallido',
            'mensaje_omitido_baja',
          ),
          telefono: fc.integer({ min: 0, max: 8 }).map((digit) => `+5025555000${digit}`),
          direccion_confirmada: fc.constantFrom('true', 'false'),
          desde: time(-5, 70),
          hasta: time(-5, 70),
          actualizada_desde: time(95, 145),
        },
        { requiredKeys: [] },
      )
      .filter(({ desde = '', hasta = '~' }) => desde <= hasta);
  /** A filter by the number or reference of an existing guide, with some of its other values. */
  const anyOne = () => {
    const by = fc.subarray(['guia', 'external_ref'], { minLength: 1 });
    const also = fc.subarray(['estado', 'telefono', 'direccion_confirmada']);
    return fc.tuple(fc.nat(GUIAS - 1), by, also).map(([n, ...names]): Filter => {
      const known = names.flat().map((name) => [name, String(guias[n][name] ?? 'ref-1')]);
      return Object.fromEntries(known);
    });
  };

  it('shows the matching guides in the documented order, by pages of any size', async () => {
    const numRuns = propertyRuns(30);
    let found = 0;
    const anyQuery = fc.tuple(anyFilter(), fc.integer({ min: 1, max: 100 }));
    await fc.assert(
      fc.asyncProperty(anyQuery, async ([filter, limit]) => {
        const shown = await walkGuias(merchant, { ...(filter as Filter), limit: String(limit) });
        expect(shown).toEqual(expected(guias, filter as Filter));
        found += shown.length;
      }),
      { numRuns },
    );
    // Not all of the filters are so narrow that nothing is found.
    expect(found).toBeGreaterThan(0);
  });

  it('shows at most one guide for a number or a reference', async () => {
    const numRuns = propertyRuns(30);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(anyOne(), fc.option(anyFilter(), { nil: {}, freq: 1 }), async (one, rest) => {
        const filter = { ...(rest as Filter), ...one };
        const shown = await walkGuias(merchant, { ...filter, limit: '1' });
        expect(shown).toEqual(expected(guias, filter));
        found += shown.length;
      }),
      { numRuns },
    );
    expect(found).toBeGreaterThan(0);
  });
});
