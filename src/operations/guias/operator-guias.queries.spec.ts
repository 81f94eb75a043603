import { firstIdAt } from '../../platform/database/row-id.js';
import { listAllGuias, type OperatorFilter } from './operator-guias.queries.js';

const PARTS: Partial<OperatorFilter>[] = [
  { isTest: true },
  { comercio: firstIdAt(1) },
  { departamento: 'Guatemala' },
  { municipio: 'Mixco' },
  { piloto: firstIdAt(1) },
  { piloto: 'ninguno' },
  { estados: ['aceptado', 'en_ruta'] },
  { advertencia: 'mensaje_fallido' },
  { telefono: '+50255551234' },
  { direccion_confirmada: false },
  { external_ref: 'a' },
  { guia: '483920175567' },
  { actualizada_desde: 0 },
  { from: firstIdAt(1) },
];

describe('listAllGuias', () => {
  const statements = Array.from({ length: 2 ** PARTS.length }, (_, bits) => {
    const parts = PARTS.filter((_part, i) => bits & (1 << i));
    return listAllGuias(Object.assign({ isTest: false }, ...parts), { rows: 51 });
  });
  const named = statements.filter(({ name }) => name !== undefined);

  it('gives two statements the same name only if they have the same text', () => {
    const texts = new Map(named.map(({ name, text }) => [name, text]));
    expect(named.filter(({ name, text }) => texts.get(name) !== text)).toEqual([]);
  });

  it('uses each parameter', () => {
    for (const { text, values } of statements) {
      const used = new Set([...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
      expect([...used].sort((a, b) => a - b)).toEqual(values!.map((_, i) => i + 1));
    }
  });
});
