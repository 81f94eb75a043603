import { firstIdAt } from '../../database/row-id.js';
import { listAllGuias, type OperatorFilter } from './operator-guias.queries.js';

const PARTS: Partial<OperatorFilter>[] = [
  { estados: ['aceptado'] },
  { advertencia: 'mensaje_fallido' },
  { telefono: '+50255551234' },
  { direccion_confirmada: false },
  { external_ref: 'a' },
  { guia: '483920175567' },
  { actualizada_desde: 0 },
  { from: firstIdAt(1) },
  { before: firstIdAt(2) },
  { isTest: true },
  { comercio: 'c' },
  { departamento: 'd' },
  { municipio: 'm' },
];
const COMBINATIONS = Array.from({ length: 2 ** PARTS.length }, (_, bits): OperatorFilter =>
  Object.assign({ isTest: false }, ...PARTS.filter((_part, i) => bits & (1 << i))),
);

describe('listAllGuias', () => {
  const statements = COMBINATIONS.map((filter) => listAllGuias(filter, { rows: 51 }));

  it('gives two statements the same name exactly if they have the same text', () => {
    const pairs = new Set(statements.map(({ name, text }) => `${name} ${text}`));
    const count = (key: 'name' | 'text') => new Set(statements.map((statement) => statement[key])).size;
    expect([count('name'), count('text')]).toEqual([pairs.size, pairs.size]);
  });

  it('gives no name longer than the 63 characters that PostgreSQL keeps', () => {
    expect(statements.filter(({ name }) => name!.length > 63).map(({ name }) => name)).toEqual([]);
  });
});
