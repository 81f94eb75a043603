import type { VNode } from 'preact';
import { CORRECTION_MINUTES } from '../../guias/changes/confirmable.js';
import { FAULTS } from './fault-texts.es.js';
import type { Field } from './field.js';
import { SCRIPT } from './script-texts.es.js';
import { ESTADO_TEXTS, MOTIVO_TEXTS } from './state-texts.es.js';

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
    'Ábrelo de nuevo desde el mensaje que recibiste. Si sigue sin abrir, escríbele al comercio que te envía el paquete.',
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
  parcel: {
    guia: 'Guía',
    municipio: 'Municipio',
    contenido: 'Contenido',
    more: 'Ver todo',
    cobro: 'Pagas al recibir, en efectivo',
  },
  asks: { title: 'Confirma dónde entregar', heading: '¿Dónde entregamos tu paquete?' },
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
    referencia: 'Referencia',
    optional: '(opcional)',
    referenciaHint: 'Lo que ayude a encontrarte: «Casa azul frente a la iglesia».',
    confirm: 'Confirmar',
  },
  fault: {
    title: 'Error: Confirma dónde entregar',
    heading: 'Corrige la ubicación',
    /** Leads to the field. */
    link: {
      maps_url: 'Corregir el enlace',
      lat: 'Corregir la latitud',
      lng: 'Corregir la longitud',
      referencia: 'Corregir la referencia',
    } satisfies Record<Field, string>,
    of: FAULTS,
    unreadable: 'No pudimos leer lo que enviaste. Recarga la página e inténtalo de nuevo.',
    closed: 'Ya no se puede cambiar aquí dónde entregar. Si hace falta, escríbele al comercio.',
    ended: 'Este envío ya terminó. Si hace falta, escríbele al comercio.',
  },
  swapped: {
    question: 'Ese punto queda muy lejos. ¿Están al revés la latitud y la longitud?',
    minusMissing: 'Ese punto queda muy lejos. ¿Falta el signo menos?',
    minusTooMany: 'Ese punto queda muy lejos. ¿Sobra el signo menos?',
    yes: (lat: string, lng: string) => `Sí, es ${lat}, ${lng}`,
    no: 'No, están bien',
  },
  confirmed: {
    title: 'Listo: ubicación confirmada',
    heading: 'Ya confirmaste',
    saved: 'Listo, gracias. Guardamos la ubicación de entrega.',
    mayClose: 'Ya puedes cerrar esta página; ábrela de nuevo para ver cómo va tu paquete.',
    isFar:
      'Ese punto queda lejos del país del envío. Si falta un signo o no es tu ubicación, corrígela abajo.',
    /** When it can no longer be corrected. */
    before: 'Ya confirmaste dónde entregar.',
  },
  correction: {
    until: `durante los ${CORRECTION_MINUTES} minutos que siguen a tu confirmación`,
    /** `until` is the text above, in an element in which `page.js` writes the hour. */
    mayCorrect: (until: VNode): VNode => <>Puedes corregirla {until} si algo no quedó bien.</>,
    open: 'Corregir la ubicación',
    hint: 'La ubicación que enviaste sigue guardada hasta que confirmes otra.',
  },
  estados: ESTADO_TEXTS,
  motivos: MOTIVO_TEXTS,
  isTest: 'Guía de prueba: no llegará ningún paquete.',
  progress: 'Así va tu paquete',
  where: { open: 'Ver el punto de entrega', map: 'Mapa con el punto de entrega' },
  contact: 'WhatsApp del comercio',
  denial: {
    open: 'No soy yo / no pedí esto',
    text: 'Le avisaremos al comercio y no te enviaremos más mensajes sobre este paquete.',
    confirm: 'Sí, avisarle al comercio',
  },
  denied: {
    title: 'Le avisamos al comercio',
    text: 'Gracias por decirnos que no es tuyo. No te enviaremos más mensajes sobre este paquete.',
    mistake: 'Si fue un error, escríbele al comercio.',
  },
  retraction: {
    open: 'Fue un error, sí lo espero',
    hint: 'Dinos dónde entregarlo y le quitamos el aviso al comercio.',
  },
  missing: MISSING,
  busy: BUSY,
  away: AWAY,
  script: SCRIPT,
};

/** The texts of the recipient's page in one language. */
export type PageTexts = typeof ES;
