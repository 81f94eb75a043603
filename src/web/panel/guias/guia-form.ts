import type { CountryCode } from 'libphonenumber-js';
import { EDITABLE_IN } from '../../../guias/changes/editable-fields.js';
import { EDITABLE_CAMPOS, ofEachText, type EditableCampo } from '../../../guias/guia/guia-fields.js';
import { EditarGuiaDto } from '../../../guias/dto/editar-guia.dto.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { allFaults, toFormInput } from '../../../guias/lote/form-input.js';
import { coordinatesText } from '../../kit/shown-link.js';
import type { Form } from '../../../platform/http/form-texts.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import type { InputContext } from '../../../platform/validation/dto-fields.js';
import { inspect, validValue } from '../../../platform/validation/read-input.js';

/** Hidden beside each field: its text when the form was made. */
const BEFORE = 'antes_';

/** The name of the hidden field with a field's text before. */
export const beforeOf = (campo: EditableCampo | 'destino'): string => BEFORE + campo;

/** The check box that takes the place off. */
export const CLEAR_PLACE = 'quitar_destino';

const PLACE = ['maps_url', 'lat', 'lng'] as const;

/** Fields that a text removes when it is emptied, or that may not be emptied. */
const STORED = EDITABLE_CAMPOS.filter((campo) => !['cod_amount', ...PLACE].includes(campo));

/** Reads the form of a change, as the API's `PATCH` does. @throws AppError `validacion` */
export function readChange(
  { version: _, recogida: __, ...sent }: Form,
  context: InputContext,
): EditarGuiaDto {
  const { [CLEAR_PLACE]: clears, ...named } = sent;
  const fields = Object.fromEntries(Object.entries(named).filter(([name]) => !name.startsWith(BEFORE)));
  const { input, faults } = toFormInput(fields, STORED);
  if (clears === 'si' && PLACE.every((campo) => !fields[campo]?.trim())) input.maps_url = null;
  else if (clears)
    faults.push({
      campo: CLEAR_PLACE,
      codigo: 'formato',
      mensaje: 'Quite el lugar, o dé otro: las dos cosas a la vez no se entienden.',
    });
  const { value, errors } = inspect(EditarGuiaDto, input, context);
  return validValue({ value, errors: allFaults(faults, errors) });
}

/** The version that the form was made of, as `If-Match` names it. */
export const versionOf = ({ version }: Form): string | undefined =>
  version === undefined ? undefined : `"${version}"`;

/** The texts of the form for a guide: the fields that may be changed in its state. A new place begins empty. */
export function textsOfGuia(guia: GuiaDetalleRow, country: CountryCode): Map<EditableCampo, string> {
  const { referencia, ...others } = ofEachText((_text, texto) => guia[texto] ?? '');
  const stored: Record<EditableCampo, string> = {
    nombre: guia.destinatario,
    telefono: groupedPhone(guia.telefono, country),
    departamento: guia.departamento,
    municipio: guia.municipio,
    direccion: guia.direccion,
    referencia,
    cod_amount: guia.cod_amount.toFixed(2),
    ...others,
    maps_url: '',
    lat: '',
    lng: '',
  };
  const campos = Object.keys(stored) as EditableCampo[];
  return new Map(
    campos.filter((campo) => EDITABLE_IN[campo].includes(guia.estado)).map((campo) => [campo, stored[campo]]),
  );
}

/** Where a guide goes, as text: its fields begin empty. */
export function destinoOf({ destino_lat, destino_lng, destino_maps_url }: GuiaDetalleRow): string {
  if (destino_lat === null || destino_lng === null) return destino_maps_url ?? '';
  return coordinatesText(destino_lat, destino_lng);
}

export interface ShownChange {
  fields: Form;
  /** By field: what it was, or is now, where somebody changed it meanwhile. */
  notes: Texts;
}

/**
 * A refused form of an earlier version of the guide: fields that were not changed in it take what the guide has now, and the
 * others keep what was typed. Otherwise sending it again would take back what somebody else changed.
 * @param now as `textsOfGuia` @param destino as `destinoOf`
 */
export function onNewVersion(
  sent: Form,
  now: ReadonlyMap<EditableCampo, string>,
  destino: string,
): ShownChange {
  const fields: Form = {};
  const notes: Texts = {};
  for (const [campo, text] of now) {
    const typed = sent[campo] ?? text;
    const before = sent[beforeOf(campo)] ?? '';
    const isTyped = !isSame(typed, before);
    fields[campo] = isTyped ? typed : text;
    if (isSame(before, text) || isSame(typed, text)) continue;
    notes[campo] =
      `Cambió mientras tanto. ${isTyped ? `Ahora: ${quoted(text)}` : `Antes: ${quoted(before)}`}.`;
  }
  const isPlaceSame = isSame(sent[beforeOf('destino')] ?? '', destino);
  if (sent[CLEAR_PLACE] && isPlaceSame) fields[CLEAR_PLACE] = sent[CLEAR_PLACE];
  const isPlaceTyped = [sent[CLEAR_PLACE], ...PLACE.map((campo) => fields[campo])].some((text) => text);
  if (isPlaceTyped && !isPlaceSame)
    notes.maps_url = `El destino cambió mientras tanto. Ahora: ${quoted(destino)}.`;
  return { fields, notes };
}

/** Browsers send line ends in their own way. */
const isSame = (one: string, other: string) => withPlainEnds(one) === withPlainEnds(other);
const withPlainEnds = (text: string) => text.replaceAll('\r\n', '\n').trim();

const quoted = (text: string) => (text === '' ? 'vacío' : `«${text}»`);
