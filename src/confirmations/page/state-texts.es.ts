import type { GuiaEstado } from '../../guias/guia-estado.js';
import type { Motivo } from '../../guias/guia-motivo.js';

/** Sentences for recipients about a state of the parcel, or about a failed attempt. */
interface Advice {
  /** What happens next, or what to do. */
  advice?: string;
  /** The same, while the page takes answers. */
  reply?: string;
  /** What to ask the merchant, shown only where the merchant gave a phone for it. */
  ask?: string;
}

interface EstadoTexts extends Advice {
  /** Title of the page, without a full stop. */
  title: string;
  /** A step of the parcel's progress. */
  step: string;
}

export const ESTADO_TEXTS: Record<GuiaEstado, EstadoTexts> = {
  aceptado: { title: 'Tu paquete se está preparando', step: 'La tienda preparó el envío' },
  en_camino_a_recoger: {
    title: 'Van a la tienda por tu paquete',
    step: 'La mensajería va a recogerlo',
  },
  recogido: { title: 'La mensajería tiene tu paquete', step: 'La mensajería lo recogió' },
  en_ruta: {
    title: 'Tu paquete va en camino',
    step: 'Va en camino a ti',
    advice: 'Ten el teléfono a mano.',
  },
  intento_fallido: {
    title: 'No pudimos entregarte el paquete',
    step: 'No se pudo entregar',
    advice: 'Lo intentarán de nuevo.',
    ask: 'Si tienes dudas, escríbele a la tienda.',
  },
  entregado: { title: 'Tu paquete fue entregado', step: 'Entregado' },
  en_devolucion: {
    title: 'Tu paquete regresa a la tienda',
    step: 'Regresa a la tienda',
    ask: 'Si aún lo quieres, escríbele a la tienda.',
  },
  devuelto: {
    title: 'Tu paquete volvió a la tienda',
    step: 'Devuelto a la tienda',
    ask: 'Si aún lo quieres, escríbele a la tienda.',
  },
  cancelado: {
    title: 'El envío fue cancelado',
    step: 'La tienda canceló el envío',
    ask: 'Si no lo esperabas, escríbele a la tienda.',
  },
  extraviado: {
    title: 'Tu paquete se extravió',
    step: 'Se extravió',
    advice: 'La tienda ya lo sabe.',
    ask: 'Escríbele para que te lo resuelva.',
  },
};

/** The parcel is back at the depot without an attempt. */
export const ANOTHER_DAY = { title: 'Tu paquete va otro día', why: 'Hoy no alcanzó el día: va otro día.' };

interface MotivoTexts extends Advice {
  why: string;
}

/** Advice stands in place of the state's. */
export const MOTIVO_TEXTS: Record<Motivo, MotivoTexts> = {
  ausente: { why: 'No había quien recibiera.' },
  telefono_no_responde: { why: 'Te llamaron y nadie contestó.' },
  direccion_incorrecta: {
    why: 'No encontraron tu dirección.',
    reply: 'Dinos cómo llegar y volverán.',
    ask: 'También puedes acordarlo con la tienda: escríbele.',
  },
  fuera_de_cobertura: {
    why: 'El mensajero no llega a tu zona.',
    reply: 'Marca otro lugar donde puedas recibirlo.',
    ask: 'También puedes acordarlo con la tienda: escríbele.',
  },
  rechazado: {
    why: 'El mensajero reporta que no quisiste recibirlo.',
    reply: 'Si lo quieres, dínoslo abajo.',
    ask: 'También puedes acordarlo con la tienda: escríbele.',
  },
  sin_efectivo: {
    why: 'No había con qué pagar.',
    advice: 'Lo intentarán de nuevo: ten listo el efectivo.',
  },
  reprogramado: { why: 'Se pidió otra fecha.' },
  zona_insegura: {
    why: 'No era seguro entrar a la zona.',
    reply: 'Marca otro lugar donde puedas recibirlo.',
    ask: 'También puedes acordarlo con la tienda: escríbele.',
  },
  clima: { why: 'El clima no lo permitió.' },
  sin_tiempo: { why: ANOTHER_DAY.why },
  acceso_cerrado: {
    why: 'No dejaron pasar al mensajero: garita, portón o edificio.',
    advice: 'Lo intentarán de nuevo: avisa en la entrada que lo esperas.',
  },
};
