import { check } from './fields.js';
import { QueryField } from './query.fields.js';

const DESCRIPTION =
  '`prueba`: en vez de las guías reales, las creadas con claves de prueba (`gk_test_…`), y solo ellas.';

/** The query parameter by which an operator asks for test guides. */
export function ModoField(): PropertyDecorator {
  return QueryField(
    { description: DESCRIPTION },
    // No enum, which would narrow the document of earlier versions.
    { type: String },
    check('formato', (value) => value === 'prueba', 'Solo puede ser `prueba`.'),
  );
}

/** The query of an operator's routes that take nothing else. */
export class ModoDto {
  @ModoField()
  modo?: 'prueba';
}
