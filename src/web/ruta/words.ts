/* What a driver reads of codes. */

import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import type { Motivo, SIN_TIEMPO } from '../../guias/guia/guia-motivo.js';
import type { Tone } from '../../guias/guia/tone.js';
import type { Rechazo, Resultado } from './phone-data.js';

/** States as a driver reads them, with the tone of their badge. */
export const ESTADOS: Readonly<Record<GuiaEstado, [text: string, tone: Tone]>> = {
  aceptado: ['Por recoger', 'off'],
  en_camino_a_recoger: ['Va a recoger', 'off'],
  recogido: ['La lleva', 'off'],
  en_ruta: ['En ruta', 'way'],
  intento_fallido: ['No se pudo', 'care'],
  entregado: ['Entregada', 'good'],
  en_devolucion: ['En devolución', 'care'],
  devuelto: ['Devuelta', 'off'],
  cancelado: ['Cancelada', 'bad'],
  extraviado: ['Extraviada', 'bad'],
};

/** Reasons of a failed attempt, most frequent first. */
export const MOTIVOS: Readonly<Record<Exclude<Motivo, typeof SIN_TIEMPO>, string>> = {
  ausente: 'No había nadie',
  telefono_no_responde: 'No contesta',
  direccion_incorrecta: 'No di con la casa',
  sin_efectivo: 'No tenía dinero',
  rechazado: 'No lo quiso',
  reprogramado: 'Pide otro día',
  acceso_cerrado: 'Portón o garita cerrada',
  zona_insegura: 'Zona peligrosa',
  clima: 'Lluvia o paso cerrado',
  fuera_de_cobertura: 'No llego hasta ahí',
};

/** Why the page has no route to show. */
export const PERDIDA = {
  enlace: {
    titulo: 'Este enlace ya no sirve',
    texto: 'Pida uno nuevo a su bodega. Lo que espera aquí saldrá con su próximo enlace.',
  },
  dia: {
    titulo: 'Sin señal desde hace un día',
    texto:
      'Por seguridad se borraron los nombres y las direcciones. Lo que espera aquí no se pierde: vuelva a abrir esta página cuando tenga señal.',
  },
  nunca: {
    titulo: 'Sin señal',
    texto: 'Abra esta página una vez con señal; después abre también sin ella.',
  },
  ocupado: {
    titulo: 'Espere un minuto',
    texto: 'Son muchas solicitudes seguidas. Espere un minuto y vuelva a abrir esta página.',
  },
  caido: {
    titulo: 'El servicio no responde',
    texto: 'No se pierde nada de lo que hizo. Vuelva a abrir esta página en un minuto.',
  },
};

export type Perdida = keyof typeof PERDIDA;

/** Why an undo of what the service knows is refused. */
export const UNDO_REFUSALS = ['nada_que_deshacer', 'efectivo_entregado'];

/** Advice for a driver, where the service's own words are for programs. */
const REFUSALS: Record<string, string> = {
  pin_incorrecto: 'El PIN no es el de esta guía. Pídalo otra vez, o marque “No tiene el PIN”.',
  pin_agotado: 'Ya se probaron cinco PIN. Marque “No tiene el PIN” y escriba por qué.',
  transicion_invalida: 'La guía ya había cambiado. Mire cómo está ahora, o avise a su bodega.',
  cobro_liquidado: 'Lo cobrado ya se liquidó. Avise a su bodega.',
  nada_que_deshacer: 'No se pudo deshacer: avise a su bodega.',
  efectivo_entregado: 'No se pudo deshacer: avise a su bodega. Ese efectivo ya lo entregó.',
};

/** Of a field: the merchant may have changed the guide since this phone read it. */
const FAULTS: Record<string, string> = {
  'pin requerido': 'Este comercio pide ahora el PIN. Pídalo, o marque “No tiene el PIN”.',
  'cod_cobrado requerido': 'La guía tiene ahora un monto por cobrar. Escriba cuánto cobró; si nada, 0.',
  'ocurrido_en fuera_de_rango': 'El reloj de este teléfono estaba adelantado. Hágalo otra vez.',
};

/** The fault of the one field that is wrong says more than the count of faults. */
export function reasonOf({ codigo, detail, errores }: Resultado): string {
  const only = errores?.length === 1 ? errores[0] : undefined;
  const text = REFUSALS[codigo] ?? FAULTS[`${only?.campo} ${only?.codigo}`] ?? only?.mensaje ?? detail;
  return text.replaceAll('`', '');
}

export function notAppliedText(why: string, estado: GuiaEstado): string {
  if (why === 'de_otro_piloto')
    return 'Ya no era suya: la guía pasó a otro piloto. Lo que hizo quedó anotado y no la cambió; avise a su bodega.';
  // A later release may know more states.
  const name = (ESTADOS as Partial<typeof ESTADOS>)[estado]?.[0] ?? estado;
  return `Llegó tarde: la guía ya está como “${name}”. Quedó anotado; si no es así, avise a su bodega.`;
}

/** Refusals that say first what happened, up to a colon; of all others it is that nothing was done. */
const SAYS_ITSELF = ['tarde', 'de_otro_piloto', ...UNDO_REFUSALS];

export function refusalText({ codigo, detail }: Rechazo): [what: string, more: string] {
  const end = SAYS_ITSELF.includes(codigo) ? detail.indexOf(':') + 1 : 0;
  return end > 0 ? [detail.slice(0, end), detail.slice(end)] : ['No se hizo.', ` ${detail}`];
}
