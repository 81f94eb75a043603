import { MAX_CORRECTIONS } from '../../guias/changes/confirmable.js';
import { FAULTS } from './fault-texts.es.js';
import { MAX_NOTA } from '../dto/confirmar.dto.js';
import type { Field } from './field.js';
import { SCRIPT } from './script-texts.es.js';
import { ANOTHER_DAY, ESTADO_TEXTS, MOTIVO_TEXTS } from './state-texts.es.js';

/** A page that says why there is nothing to show. */
interface ErrorPageTexts {
  title: string;
  heading: string;
  paragraphs: string[];
}

/** For unknown and for expired links: every sentence must be true of both. */
const MISSING: ErrorPageTexts = {
  title: 'Este enlace no está disponible',
  heading: 'Este enlace no está disponible',
  paragraphs: [
    'Puede que haya vencido o que se haya copiado incompleto.',
    'Ábrelo de nuevo desde el mensaje que recibiste. Si lo abriste así y no funciona, pide uno nuevo a quien te envía el paquete.',
  ],
};

/** For too many requests. */
const BUSY: ErrorPageTexts = {
  title: 'Espera un momento',
  heading: 'Espera un momento',
  paragraphs: ['Recibimos demasiados intentos seguidos. Vuelve a abrir el enlace dentro de un minuto.'],
};

/** For a service that cannot answer now. */
const AWAY: ErrorPageTexts = {
  title: 'Inténtalo en un minuto',
  heading: 'No pudimos abrir esta página',
  paragraphs: ['Inténtalo de nuevo en un minuto. Tu enlace sigue sirviendo.'],
};

