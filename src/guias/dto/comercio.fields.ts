import { isUuid } from '../../platform/database/row-id.js';
import { ID_EXAMPLES } from '../../platform/openapi/answer-fields.js';
import { check, TextField } from '../../platform/validation/fields.js';
import { QueryField } from '../../platform/validation/query.fields.js';

export const ComercioField = (): PropertyDecorator =>
  TextField(
    { required: true, max: 36, description: '`id` del comercio.', example: ID_EXAMPLES.comercio },
    check('formato', (text: string) => isUuid(text), 'Debe ser el `id` de un comercio.'),
  );

export const QueryComercioField = (description: string): PropertyDecorator =>
  QueryField(
    { description },
    { type: String, format: 'uuid' },
    check('formato', (text: string) => isUuid(text), 'Debe ser el `id` de un comercio (UUID).'),
  );
