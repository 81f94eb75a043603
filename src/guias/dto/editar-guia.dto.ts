import { RefusedFields } from '../../platform/validation/dto-fields.js';
import { PhoneField, TextField } from '../../platform/validation/fields.js';
import { readPersonName } from '../../platform/validation/placeholder.js';
import { normalizeName } from '../../platform/validation/text.js';
import { AmountField } from './amount.field.js';
import { isOfParcel, withTexts, type GuiaText, type Texto } from '../guia/guia-fields.js';
import { MAX } from '../guia/limits.js';
import { SET_BY_SERVICE } from './crear-guia.dto.js';
import { LatField, LngField, MapsUrlField } from './place.fields.js';

/** Documents the header by which an edit is made on the version that was read. */
export const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    '`ETag` de la guía tal como se leyó, con sus comillas: `"1"`. Sin él, el cambio se hace sobre la versión actual.',
  schema: { type: 'string' as const },
};

export const EDIT_ERRORS = [
  'no_encontrado',
  'guia_no_modificable',
  'version_obsoleta',
  'enlace_no_soportado',
  'enlace_roto',
] as const;

/** Sent as null, a text is taken away. */
type EditedTexts = { [T in Texto]?: string | null };

const editedText = (text: GuiaText) =>
  TextField({
    max: text.max,
    multiline: text.isLong,
    clearable: true,
    description: `${text.description}; null ${text.cleared}.${isOfParcel(text) ? ' Hasta la recogida.' : ''}`,
    example: text.example,
  });

class ContactoDto {
  @PhoneField({
    required: 'when-sent',
    description:
      'Teléfono del destinatario, en E.164 o en el formato local. Si la dirección no está confirmada, se le pregunta en el número nuevo, y el enlace enviado al anterior deja de servir.',
    example: '5555 4321',
  })
  telefono?: string;

  @TextField({
    max: MAX.direccion,
    multiline: true,
    clearable: true,
    description: 'Dirección de destino; null la borra.',
    example: '4a calle 5-10, zona 1',
  })
  direccion?: string | null;
}

/** A change of what serves to arrive. Absent fields keep their value. */
export class EditarEntregaDto extends withTexts<ContactoDto, EditedTexts>(
  ContactoDto,
  editedText,
  (text) => !isOfParcel(text),
) {
  @LatField({
    clearable: 'by-null',
    description:
      'Latitud de destino, junto con `lng`. Confirma la dirección. Las dos en null quitan el destino, y se le pregunta al destinatario.',
    example: 14.6407,
  })
  lat?: number | null;

  @LngField({
    clearable: 'by-null',
    description: 'Longitud de destino, junto con `lat`.',
    example: -90.5133,
  })
  lng?: number | null;

  @MapsUrlField({
    clearable: 'by-null',
    description:
      'Alternativa a `lat` y `lng` del destino. Confirma la dirección. Null quita el destino, y se le pregunta al destinatario.',
  })
  maps_url?: string | null;
}

/** With whom the parcel is for, which is settled once it is picked up. */
class EditarPaqueteDto extends EditarEntregaDto {
  @TextField({
    max: MAX.nombre,
    clearable: true,
    read: readPersonName,
    description: 'Nombre del destinatario; null lo borra. Hasta la recogida.',
    example: 'Ana López',
  })
  nombre?: string | null;

  @TextField({
    required: 'when-sent',
    max: MAX.nombre,
    read: normalizeName,
    description: 'Departamento de destino. Hasta la recogida.',
    example: 'Guatemala',
  })
  departamento?: string;

  @TextField({
    required: 'when-sent',
    max: MAX.nombre,
    read: normalizeName,
    description: 'Municipio de destino. Hasta la recogida.',
    example: 'Mixco',
  })
  municipio?: string;
}

/** A change of a guide. Absent fields keep their value; what create requires cannot be emptied. */
@RefusedFields({
  ...SET_BY_SERVICE,
  estado: 'El estado no se edita. Para cancelar la guía use `POST /api/v1/guias/{id}/cancelar`.',
  external_ref: 'La referencia no cambia después de crear la guía: quítela.',
  recogida:
    'El punto de recogida no se cambia por la API: quítelo. Si está mal, elija otro en el panel, o cancele la guía y cree otra.',
})
export class EditarGuiaDto extends withTexts<EditarPaqueteDto, EditedTexts>(
  EditarPaqueteDto,
  editedText,
  isOfParcel,
) {
  @AmountField({
    description:
      'Monto por cobrar al entregar; 0 para no cobrar nada (null no lo cambia). Hasta la recogida.',
    example: 349.5,
  })
  cod_amount?: number;
}
