import { firstIdAt } from '../../platform/database/row-id.js';
import { GUIA_ESTADOS } from '../guia/guia-estado.js';
import { listGuias, type ListFilter } from './guia-list.queries.js';

const PARTS: ListFilter[] = [
  { estados: ['aceptado'] },
  { advertencia: 'mensaje_fallido' },
  { telefono: '+50255551234' },
  { direccion_confirmada: false },
  { external_ref: 'a' },
  { guia: '483920175567' },
  { actualizada_desde: 0 },
  { from: firstIdAt(1) },
  { before: firstIdAt(2) },
];
const COMBINATIONS = Array.from({ length: 2 ** PARTS.length }, (_, bits): ListFilter =>
  Object.assign({}, ...PARTS.filter((_part, i) => bits & (1 << i))),
).flatMap((filter): ListFilter[] =>
  filter.estados
    ? [filter, { ...filter, estados: GUIA_ESTADOS }, { ...filter, estados: ['aceptado', 'en_ruta'] }]
    : [filter, { ...filter, advertencia: 'cualquiera' }],
);
const AFTER = { id: firstIdAt(3), ms: 3 };

describe('listGuias', () => {
  const statements = COMBINATIONS.flatMap((filter) => [
    listGuias('m', filter, { rows: 51 }),
    listGuias('m', filter, { rows: 11, after: AFTER }),
  ]);

  it('gives two statements the same name only if they have the same text', () => {
    const named = statements.filter(({ name }) => name !== undefined);
    const texts = new Map(named.map(({ name, text }) => [name, text]));
    expect(named.filter(({ name, text }) => texts.get(name) !== text)).toEqual([]);
  });

  it('uses each parameter', () => {
    for (const { text, values } of statements) {
      const used = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)).sort((a, b) => a - b);
      expect(used.filter((n, i) => n !== used[i - 1])).toEqual(values!.map((_, i) => i + 1));
    }
  });

  it.each<[name: string | undefined, filter: ListFilter]>([
    ['guia-list', {}],
    ['guia-list', { from: firstIdAt(1), before: firstIdAt(2) }],
    ['guia-list-estado1', { estados: ['aceptado'] }],
    ['guia-list-telefono', { telefono: '+50255551234' }],
    ['guia-list-ref', { external_ref: 'a' }],
    ['guia-list-guia', { guia: '483920175567' }],
    ['guia-list-cambio', { actualizada_desde: 0 }],
    [undefined, { estados: ['aceptado', 'en_ruta'] }],
    [undefined, { telefono: '+50255551234', estados: ['aceptado'] }],
    [undefined, { actualizada_desde: 0, before: firstIdAt(2) }],
  ])('prepares, as %s, the list by %j', (name, filter) => {
    expect(listGuias('m', filter, { rows: 51 }).name).toBe(name);
  });
});
