import { OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import { EDITABLE_IN } from './editable-fields.js';

/** Corrections of a guide by its recipient in 24 hours, by whichever link or chat. */
export const MAX_CORRECTIONS = 10;

/** The columns that decide whether a recipient may answer. */
interface Answerable {
  estado: GuiaEstado;
  direccion_confirmada: boolean;
}

/** Whether the recipient may say a word to the driver, who is on the way to a known place: a note, and nothing else. */
export function takesNotesAlone({ estado, direccion_confirmada }: Answerable): boolean {
  return direccion_confirmada && estado === 'en_ruta';
}

/** Whether the recipient may confirm the destination until the delivery, or correct a known one where the merchant may. */
export function isConfirmable({ estado, direccion_confirmada }: Answerable): boolean {
  return (direccion_confirmada ? EDITABLE_IN.lat : OPEN_ESTADOS).includes(estado);
}
