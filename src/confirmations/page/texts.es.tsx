import type { VNode } from 'preact';
import { CORRECTION_MINUTES } from '../../guias/changes/guia-confirmations.queries.js';
import type { GuiaEstado } from '../../guias/guia-estado.js';
import type { Motivo } from '../../guias/guia-motivo.js';
import { MAX } from '../../guias/limits.js';

/** The fields that a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia';

/** What a recipient reads of a state of the parcel. */
interface EstadoTexts {
  /** Title of the page. */
  title: string;
  /** A step of the parcel's progress. */
  step: string;
  /** What the recipient can do, where the state raises the question. */
  advice?: string;
}

/** A page that says why there is nothing to show. */
interface ErrorPageTexts {
  title: string;
  heading: string;
  paragraphs: string[];
}

const ESTADOS: Record<GuiaEstado, EstadoTexts> = {
  aceptado: { title: 'Tu paquete se está preparando', step: 'El comercio preparó el envío' },
  en_camino_a_recoger: { title: 'Ya van por tu paquete', step: 'La mensajería va a recogerlo' },
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

/** Why an attempt failed. */
const MOTIVOS: Record<Motivo, string> = {
  ausente: 'No había quien recibiera.',
  telefono_no_responde: 'No contestaste el teléfono.',
  direccion_incorrecta: 'No encontraron tu dirección.',
  fuera_de_cobertura: 'El mensajero no llega a tu zona.',
  rechazado: 'El mensajero reporta que no quisiste recibirlo.',
  sin_efectivo: 'No había con qué pagar.',
  reprogramado: 'Se pidió otra fecha.',
  zona_insegura: 'No era seguro entrar a la zona.',
  clima: 'El clima no lo permitió.',
  acceso_cerrado: 'No dejaron pasar al mensajero: garita, portón o edificio.',
};

/** What to do next, by field and code: the texts of the error registry are for programmers. */
const FAULTS: Record<Field, Record<string, string>> = {
  maps_url: {
    requerido: 'Dinos dónde entregar: pega un enlace de mapa o escribe las coordenadas.',
    formato:
      'Eso no es un enlace de mapa. Pega el enlace completo, que empieza con https://, o coordenadas como 14.6407, -90.5133.',
    demasiado_largo: 'El enlace es demasiado largo. Copia de nuevo solo el enlace del mapa.',
    enlace_sin_coordenadas:
      'Ese enlace no dice el punto exacto. En tu app de mapas mantén presionado el punto, toca «Compartir» y pega ese enlace.',
    enlace_no_soportado: 'Ese enlace no es de un mapa que conozcamos. Usa Google Maps, Waze o Apple Maps.',
    enlace_roto: 'Ese enlace ya no funciona. Copia uno nuevo desde tu app de mapas.',
    no_disponible: 'El mapa no responde ahora. Inténtalo de nuevo en un minuto, o usa tu ubicación.',
  },
  lat: {
    tipo: 'La latitud debe ser un número, como 14.6407.',
    fuera_de_rango: 'Revisa la latitud: va de -90 a 90, y 0, 0 está en el mar.',
    incompleto: 'Falta la latitud: escribe las dos, latitud y longitud.',
  },
  lng: {
    tipo: 'La longitud debe ser un número, como -90.5133.',
    fuera_de_rango: 'Revisa la longitud: va de -180 a 180.',
    incompleto: 'Falta la longitud: escribe las dos, latitud y longitud.',
  },
  referencia: {
    formato: 'La referencia tiene caracteres que no podemos guardar. Escríbela de nuevo.',
    demasiado_largo: `La referencia es demasiado larga: caben ${MAX.referencia} letras.`,
  },
};

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

/** Texts of `page.js` and `map.js`: plain, with placeholders in braces. */
const SCRIPT = {
  /** For times, on a phone that uses another language. */
  locale: 'es-419',
  /** Until when a place may be corrected, at one o'clock and at any other hour: "hasta las 3:04 p. m.". */
  untilOne: 'hasta la {hour}',
  until: 'hasta las {hour}',
  searching: 'Buscando tu ubicación…',
  again: 'Buscar de nuevo',
  accurate: 'Precisión: unos {length}. Si el pin no está en tu puerta, muévelo.',
  inaccurate:
    'Precisión: unos {length}, poco exacta. Mueve el pin hasta tu puerta antes de confirmar, o pega un enlace de mapa.',
  drag: 'Arrastra el pin o toca donde está tu puerta.',
  findHome: 'Busca tu casa en el mapa y toca donde está tu puerta.',
  northIsUp: 'Arriba es el norte.',
  blueDot: 'El punto azul es donde te ubicó el teléfono.',
  moved: 'Moviste el pin.',
  movedBy: 'Moviste el pin {length} hacia el {direction}.',
  /** From north, clockwise. */
  directions: ['norte', 'noreste', 'este', 'sureste', 'sur', 'suroeste', 'oeste', 'noroeste'],
  nothingChosen: 'Primero dinos dónde: toca «Usar mi ubicación» o pega un enlace de mapa.',
  nothingOnMap: 'Primero dinos dónde: toca el mapa, o pega un enlace de mapa.',
  sending: 'Enviando…',
  confirm: 'Confirmar',
  /** What to do without a position, by the error's code; 0 where the browser has no geolocation. */
  help: {
    0: {
      title: 'Esta ventana no puede usar tu ubicación.',
      text: 'Abre este enlace en tu navegador (por ejemplo, Chrome): cópialo y pégalo ahí.',
    },
    1: {
      title: 'No tenemos permiso para ver tu ubicación.',
      text: 'Toca el ícono junto a la dirección de esta página, permite «Ubicación» e inténtalo de nuevo. Si no lo ves, abre este enlace en tu navegador.',
    },
    2: {
      title: 'Tu teléfono no encontró tu ubicación.',
      text: 'Enciende la ubicación (GPS), acércate a una ventana o sal al aire libre e inténtalo de nuevo.',
    },
    3: {
      title: 'Tu teléfono tardó demasiado.',
      text: 'Acércate a una ventana o sal al aire libre, espera unos segundos e inténtalo de nuevo.',
    },
    silence: {
      title: 'Tu teléfono aún no responde.',
      text: 'Si te pide permiso, toca «Permitir». Si no aparece nada, abre este enlace en tu navegador.',
    },
  },
  alternatives: 'También puedes:',
  pasteBelow: 'Pega abajo un enlace de mapa.',
  useChat: 'O envía tu ubicación en el chat donde recibiste este enlace: Adjuntar → Ubicación.',
  copy: 'Copiar enlace',
  copied: 'Enlace copiado',
  copyYourself: 'Copia la dirección de esta página',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  pin: 'Pin de entrega: muévelo con las flechas del teclado',
  streets: 'Calles',
  satellite: 'Satélite',
  noTiles: 'Las calles no cargaron: el mapa muestra solo una cuadrícula, con el norte arriba.',
  /** After `noTiles`, where the pin can be moved. */
  goOn: 'Puedes seguir sin ellas.',
  /** Without streets and without a position. */
  noMap: 'El mapa no cargó. Pega un enlace de mapa o permite tu ubicación.',
};

/** All that recipients read on their page, in Spanish. Another language is another object of this type. */
export const ES = {
  /** BCP 47. */
  lang: 'es',
  /** What chats show of a link: `og:locale` and texts that name nobody. */
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
  estados: ESTADOS,
  motivos: MOTIVOS,
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