/** All that recipients read on their page, in Spanish. Another language is another object of this type. */
export const ES = {
  /** BCP 47. */
  lang: 'es',
  /** Preview of a link in chats: `og:locale`, and texts that name nobody. */
  preview: {
    locale: 'es_ES',
    asks: {
      title: 'Confirma dónde entregar',
      description: 'Indica el punto exacto donde quieres recibir tu paquete.',
    },
    /** Once there is nothing to confirm. */
    tells: { title: 'Tu paquete', description: 'Mira cómo va tu paquete.' },
  },
  sends: 'te envía un paquete',
  parcel: {
    title: 'Tu paquete',
    guia: 'Guía',
    more: 'Ver todo',
    due: 'Pagas al recibir, en efectivo',
    ready: 'Ten listo, en efectivo',
    paid: 'Pagaste en efectivo',
    pin: 'Tu PIN: dilo al mensajero cuando tengas el paquete en la mano',
  },
  asks: {
    title: 'Confirma dónde entregar',
    heading: '¿Dónde entregamos tu paquete?',
    hint: 'Marca tu puerta. Toma un minuto.',
  },
  form: {
    locate: 'Usar mi ubicación',
    locateHint:
      'Tócalo si estás donde quieres recibirlo. Tu teléfono te pedirá permiso; solo la usamos para esta entrega.',
    /** Opens the map without a position. */
    choose: 'Elegir en el mapa',
    map: 'Mapa con el pin de entrega',
    coordinates: 'Coordenadas',
    other: 'Pegar un enlace o coordenadas',
    link: 'Enlace de mapa',
    linkHint:
      'En tu app de mapas, mantén presionado el punto, toca «Compartir» y copia el enlace. Sirven Google Maps, Waze y Apple Maps.',
    orCoordinates: 'O las coordenadas',
    coordinatesHint: 'Con su signo: 14.6407 y -90.5133.',
    lat: 'Latitud',
    lng: 'Longitud',
    referencia: '¿Cómo reconocemos tu casa?',
    optional: '(opcional)',
    referenciaHint: 'Por ejemplo: «Casa azul, frente a la iglesia».',
    nota: '¿Algo más para el mensajero?',
    notaHint: `Por ejemplo: «Después de las 2 hay alguien». Hasta ${MAX_NOTA} letras.`,
    /** After a failed attempt, the questions in order. */
    placeAgain: '¿El pin está en tu puerta?',
    confirm: 'Confirmar',
    tell: 'Avisarle al mensajero',
    safe: 'Tu ubicación solo sirve para esta entrega. Aquí nunca te pedimos contraseñas ni pagos.',
  },
  fault: {
    title: 'Error: Confirma dónde entregar',
    heading: 'Corrige la ubicación',
    /** Leads to the field. */
    link: {
      maps_url: 'Corregir el enlace',
      lat: 'Corregir la latitud',
      lng: 'Corregir la longitud',
      referencia: 'Corregir la descripción',
      nota: 'Corregir la nota',
    } satisfies Record<Field, string>,
    of: FAULTS,
    unreadable: 'No pudimos leer lo que enviaste. Recarga la página e inténtalo de nuevo.',
    closed: 'Ya no se puede cambiar aquí dónde entregar.',
    ended: 'Este envío ya terminó.',
  },
  swapped: {
    question: 'Ese punto queda muy lejos. ¿Están al revés la latitud y la longitud?',
    minusMissing: 'Ese punto queda muy lejos. ¿Falta el signo menos?',
    minusTooMany: 'Ese punto queda muy lejos. ¿Sobra el signo menos?',
    yes: (lat: string, lng: string) => `Sí, es ${lat}, ${lng}`,
    no: 'No, están bien',
  },
  far: {
    away: (km: number, municipio: string) => `Ese punto queda a ${km}\u00a0km de ${municipio}. ¿Es ahí?`,
    abroad: (country: string) => `Ese punto queda fuera de ${country}. ¿Es ahí?`,
    yes: 'Sí, es ahí',
  },
  confirmed: {
    title: 'Listo: ubicación confirmada',
    heading: 'Ya confirmaste',
    saved: 'Listo, gracias. Guardamos la ubicación de entrega.',
    told: 'Listo, gracias. El mensajero leerá lo que nos dijiste.',
    isFar:
      'Ese punto queda lejos del país del envío. Si falta un signo o no es tu ubicación, corrígela abajo.',
    /** When it can no longer be corrected. */
    before: 'Ya confirmaste dónde entregar.',
  },
  correction: {
    until: 'Puedes cambiarla hasta que el mensajero salga.',
    open: 'Corregir la ubicación',
    hint: 'La ubicación guardada sigue igual hasta que confirmes otra.',
    /** Before the time at which it can be corrected again. */
    tooMany: `Ya la cambiaste ${MAX_CORRECTIONS} veces en 24 horas. Podrás cambiarla otra vez desde:`,
  },
  /** Why nothing can be changed. */
  closed: {
    onItsWay: 'El mensajero ya salió y el lugar no se puede cambiar aquí.',
    returning: 'El paquete va de regreso y el lugar ya no se puede cambiar.',
    ended: 'El envío terminó y ya no hay nada que cambiar.',
    expired: 'Este enlace ya no recibe cambios del lugar.',
    ask: 'Si algo cambió, escríbele a la tienda.',
  },
  estados: ESTADO_TEXTS,
  motivos: MOTIVO_TEXTS,
  anotherDay: ANOTHER_DAY,
  isTest: 'Guía de prueba: no llegará ningún paquete.',
  progress: 'Así va tu paquete',
  history: 'Todo lo que ha pasado',
  steps: ['Preparado', 'Recogido', 'En camino', 'Entregado'],
  where: {
    title: 'Lo llevan aquí',
    ended: 'El punto de entrega',
    open: 'Ver el punto de entrega',
    note: 'Tu nota para el mensajero',
    map: 'Mapa con el punto de entrega',
  },
  contact: (comercio: string) => `Escribir a ${comercio}`,
  denial: {
    open: 'No soy yo / no pedí esto',
    text: 'Le avisaremos a la tienda y no te enviaremos más mensajes sobre este paquete.',
    confirm: 'Sí, avisarle a la tienda',
  },
  notReceived: {
    open: 'No lo recibí',
    text: 'Le avisaremos a la mensajería y a la tienda para que lo revisen.',
    label: '¿Qué pasó? (opcional)',
    confirm: 'Sí, avisarles',
    done: 'Le avisamos a la mensajería y a la tienda que no lo recibiste. Lo van a revisar.',
  },
  denied: {
    title: 'Le avisamos a la tienda',
    text: 'Gracias por decirnos que no es tuyo. No te enviaremos más mensajes sobre este paquete.',
    mistake: 'Si fue un error, escríbele a la tienda.',
  },
  retraction: {
    open: 'Fue un error, sí lo espero',
    hint: 'Dinos dónde entregarlo y le quitamos el aviso a la tienda.',
  },
  missing: MISSING,
  busy: BUSY,
  away: AWAY,
  script: SCRIPT,
};

/** The texts of the recipient's page in one language. */
export type PageTexts = typeof ES;
