/* What support reads of an action on a guide: how it ended, and why it was refused. */
import type { ErrorCode } from '../../../platform/errors/error-codes.js';
import { ASK_REFUSALS } from '../../../guias/changes/ask-again.js';
import type { SendOutlook } from '../../../notifications/sending/send-outlook.service.js';
import { mayNotArrive } from '../texts.js';

export const ON_ITS_WAY = 'El mensaje va en camino al destinatario. Su estado aparece abajo.';

export const ON_THE_WAY = 'El mensajero va en camino y ve el número nuevo; no se le escribe al destinatario.';

export const DENIAL_REFUSALS = {
  ended: 'La guía ya terminó: no hay nada que anotar.',
  other_phone: 'El teléfono acaba de cambiar. Mire la guía otra vez.',
};

export const SILENT_MAPS =
  'El servicio de mapas no responde: se sigue preguntando; si en un minuto no hay respuesta, se le pregunta al destinatario.';

export const waits = ({ causa, por_informe }: NonNullable<SendOutlook['pausa']>) =>
  por_informe
    ? mayNotArrive(causa)
    : `El mensaje espera: el envío está detenido. Saldrá cuando se corrija: ${causa}`;

/** Sentence on the message to a new phone. @param outlook undefined for a test guide. */
export function askedAnew(outlook: SendOutlook | undefined): string {
  if (outlook?.de_baja) return ASK_REFUSALS.baja.detail;
  if (outlook?.sin_cupo) return ASK_REFUSALS.cupo.detail;
  return outlook?.pausa ? waits(outlook.pausa) : 'Se le preguntará la ubicación al número nuevo.';
}

export const EDIT_REFUSALS: Partial<Record<ErrorCode, string>> = {
  guia_no_modificable: 'La guía vuelve al comercio o ya terminó, y esto ya no se corrige.',
  enlace_roto: 'El servicio de mapas dice que el enlace no existe. Pida otro, o pegue las coordenadas.',
  enlace_no_soportado:
    'El enlace no lleva a un lugar de un servicio de mapas conocido. Pida otro, o pegue las coordenadas.',
  no_disponible: 'La guía no deja de cambiar. Repita en un momento.',
};
