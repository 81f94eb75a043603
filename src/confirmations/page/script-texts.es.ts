/** Texts of `page.js` and `map.js`: plain, with placeholders in braces. */
export const SCRIPT = {
  /** For times, on a phone that uses another language. */
  locale: 'es-419',
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
