import { MAX_CORRECTIONS } from '../../guias/changes/confirmable.js';
import { MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import { FAULTS } from './fault-texts.js';
import { textsIn, type PairTable } from './pairs.js';
import { SCRIPT } from './script-texts.js';
import { ANOTHER_DAY, ESTADO_TEXTS, MOTIVO_TEXTS } from './state-texts.js';

/** All that recipients read on their page: each text in Spanish, then in English. */
const TEXTS = {
  /** BCP 47. */
  lang: ['es', 'en'],
  /** The language that a link leads to, by its own name. */
  other: {
    lang: ['en', 'es'],
    name: ['English', 'Español'],
  },
  /** Preview of a link in chats: `og:locale`, and texts that name nobody. */
  preview: {
    locale: ['es_ES', 'en_US'],
    asks: {
      title: ['Confirma dónde entregar', 'Confirm where to deliver'],
      description: [
        'Indica el punto exacto donde quieres recibir tu paquete.',
        'Mark the exact place where you want to receive your parcel.',
      ],
    },
    /** Once there is nothing to confirm. */
    tells: {
      title: ['Tu paquete', 'Your parcel'],
      description: ['Mira cómo va tu paquete.', 'See how your parcel is doing.'],
    },
  },
  sends: ['te envía un paquete', 'is sending you a parcel'],
  parcel: {
    title: ['Tu paquete', 'Your parcel'],
    guia: ['Guía', 'Tracking number'],
    more: ['Ver todo', 'Show all'],
    due: ['Pagas al recibir, en efectivo', 'You pay on delivery, in cash'],
    ready: ['Ten listo, en efectivo', 'Have it ready, in cash'],
    paid: {
      efectivo: ['Pagaste en efectivo', 'You paid in cash'],
      tarjeta: ['Pagaste con tarjeta', 'You paid by card'],
      transferencia: ['Pagaste por transferencia', 'You paid by transfer'],
    },
    pin: ['Tu PIN', 'Your PIN'],
    pinHint: [
      'Dilo al mensajero cuando tengas el paquete en la mano.',
      'Tell it to the courier when the parcel is in your hands.',
    ],
  },
  asks: {
    title: ['Confirma dónde entregar', 'Confirm where to deliver'],
    heading: ['¿Dónde entregamos tu paquete?', 'Where should we deliver your parcel?'],
    hint: ['Marca tu puerta. Toma un minuto.', 'Mark your door. It takes a minute.'],
  },
  form: {
    locate: ['Usar mi ubicación', 'Use my location'],
    locateHint: [
      'Tócalo si estás donde quieres recibirlo. Tu teléfono te pedirá permiso; solo la usamos para esta entrega.',
      'Tap it if you are where you want to receive it. Your phone asks for permission; we use it for this delivery alone.',
    ],
    /** Opens the map without a position. */
    choose: ['Elegir en el mapa', 'Choose on the map'],
    map: ['Mapa con el pin de entrega', 'Map with the delivery pin'],
    coordinates: ['Coordenadas', 'Coordinates'],
    other: ['Pegar un enlace o coordenadas', 'Paste a link or coordinates'],
    link: ['Enlace de mapa', 'Map link'],
    linkHint: [
      'En tu app de mapas, mantén presionado el punto, toca «Compartir» y copia el enlace. Sirven Google Maps, Waze y Apple Maps.',
      'In your map app, press and hold the place, tap “Share” and copy the link. Google Maps, Waze and Apple Maps work.',
    ],
    orCoordinates: ['O las coordenadas', 'Or the coordinates'],
    coordinatesHint: ['Con su signo: 14.6407 y -90.5133.', 'With their sign: 14.6407 and -90.5133.'],
    lat: ['Latitud', 'Latitude'],
    lng: ['Longitud', 'Longitude'],
    referencia: ['¿Cómo reconocemos tu casa?', 'How do we recognise your house?'],
    optional: ['(opcional)', '(optional)'],
    referenciaHint: [
      'Por ejemplo: «Casa azul, frente a la iglesia».',
      'For example: “Blue house, opposite the church”.',
    ],
    nota: ['¿Algo más para el mensajero?', 'Anything else for the courier?'],
    notaHint: [
      `Por ejemplo: «Después de las 2 hay alguien». Hasta ${MAX_NOTA} letras.`,
      `For example: “Somebody is home after 2”. Up to ${MAX_NOTA} letters.`,
    ],
    /** After a failed attempt, the questions in order. */
    placeAgain: ['¿El pin está en tu puerta?', 'Is the pin on your door?'],
    /** Before its coordinates. */
    savedPlace: ['El punto guardado:', 'The saved point:'],
    confirm: ['Confirmar', 'Confirm'],
    tell: ['Avisarle al mensajero', 'Tell the courier'],
    safe: [
      'Tu ubicación solo sirve para esta entrega. Aquí nunca te pedimos contraseñas ni pagos.',
      'Your location is for this delivery alone. We never ask for passwords or payments here.',
    ],
  },
  fault: {
    title: ['Error: Confirma dónde entregar', 'Error: Confirm where to deliver'],
    heading: ['Corrige la ubicación', 'Correct the place'],
    /** Leads to the field. */
    link: {
      maps_url: ['Corregir el enlace', 'Correct the link'],
      lat: ['Corregir la latitud', 'Correct the latitude'],
      lng: ['Corregir la longitud', 'Correct the longitude'],
      referencia: ['Corregir la descripción', 'Correct the description'],
      nota: ['Corregir la nota', 'Correct the note'],
      texto: ['Corregir lo que escribiste', 'Correct what you wrote'],
    },
    /** By field and code. */
    of: FAULTS,
    unreadable: [
      'No pudimos leer lo que enviaste. Recarga la página e inténtalo de nuevo.',
      'We could not read what you sent. Reload the page and try again.',
    ],
    closed: ['Ya no se puede cambiar aquí dónde entregar.', 'The place cannot be changed here any more.'],
    ended: ['Este envío ya terminó.', 'This delivery has ended.'],
  },
  swapped: {
    question: [
      'Ese punto queda muy lejos. ¿Están al revés la latitud y la longitud?',
      'That place is very far away. Are latitude and longitude the wrong way round?',
    ],
    minusMissing: [
      'Ese punto queda muy lejos. ¿Falta el signo menos?',
      'That place is very far away. Is the minus sign missing?',
    ],
    minusTooMany: [
      'Ese punto queda muy lejos. ¿Sobra el signo menos?',
      'That place is very far away. Is there a minus sign too many?',
    ],
    yes: [
      (lat: string, lng: string) => `Sí, es ${lat}, ${lng}`,
      (lat: string, lng: string) => `Yes, it is ${lat}, ${lng}`,
    ],
    no: ['No, están bien', 'No, they are right'],
  },
  far: {
    away: [
      (km: number, municipio: string) => `Ese punto queda a ${km}\u00a0km de ${municipio}. ¿Es ahí?`,
      (km: number, municipio: string) => `That place is ${km}\u00a0km from ${municipio}. Is it there?`,
    ],
    abroad: [
      (country: string) => `Ese punto queda fuera de ${country}. ¿Es ahí?`,
      (country: string) => `That place is outside ${country}. Is it there?`,
    ],
    yes: ['Sí, es ahí', 'Yes, it is there'],
  },
  /** About a position that may be another house's. */
  precision: {
    question: [
      (length: string) =>
        `Tu teléfono ubicó este punto con unos ${length} de error. Muévelo hasta tu puerta, o confírmalo así.`,
      (length: string) =>
        `Your phone placed this point with an error of about ${length}. Move it to your door, or confirm it as it is.`,
    ],
    yes: ['Confirmarlo así', 'Confirm it as it is'],
  },
  /** Somebody else has marked a place since the page was opened. */
  change: {
    question: [
      (length: string) => `Ya hay un lugar marcado, a ${length}: ¿lo cambias?`,
      (length: string) => `A place is marked already, ${length} away: change it?`,
    ],
    /** To somebody who sent no other place. */
    review: [
      'Mientras tanto alguien marcó otro lugar. Mira si es tu puerta y confirma otra vez.',
      'Meanwhile somebody marked another place. See whether it is your door, and confirm again.',
    ],
    yes: ['Sí, cambiarlo', 'Yes, change it'],
    no: ['No, dejar el que está', 'No, keep the marked one'],
  },
  confirmed: {
    title: ['Listo: ubicación confirmada', 'Done: place confirmed'],
    heading: ['Ya confirmaste', 'You have confirmed'],
    saved: [
      'Listo, gracias. Guardamos la ubicación de entrega.',
      'Done, thank you. We saved where to deliver.',
    ],
    told: [
      'Listo, gracias. El mensajero leerá lo que nos dijiste.',
      'Done, thank you. The courier will read what you told us.',
    ],
    isFar: [
      'Ese punto queda lejos del país del envío. Si falta un signo o no es tu ubicación, corrígela abajo.',
      'That place is far from the country of the delivery. If a sign is missing or it is not where you are, correct it below.',
    ],
    /** When it can no longer be corrected. */
    before: ['Ya confirmaste dónde entregar.', 'You have already confirmed where to deliver.'],
  },
  correction: {
    until: ['Puedes cambiarla hasta que el mensajero salga.', 'You can change it until the courier leaves.'],
    open: ['Corregir la ubicación', 'Correct the place'],
    hint: [
      'La ubicación guardada sigue igual hasta que confirmes otra.',
      'The saved place stays until you confirm another.',
    ],
    /** Before the time at which it can be corrected again. */
    tooMany: [
      `Ya la cambiaste ${MAX_CORRECTIONS} veces en 24 horas. Podrás cambiarla otra vez desde:`,
      `You changed it ${MAX_CORRECTIONS} times in 24 hours. You can change it again from:`,
    ],
  },
  /** Why nothing can be changed. */
  closed: {
    onItsWay: [
      'El mensajero ya salió y el lugar no se puede cambiar aquí.',
      'The courier has left, and the place cannot be changed here.',
    ],
    returning: [
      'El paquete va de regreso y el lugar ya no se puede cambiar.',
      'The parcel is on its way back, and the place cannot be changed any more.',
    ],
    ended: [
      'El envío terminó y ya no hay nada que cambiar.',
      'The delivery has ended, and there is nothing left to change.',
    ],
    expired: [
      'Este enlace ya no recibe cambios del lugar.',
      'This link takes no changes of the place any more.',
    ],
    ask: ['Si algo cambió, escríbele a la tienda.', 'If something has changed, write to the shop.'],
  },
  estados: ESTADO_TEXTS,
  motivos: MOTIVO_TEXTS,
  anotherDay: ANOTHER_DAY,
  isTest: ['Guía de prueba: no llegará ningún paquete.', 'A test: no parcel will arrive.'],
  progress: ['Así va tu paquete', 'The way of your parcel'],
  history: ['Todo lo que ha pasado', 'All that has happened'],
  steps: [
    ['Preparado', 'Recogido', 'En camino', 'Entregado'],
    ['Prepared', 'Picked up', 'On its way', 'Delivered'],
  ],
  where: {
    title: ['Lo llevan aquí', 'It comes here'],
    ended: ['El punto de entrega', 'The place of delivery'],
    open: ['Ver el punto de entrega', 'Show the place of delivery'],
    note: ['Tu nota para el mensajero', 'Your note for the courier'],
    map: ['Mapa con el punto de entrega', 'Map with the place of delivery'],
  },
  contact: [(comercio: string) => `Escribir a ${comercio}`, (comercio: string) => `Write to ${comercio}`],
  denial: {
    open: ['No soy yo / no pedí esto', 'It is not me / I did not order this'],
    text: [
      'Le avisaremos a la tienda y no te enviaremos más mensajes sobre este paquete.',
      'We will tell the shop, and send you no more messages about this parcel.',
    ],
    confirm: ['Sí, avisarle a la tienda', 'Yes, tell the shop'],
  },
  optOut: {
    open: ['No quiero mensajes', 'Stop messages'],
    text: [
      'No te escribiremos más a este número, tampoco sobre otros paquetes. Los tuyos siguen su camino.',
      'We will not write to this number again, not about other parcels either. Yours stay on their way.',
    ],
    confirm: ['Sí, no quiero mensajes', 'Yes, stop messages'],
    done: [
      'Pediste no recibir mensajes: no te escribimos más.',
      'You asked for no messages: we will not write to you again.',
    ],
    backInChat: [
      'Si cambias de opinión, escribe ALTA en el chat.',
      'If you change your mind, write ALTA in the chat.',
    ],
    back: [
      'Si cambias de opinión, díselo a quien entrega el paquete.',
      'If you change your mind, tell whoever delivers the parcel.',
    ],
  },
  notReceived: {
    open: ['No lo recibí', 'I did not receive it'],
    title: ['Dijiste que no lo recibiste', 'You said that you did not receive it'],
    text: [
      'Le avisaremos a la mensajería y a la tienda para que lo revisen.',
      'We will tell the courier and the shop, so that they look into it.',
    ],
    label: ['¿Qué pasó? (opcional)', 'What happened? (optional)'],
    confirm: ['Sí, avisarles', 'Yes, tell them'],
    done: [
      'Le avisamos a la mensajería y a la tienda que no lo recibiste. Lo van a revisar.',
      'We told the courier and the shop that you did not receive it. They will look into it.',
    ],
  },
  denied: {
    title: ['Le avisamos a la tienda', 'We told the shop'],
    text: [
      'Gracias por decirnos que no es tuyo. No te enviaremos más mensajes sobre este paquete.',
      'Thank you for telling us that it is not yours. We will not send you messages about this parcel again.',
    ],
    mistake: ['Si fue un error, escríbele a la tienda.', 'If it was a mistake, write to the shop.'],
  },
  retraction: {
    open: ['Fue un error, sí lo espero', 'It was a mistake, I do expect it'],
    hint: [
      'Dinos dónde entregarlo y le quitamos el aviso a la tienda.',
      'Tell us where to deliver it, and we take the notice to the shop back.',
    ],
  },
  missing: {
    heading: ['Este enlace no está disponible', 'This link is not available'],
    paragraphs: [
      [
        'Puede que haya vencido o que se haya copiado incompleto.',
        'Ábrelo de nuevo desde el mensaje que recibiste. Si lo abriste así y no funciona, pide uno nuevo a quien te envía el paquete.',
      ],
      [
        'It may have expired, or have been copied in part.',
        'Open it again from the message that you got. If you did and it does not work, ask whoever sends you the parcel for a new one.',
      ],
    ],
  },
  busy: {
    heading: ['Espera un momento', 'Wait a moment'],
    paragraphs: [
      ['Recibimos demasiados intentos seguidos. Vuelve a abrir el enlace dentro de un minuto.'],
      ['There were too many tries in a row. Open the link again in a minute.'],
    ],
  },
  away: {
    heading: ['No pudimos abrir esta página', 'We could not open this page'],
    paragraphs: [
      ['Inténtalo de nuevo en un minuto. Tu enlace sigue sirviendo.'],
      ['Try again in a minute. Your link still works.'],
    ],
  },
  script: SCRIPT,
} satisfies PairTable;

export type PageTexts = typeof ES;

export const ES = textsIn(TEXTS, 'es');
export const EN = textsIn(TEXTS, 'en');
