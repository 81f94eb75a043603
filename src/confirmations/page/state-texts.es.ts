import type { GuiaEstado } from '../../guias/guia-estado.js';
import type { Motivo } from '../../guias/guia-motivo.js';

/** Sentences for recipients about a state of the parcel. */
interface EstadoTexts {
  /** Title of the page, without a full stop. */
  title: string;
  /** A step of the parcel's progress. */
  step: string;
  /** Advice, where the state needs some. */
  advice?: string;
}

export const ESTADO_TEXTS: Record<GuiaEstado, EstadoTexts> = {
  aceptado: { title: 'Tu paquete se está preparando', step: 'El comercio preparó el envío' },
  en_camino_a_recoger: { title: 'Van al comercio por tu paquete', step: 'La mensajería va a recogerlo' },
  recogido: { title: 'La mensajería tiene tu paquete', step: 'La mensajería lo recogió' },
  en_ruta: { title: 'Tu paquete va en camino', step: 'Va en camino a ti' },
  intento_fallido: {
    title: 'No pudimos entregarte el paquete',
    step: 'No se pudo entregar',
    advice: 'Lo intentarán de nuevo. Si tienes dudas, escríbele al comercio.',
  },
  entregado: { title: 'Tu paquete fue entregado', step: 'Entregado' },
  en_devolucion: {
    title: 'Tu paquete regresa al comercio',
    step: 'Regresa al comercio',
    advice: 'Si aún lo quieres, escríbele al comercio.',
  },
  devuelto: {
    title: 'Tu paquete volvió al comercio',
    step: 'Devuelto al comercio',
    advice: 'Si aún lo quieres, escríbele al comercio.',
  },
  cancelado: {
    title: 'El envío fue cancelado',
    step: 'El comercio canceló el envío',
    advice: 'Si no lo esperabas, escríbele al comercio.',
  },
  extraviado: {
    title: 'Tu paquete se extravió',
    step: 'Se extravió',
    advice: 'Escríbele al comercio para que te lo resuelva.',
  },
};

/** Sentences for recipients about a failed attempt. */
interface MotivoTexts {
  why: string;
  /** Advice, where it differs from the state's. */
  advice?: string;
}

export const MOTIVO_TEXTS: Record<Motivo, MotivoTexts> = {
  ausente: { why: 'No había quien recibiera.' },
  telefono_no_responde: { why: 'Te llamaron y nadie contestó.' },
  direccion_incorrecta: {
    why: 'No encontraron tu dirección.',
    advice: 'Escríbele al comercio y explícale cómo llegar.',
  },
  fuera_de_cobertura: {
    why: 'El mensajero no llega a tu zona.',
    advice: 'Escríbele al comercio para acordar cómo recibirlo.',
  },
  rechazado: {
    why: 'El mensajero reporta que no quisiste recibirlo.',
    advice: 'Si lo quieres, escríbele al comercio.',
  },
  sin_efectivo: {
    why: 'No había con qué pagar.',
    advice: 'Lo intentarán de nuevo: ten listo el efectivo. Si tienes dudas, escríbele al comercio.',
  },
  reprogramado: { why: 'Se pidió otra fecha.' },
  zona_insegura: {
    why: 'No era seguro entrar a la zona.',
    advice: 'Escríbele al comercio para acordar cómo recibirlo.',
  },
  clima: { why: 'El clima no lo permitió.' },
  sin_tiempo: { why: 'Hoy no alcanzó el día: va otro día.' },
  acceso_cerrado: {
    why: 'No dejaron pasar al mensajero: garita, portón o edificio.',
    advice:
      'Lo intentarán de nuevo: avisa en la entrada que lo esperas. Si tienes dudas, escríbele al comercio.',
  },
};
