import type { PairTable } from './pairs.js';

/** Texts of `page.js` and `map.js`: plain, with placeholders in braces. */
export const SCRIPT = {
  /** For times, on a phone that uses another language. */
  locale: ['es-419', 'en'],
  searching: ['Buscando tu ubicación…', 'Looking for your location…'],
  again: ['Buscar de nuevo', 'Look again'],
  accurate: [
    'Precisión: unos {length}. Si el pin no está en tu puerta, muévelo.',
    'Accuracy: about {length}. If the pin is not on your door, move it.',
  ],
  inaccurate: [
    'Precisión: unos {length}, poco exacta. Mueve el pin hasta tu puerta antes de confirmar, o pega un enlace de mapa.',
    'Accuracy: about {length}, which is not much. Move the pin to your door before you confirm, or paste a map link.',
  ],
  /** Of a position that the first press did not take. */
  unsure: [
    'Este punto puede quedar a {length} de tu puerta. Mueve el pin, o presiona otra vez para confirmarlo así.',
    'This point may be {length} from your door. Move the pin, or press again to confirm it as it is.',
  ],
  confirmUnsure: ['Confirmarlo así', 'Confirm it as it is'],
  drag: ['Arrastra el pin o toca donde está tu puerta.', 'Drag the pin, or tap where your door is.'],
  findHome: [
    'Busca tu casa en el mapa y toca donde está tu puerta.',
    'Find your house on the map, and tap where your door is.',
  ],
  northIsUp: ['Arriba es el norte.', 'North is up.'],
  blueDot: ['El punto azul es donde te ubicó el teléfono.', 'The blue dot is where your phone placed you.'],
  moved: ['Moviste el pin.', 'You moved the pin.'],
  movedBy: [
    'Moviste el pin {length} hacia el {direction}.',
    'You moved the pin {length} to the {direction}.',
  ],
  /** From north, clockwise. */
  directions: [
    ['norte', 'noreste', 'este', 'sureste', 'sur', 'suroeste', 'oeste', 'noroeste'],
    ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
  ],
  nothingChosen: [
    'Primero dinos dónde: toca «Usar mi ubicación» o pega un enlace de mapa.',
    'First tell us where: tap “Use my location” or paste a map link.',
  ],
  nothingOnMap: [
    'Primero dinos dónde: toca el mapa, o pega un enlace de mapa.',
    'First tell us where: tap the map, or paste a map link.',
  ],
  sending: ['Enviando…', 'Sending…'],
  /** Advice without a position, by the error's code; 0 where the browser has no geolocation. */
  help: {
    0: {
      title: ['Esta ventana no puede usar tu ubicación.', 'This window cannot use your location.'],
      text: [
        'Abre este enlace en tu navegador (por ejemplo, Chrome): cópialo y pégalo ahí.',
        'Open this link in your browser (for example, Chrome): copy it and paste it there.',
      ],
    },
    1: {
      title: ['No tenemos permiso para ver tu ubicación.', 'We are not allowed to see your location.'],
      text: [
        'Toca el ícono junto a la dirección de esta página, permite «Ubicación» e inténtalo de nuevo. Si no lo ves, abre este enlace en tu navegador.',
        'Tap the icon beside the address of this page, allow “Location” and try again. If you do not see it, open this link in your browser.',
      ],
    },
    2: {
      title: ['Tu teléfono no encontró tu ubicación.', 'Your phone did not find your location.'],
      text: [
        'Enciende la ubicación (GPS), acércate a una ventana o sal al aire libre e inténtalo de nuevo.',
        'Turn on location (GPS), go near a window or outdoors, and try again.',
      ],
    },
    3: {
      title: ['Tu teléfono tardó demasiado.', 'Your phone took too long.'],
      text: [
        'Acércate a una ventana o sal al aire libre, espera unos segundos e inténtalo de nuevo.',
        'Go near a window or outdoors, wait some seconds, and try again.',
      ],
    },
    silence: {
      title: ['Tu teléfono aún no responde.', 'Your phone has not answered yet.'],
      text: [
        'Si te pide permiso, toca «Permitir». Si no aparece nada, abre este enlace en tu navegador.',
        'If it asks for permission, tap “Allow”. If nothing appears, open this link in your browser.',
      ],
    },
  },
  alternatives: ['También puedes:', 'You can also:'],
  pasteBelow: ['Pega abajo un enlace de mapa.', 'Paste a map link below.'],
  useChat: [
    'O envía tu ubicación en el chat donde recibiste este enlace: Adjuntar → Ubicación.',
    'Or send your location in the chat where you got this link: Attach → Location.',
  ],
  copy: ['Copiar enlace', 'Copy the link'],
  copied: ['Enlace copiado', 'Link copied'],
  copyYourself: ['Copia la dirección de esta página', 'Copy the address of this page'],
  zoomIn: ['Acercar', 'Zoom in'],
  zoomOut: ['Alejar', 'Zoom out'],
  pin: ['Pin de entrega: muévelo con las flechas del teclado', 'Delivery pin: move it with the arrow keys'],
  streets: ['Calles', 'Streets'],
  satellite: ['Satélite', 'Satellite'],
  noTiles: [
    'Las calles no cargaron: el mapa muestra solo una cuadrícula, con el norte arriba.',
    'The streets did not load: the map shows a grid alone, with north up.',
  ],
  /** After `noTiles`, where the pin can be moved. */
  goOn: ['Puedes seguir sin ellas.', 'You can go on without them.'],
  /** Without streets and without a position. */
  noMap: [
    'El mapa no cargó. Pega un enlace de mapa o permite tu ubicación.',
    'The map did not load. Paste a map link, or allow your location.',
  ],
} satisfies PairTable;
