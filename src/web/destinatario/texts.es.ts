import { MAX_CORRECTIONS } from '../../guias/changes/confirmable.js';
import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import type { Motivo } from '../../guias/guia/guia-motivo.js';
import { MAX } from '../../guias/guia/limits.js';
import { MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import type { Field } from './field.js';
import type { ErrorPageTexts, EstadoTexts, MotivoTexts } from './text-types.js';

const ESTADO_TEXTS: Record<GuiaEstado, EstadoTexts> = {
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
const ANOTHER_DAY = { title: 'Tu paquete va otro día', why: 'Hoy no alcanzó el día: va otro día.' };

/** Advice stands in place of the state's. */
const MOTIVO_TEXTS: Record<Motivo, MotivoTexts> = {
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

/** Advice by field and code: the texts of the error registry are for programmers. */
const FAULTS: Record<Field, Record<string, string>> = {
  maps_url: {
    requerido: 'Dinos dónde entregar: pega un enlace de mapa o escribe las coordenadas.',
    formato:
      'Eso no es un enlace de mapa. Pega el enlace completo, que empieza con https://, o coordenadas como 14.6407, -90.5133.',
    demasiado_largo: 'El enlace es demasiado largo. Copia de nuevo solo el enlace del mapa.',
    sin_zona:
      'A ese código le falta su zona: cuatro letras o cifras que van antes, como en 765CWVRM+9F. Escríbelo completo, o comparte el pin desde tu app de mapas.',
    enlace_sin_coordenadas:
      'Ese enlace no dice el punto exacto. En tu app de mapas mantén presionado el punto, toca «Compartir» y pega ese enlace.',
    enlace_no_soportado:
      'Ese enlace no lleva a un lugar de un mapa que conozcamos. Comparte de nuevo el pin desde Google Maps, Waze o Apple Maps.',
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
  nota: {
    formato: 'La nota tiene caracteres que no podemos guardar. Escríbela de nuevo.',
    demasiado_largo: `La nota es demasiado larga: caben ${MAX_NOTA} letras.`,
  },
  referencia: {
    formato: 'La referencia tiene caracteres que no podemos guardar. Escríbela de nuevo.',
    demasiado_largo: `La referencia es demasiado larga: caben ${MAX.referencia} letras.`,
  },
  texto: {
    formato: 'Lo que escribiste tiene caracteres que no podemos guardar. Escríbelo de nuevo.',
    demasiado_largo: `Lo que escribiste es demasiado largo: caben ${MAX_NOTA} letras.`,
  },
};

/** Texts of `page.js` and `map.js`: plain, with placeholders in braces. */
const SCRIPT = {
  /** For times, on a phone that uses another language. */
  locale: 'es-419',
  searching: 'Buscando tu ubicación…',
  again: 'Buscar de nuevo',
  accurate: 'Precisión: unos {length}. Si el pin no está en tu puerta, muévelo.',
  inaccurate:
    'Precisión: unos {length}, poco exacta. Mueve el pin hasta tu puerta antes de confirmar, o pega un enlace de mapa.',
  /** Of a position that the first press did not take. */
  unsure:
    'Este punto puede quedar a {length} de tu puerta. Mueve el pin, o presiona otra vez para confirmarlo así.',
  confirmUnsure: 'Confirmarlo así',
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
  /** Advice without a position, by the error's code; 0 where the browser has no geolocation. */
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
  /** The language that a link leads to, by its own name. */
  other: { lang: 'en', name: 'English' },
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
    paid: {
      efectivo: 'Pagaste en efectivo',
      tarjeta: 'Pagaste con tarjeta',
      transferencia: 'Pagaste por transferencia',
    },
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
    /** Before its coordinates. */
    savedPlace: 'El punto guardado:',
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
      texto: 'Corregir lo que escribiste',
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
  /** About a position that may be another house's. */
  precision: {
    question: (length: string) =>
      `Tu teléfono ubicó este punto con unos ${length} de error. Muévelo hasta tu puerta, o confírmalo así.`,
    yes: 'Confirmarlo así',
  },
  /** Somebody else has marked a place since the page was opened. */
  change: {
    question: (length: string) => `Ya hay un lugar marcado, a ${length}: ¿lo cambias?`,
    /** To somebody who sent no other place. */
    review: 'Mientras tanto alguien marcó otro lugar. Mira si es tu puerta y confirma otra vez.',
    yes: 'Sí, cambiarlo',
    no: 'No, dejar el que está',
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
  optOut: {
    open: 'No quiero mensajes',
    text: 'No te escribiremos más a este número, tampoco sobre otros paquetes. Los tuyos siguen su camino.',
    confirm: 'Sí, no quiero mensajes',
    done: 'Pediste no recibir mensajes: no te escribimos más.',
    backInChat: 'Si cambias de opinión, escribe ALTA en el chat.',
    back: 'Si cambias de opinión, díselo a quien entrega el paquete.',
  },
  notReceived: {
    open: 'No lo recibí',
    title: 'Dijiste que no lo recibiste',
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
