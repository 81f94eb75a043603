import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import type { Motivo } from '../../guias/guia/guia-motivo.js';
import type { Pair, PairTable } from './pairs.js';

/** Sentences about a state of the parcel, or about a failed attempt. */
type Advice = {
  /** The next step, or advice. */
  advice?: Pair;
  /** The same, while the page takes answers. */
  reply?: Pair;
  /** A question to the merchant, shown only where the merchant gave a phone for it. */
  ask?: Pair;
};

const IF_WANTED: Pair = [
  'Si aún lo quieres, escríbele a la tienda.',
  'If you still want it, write to the shop.',
];
const AGREE: Pair = [
  'También puedes acordarlo con la tienda: escríbele.',
  'You can also arrange it with the shop: write to them.',
];
const ANOTHER_PLACE: Pair = [
  'Marca otro lugar donde puedas recibirlo.',
  'Mark another place where you can receive it.',
];

/** The title of the page, without a full stop, and a step of the parcel's progress. */
export const ESTADO_TEXTS: Record<GuiaEstado, Advice & { title: Pair; step: Pair }> = {
  aceptado: {
    title: ['Tu paquete se está preparando', 'Your parcel is being prepared'],
    step: ['La tienda preparó el envío', 'The shop prepared it'],
  },
  en_camino_a_recoger: {
    title: ['Van a la tienda por tu paquete', 'The courier is going to the shop for your parcel'],
    step: ['La mensajería va a recogerlo', 'The courier is going to pick it up'],
  },
  recogido: {
    title: ['La mensajería tiene tu paquete', 'The courier has your parcel'],
    step: ['La mensajería lo recogió', 'The courier picked it up'],
  },
  en_ruta: {
    title: ['Tu paquete va en camino', 'Your parcel is on its way'],
    step: ['Va en camino a ti', 'On its way to you'],
    advice: ['Ten el teléfono a mano.', 'Keep your phone at hand.'],
  },
  intento_fallido: {
    title: ['No pudimos entregarte el paquete', 'We could not deliver your parcel'],
    step: ['No se pudo entregar', 'It could not be delivered'],
    advice: ['Lo intentarán de nuevo.', 'They will try again.'],
    ask: ['Si tienes dudas, escríbele a la tienda.', 'If you have questions, write to the shop.'],
  },
  entregado: {
    title: ['Tu paquete fue entregado', 'Your parcel was delivered'],
    step: ['Entregado', 'Delivered'],
  },
  en_devolucion: {
    title: ['Tu paquete regresa a la tienda', 'Your parcel goes back to the shop'],
    step: ['Regresa a la tienda', 'Going back to the shop'],
    ask: IF_WANTED,
  },
  devuelto: {
    title: ['Tu paquete volvió a la tienda', 'Your parcel is back at the shop'],
    step: ['Devuelto a la tienda', 'Returned to the shop'],
    ask: IF_WANTED,
  },
  cancelado: {
    title: ['El envío fue cancelado', 'The delivery was cancelled'],
    step: ['La tienda canceló el envío', 'The shop cancelled it'],
    ask: ['Si no lo esperabas, escríbele a la tienda.', 'If you did not expect that, write to the shop.'],
  },
  extraviado: {
    title: ['Tu paquete se extravió', 'Your parcel was lost'],
    step: ['Se extravió', 'It was lost'],
    advice: ['La tienda ya lo sabe.', 'The shop knows.'],
    ask: ['Escríbele para que te lo resuelva.', 'Write to them so that they settle it.'],
  },
};

/** The parcel is back at the depot without an attempt. */
export const ANOTHER_DAY = {
  title: ['Tu paquete va otro día', 'Your parcel comes another day'],
  why: ['Hoy no alcanzó el día: va otro día.', 'There was no time left today: it comes another day.'],
} satisfies PairTable;

/** Advice stands in place of the state's. */
export const MOTIVO_TEXTS: Record<Motivo, Advice & { why: Pair }> = {
  ausente: { why: ['No había quien recibiera.', 'Nobody was there to receive it.'] },
  telefono_no_responde: { why: ['Te llamaron y nadie contestó.', 'They called you and nobody answered.'] },
  direccion_incorrecta: {
    why: ['No encontramos tu casa.', 'We did not find your house.'],
    reply: ['Dinos cómo llegar y volvemos.', 'Tell us how to get there, and we will come back.'],
    ask: AGREE,
  },
  fuera_de_cobertura: {
    why: ['El mensajero no llega a tu zona.', 'The courier does not go to your area.'],
    reply: ANOTHER_PLACE,
    ask: AGREE,
  },
  rechazado: {
    why: ['El mensajero reporta que no quisiste recibirlo.', 'The courier reports that you did not want it.'],
    reply: ['Si lo quieres, dínoslo abajo.', 'If you want it, tell us below.'],
    ask: AGREE,
  },
  sin_efectivo: {
    why: ['No había con qué pagar.', 'There was no cash to pay it.'],
    advice: ['Lo intentarán de nuevo: ten listo el efectivo.', 'They will try again: have the cash ready.'],
  },
  reprogramado: { why: ['Se pidió otra fecha.', 'Another date was asked for.'] },
  zona_insegura: {
    why: ['No era seguro entrar a la zona.', 'It was not safe to enter the area.'],
    reply: ANOTHER_PLACE,
    ask: AGREE,
  },
  clima: { why: ['El clima no lo permitió.', 'The weather did not allow it.'] },
  sin_tiempo: { why: ANOTHER_DAY.why },
  acceso_cerrado: {
    why: [
      'No dejaron pasar al mensajero: garita, portón o edificio.',
      'The courier was not let in: gate, guard or building.',
    ],
    advice: [
      'Lo intentarán de nuevo: avisa en la entrada que lo esperas.',
      'They will try again: tell the entrance that you expect them.',
    ],
  },
};
