import { AppError } from '../../platform/errors/app-error.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { EDITABLE_CAMPOS, FIELDS, type EditableCampo } from '../guia/guia-fields.js';
import { FINAL_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Author } from './author.js';

export const EDITABLE_IN = Object.fromEntries(
  EDITABLE_CAMPOS.map((campo) => [campo, FIELDS[campo].editableIn]),
) as Record<EditableCampo, readonly GuiaEstado[]>;

export function editableIn(campo: EditableCampo, actor: Author['actor']): readonly GuiaEstado[] {
  const isCourier = actor === 'operador' || actor === 'soporte';
  return (isCourier && FIELDS[campo].byCourierIn) || EDITABLE_IN[campo];
}

export function isEditable(estado: GuiaEstado): boolean {
  return EDITABLE_CAMPOS.some((campo) => EDITABLE_IN[campo].includes(estado));
}

/** @throws AppError `guia_no_modificable`, which names the fields that were sent, if nothing may be changed in this state. */
export function checkEditable(estado: GuiaEstado, dto: EditarGuiaDto): void {
  if (isEditable(estado)) return;
  const sent = EDITABLE_CAMPOS.filter((campo) => dto[campo] !== undefined);
  throw notEditable(sent, estado, (campo) => EDITABLE_IN[campo]);
}

/** @throws AppError `guia_no_modificable`, which names each field that may not be changed in this state. */
export function checkCampos(
  campos: readonly EditableCampo[],
  estado: GuiaEstado,
  actor: Author['actor'] = 'comercio',
): void {
  const statesOf = (campo: EditableCampo) => editableIn(campo, actor);
  const locked = campos.filter((campo) => !statesOf(campo).includes(estado));
  if (locked.length > 0) throw notEditable(locked, estado, statesOf);
}

/** The state in which the panel takes another pickup point: nobody is on the way there. */
export const RECOGIDA_EDITABLE_IN: GuiaEstado = 'aceptado';

/** @throws AppError `guia_no_modificable` where somebody is on the way to the pickup point, or was there. */
export function checkRecogida(estado: GuiaEstado): void {
  if (estado === RECOGIDA_EDITABLE_IN) return;
  throw new AppError('guia_no_modificable', {
    detail: 'Ya van a recoger el paquete, o ya lo recogieron: el punto de recogida no se cambia.',
  });
}

/** Names each field that may not change any more, and the states in which it could, unless the guide has ended. */
function notEditable(
  campos: EditableCampo[],
  estado: GuiaEstado,
  statesOf: (campo: EditableCampo) => readonly GuiaEstado[],
): AppError {
  const hasEnded = FINAL_ESTADOS.includes(estado);
  const errores = campos.map((campo) => ({
    campo,
    codigo: 'guia_no_modificable' as const,
    mensaje: hasEnded ? 'La guía ya terminó.' : `Solo se cambia en: ${statesOf(campo).join(', ')}.`,
  }));
  const names = campos.map((campo) => `\`${campo}\``).join(', ');
  const what = campos.length > 1 ? `no se cambian ${names}` : `no se cambia ${names || 'nada'}`;
  const detail = hasEnded
    ? `La guía ya terminó, en \`${estado}\`: no cambia más.`
    : `La guía está en \`${estado}\`, y en ese estado ${what}.`;
  return new AppError('guia_no_modificable', { detail, ...(errores.length > 0 && { errores }) });
}
