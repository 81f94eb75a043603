import type { CountryCode } from 'libphonenumber-js';
import { EDITABLE_IN, type EditableCampo } from '../../guias/changes/editable-fields.js';
import { EditarGuiaDto } from '../../guias/dto/editar-guia.dto.js';
import type { GuiaDetalleRow } from '../../guias/guia-row.js';
import { allFaults, toFormInput } from '../../guias/lote/form-input.js';
import type { Form } from '../../http/form-texts.js';
import { groupedPhone } from '../../validation/phone.js';
import type { InputContext } from '../../validation/dto-fields.js';
import { inspect, validValue } from '../../validation/read-input.js';

/** Fields that a text removes when it is emptied, or that may not be emptied. */
const STORED = [
  'telefono',
  'nombre',
  'departamento',
  'municipio',
  'direccion',
  'referencia',
  'contenido',
  'notas',
];

/** Reads the form of a change, as the API's `PATCH` does. @throws AppError `validacion` */
export function readChange({ clave: _, version: __, ...fields }: Form, context: InputContext): EditarGuiaDto {
  const { input, faults } = toFormInput(fields, STORED);
  const { value, errors } = inspect(EditarGuiaDto, input, context);
  return validValue({ value, errors: allFaults(faults, errors) });
}

/** The version that the form was made of, as `If-Match` names it. */
export const versionOf = ({ version }: Form): string | undefined =>
  version === undefined ? undefined : `"${version}"`;

/** The texts of the form for a guide: the fields that may be changed in its state. A new place begins empty. */
export function textsOfGuia(guia: GuiaDetalleRow, country: CountryCode): Map<EditableCampo, string> {
  const stored: Record<EditableCampo, string> = {
    nombre: guia.destinatario,
    telefono: groupedPhone(guia.telefono, country),
    departamento: guia.departamento,
    municipio: guia.municipio,
    direccion: guia.direccion,
    referencia: guia.referencia ?? '',
    cod_amount: guia.cod_amount.toFixed(2),
    contenido: guia.contenido,
    notas: guia.notas ?? '',
    maps_url: '',
    lat: '',
    lng: '',
  };
  const campos = Object.keys(stored) as EditableCampo[];
  return new Map(
    campos.filter((campo) => EDITABLE_IN[campo].includes(guia.estado)).map((campo) => [campo, stored[campo]]),
  );
}
