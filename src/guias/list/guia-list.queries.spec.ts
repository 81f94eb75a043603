import { firstIdAt } from '../../database/row-id.js';
import { GUIA_ESTADOS } from '../guia-estado.js';
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

  it('gives two statements the same name exactly if they have the same text', () => {
    const pairs = new Set(statements.map(({ name, text }) => `${name} ${text}`));
    const count = (key: 'name' | 'text') => new Set(statements.map((statement) => statement[key])).size;
    expect([count('name'), count('text')]).toEqual([pairs.size, pairs.size]);
  });

  it('gives no name longer than the 63 characters that PostgreSQL keeps', () => {
    expect(statements.filter(({ name }) => name!.length > 63)).toEqual([]);
  });

  it('uses each parameter', () => {
    for (const { text, values } of statements) {
      const used = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)).sort((a, b) => a - b);
      expect(used.filter((n, i) => n !== used[i - 1])).toEqual(values!.map((_, i) => i + 1));
    }
  });

  it.each<[name: string, filter: ListFilter]>([
    ['guia-list', {}],
    ['guia-list', { from: firstIdAt(1), before: firstIdAt(2) }],
    ['guia-list-estado1', { estados: ['aceptado'] }],
    ['guia-list-estado2', { estados: ['aceptado', 'en_ruta'] }],
    ['guia-list-telefono-estado1', { telefono: '+50255551234', estados: ['aceptado'] }],
    ['guia-list-adv', { advertencia: 'cualquiera' }],
    ['guia-list-advcod', { advertencia: 'cod_distinto' }],
    ['guia-list-conf', { direccion_confirmada: false }],
    ['guia-list-ref', { external_ref: 'a' }],
    ['guia-list-guia', { guia: '483920175567' }],
    ['guia-list-cambio', { actualizada_desde: 0 }],
    ['guia-list-cambio-ids', { actualizada_desde: 0, before: firstIdAt(2) }],
  ])('names the statement %s for %j', (name, filter) => {
    expect(listGuias('m', filter, { rows: 51 }).name).toBe(name);
  });
});
