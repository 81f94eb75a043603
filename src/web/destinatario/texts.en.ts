import { MAX_CORRECTIONS } from '../../guias/changes/confirmable.js';
import { MAX } from '../../guias/guia/limits.js';
import { MAX_NOTA } from '../../confirmations/dto/confirmar.dto.js';
import type { PageTexts } from './texts.es.js';

const ANOTHER_DAY = {
  title: 'Your parcel comes another day',
  why: 'There was no time left today: it comes another day.',
};

const IF_WANTED = 'If you still want it, write to the shop.';
const AGREE = 'You can also arrange it with the shop: write to them.';
const ANOTHER_PLACE = 'Mark another place where you can receive it.';

/** All that recipients read on their page, in English. */
export const EN: PageTexts = {
  lang: 'en',
  other: { lang: 'es', name: 'Español' },
  preview: {
    locale: 'en_US',
    asks: {
      title: 'Confirm where to deliver',
      description: 'Mark the exact place where you want to receive your parcel.',
    },
    tells: { title: 'Your parcel', description: 'See how your parcel is doing.' },
  },
  sends: 'is sending you a parcel',
  parcel: {
    title: 'Your parcel',
    guia: 'Tracking number',
    more: 'Show all',
    due: 'You pay on delivery, in cash',
    ready: 'Have it ready, in cash',
    paid: {
      efectivo: 'You paid in cash',
      tarjeta: 'You paid by card',
      transferencia: 'You paid by transfer',
    },
    pin: 'Your PIN: tell it to the courier when the parcel is in your hands',
  },
  asks: {
    title: 'Confirm where to deliver',
    heading: 'Where should we deliver your parcel?',
    hint: 'Mark your door. It takes a minute.',
  },
  form: {
    locate: 'Use my location',
    locateHint:
      'Tap it if you are where you want to receive it. Your phone asks for permission; we use it for this delivery alone.',
    choose: 'Choose on the map',
    map: 'Map with the delivery pin',
    coordinates: 'Coordinates',
    other: 'Paste a link or coordinates',
    link: 'Map link',
    linkHint:
      'In your map app, press and hold the place, tap “Share” and copy the link. Google Maps, Waze and Apple Maps work.',
    orCoordinates: 'Or the coordinates',
    coordinatesHint: 'With their sign: 14.6407 and -90.5133.',
    lat: 'Latitude',
    lng: 'Longitude',
    referencia: 'How do we recognise your house?',
    optional: '(optional)',
    referenciaHint: 'For example: “Blue house, opposite the church”.',
    nota: 'Anything else for the courier?',
    notaHint: `For example: “Somebody is home after 2”. Up to ${MAX_NOTA} letters.`,
    placeAgain: 'Is the pin on your door?',
    savedPlace: 'The saved point:',
    confirm: 'Confirm',
    tell: 'Tell the courier',
    safe: 'Your location is for this delivery alone. We never ask for passwords or payments here.',
  },
  fault: {
    title: 'Error: Confirm where to deliver',
    heading: 'Correct the place',
    link: {
      maps_url: 'Correct the link',
      lat: 'Correct the latitude',
      lng: 'Correct the longitude',
      referencia: 'Correct the description',
      nota: 'Correct the note',
      texto: 'Correct what you wrote',
    },
    of: {
      maps_url: {
        requerido: 'Tell us where to deliver: paste a map link or type the coordinates.',
        formato:
          'That is no map link. Paste the whole link, which begins with https://, or coordinates like 14.6407, -90.5133.',
        demasiado_largo: 'The link is too long. Copy the map’s link alone.',
        sin_zona:
          'That code lacks its area: four letters or digits that stand before it, as in 765CWVRM+9F. Type all of it, or share the pin from your map app.',
        enlace_sin_coordenadas:
          'That link does not name the exact place. In your map app, press and hold the place, tap “Share” and paste that link.',
        enlace_no_soportado:
          'That link does not lead to a place of a map that we know. Share the pin again from Google Maps, Waze or Apple Maps.',
        enlace_roto: 'That link does not work any more. Copy a new one from your map app.',
        no_disponible: 'The map does not answer now. Try again in a minute, or use your location.',
      },
      lat: {
        tipo: 'The latitude must be a number, like 14.6407.',
        fuera_de_rango: 'Check the latitude: it goes from -90 to 90, and 0, 0 is in the sea.',
        incompleto: 'The latitude is missing: type both, latitude and longitude.',
      },
      lng: {
        tipo: 'The longitude must be a number, like -90.5133.',
        fuera_de_rango: 'Check the longitude: it goes from -180 to 180.',
        incompleto: 'The longitude is missing: type both, latitude and longitude.',
      },
      nota: {
        formato: 'The note has characters that we cannot save. Type it again.',
        demasiado_largo: `The note is too long: up to ${MAX_NOTA} letters fit.`,
      },
      referencia: {
        formato: 'The description has characters that we cannot save. Type it again.',
        demasiado_largo: `The description is too long: up to ${MAX.referencia} letters fit.`,
      },
      texto: {
        formato: 'What you wrote has characters that we cannot save. Type it again.',
        demasiado_largo: `What you wrote is too long: up to ${MAX_NOTA} letters fit.`,
      },
    },
    unreadable: 'We could not read what you sent. Reload the page and try again.',
    closed: 'The place cannot be changed here any more.',
    ended: 'This delivery has ended.',
  },
  swapped: {
    question: 'That place is very far away. Are latitude and longitude the wrong way round?',
    minusMissing: 'That place is very far away. Is the minus sign missing?',
    minusTooMany: 'That place is very far away. Is there a minus sign too many?',
    yes: (lat, lng) => `Yes, it is ${lat}, ${lng}`,
    no: 'No, they are right',
  },
  far: {
    away: (km, municipio) => `That place is ${km}\u00a0km from ${municipio}. Is it there?`,
    abroad: (country) => `That place is outside ${country}. Is it there?`,
    yes: 'Yes, it is there',
  },
  precision: {
    question: (length) =>
      `Your phone placed this point with an error of about ${length}. Move it to your door, or confirm it as it is.`,
    yes: 'Confirm it as it is',
  },
  change: {
    question: (length) => `A place is marked already, ${length} away: change it?`,
    review: 'Meanwhile somebody marked another place. See whether it is your door, and confirm again.',
    yes: 'Yes, change it',
    no: 'No, keep the marked one',
  },
  confirmed: {
    title: 'Done: place confirmed',
    heading: 'You have confirmed',
    saved: 'Done, thank you. We saved where to deliver.',
    told: 'Done, thank you. The courier will read what you told us.',
    isFar:
      'That place is far from the country of the delivery. If a sign is missing or it is not where you are, correct it below.',
    before: 'You have already confirmed where to deliver.',
  },
  correction: {
    until: 'You can change it until the courier leaves.',
    open: 'Correct the place',
    hint: 'The saved place stays until you confirm another.',
    tooMany: `You changed it ${MAX_CORRECTIONS} times in 24 hours. You can change it again from:`,
  },
  closed: {
    onItsWay: 'The courier has left, and the place cannot be changed here.',
    returning: 'The parcel is on its way back, and the place cannot be changed any more.',
    ended: 'The delivery has ended, and there is nothing left to change.',
    expired: 'This link takes no changes of the place any more.',
    ask: 'If something has changed, write to the shop.',
  },
  estados: {
    aceptado: { title: 'Your parcel is being prepared', step: 'The shop prepared it' },
    en_camino_a_recoger: {
      title: 'The courier is going to the shop for your parcel',
      step: 'The courier is going to pick it up',
    },
    recogido: { title: 'The courier has your parcel', step: 'The courier picked it up' },
    en_ruta: {
      title: 'Your parcel is on its way',
      step: 'On its way to you',
      advice: 'Keep your phone at hand.',
    },
    intento_fallido: {
      title: 'We could not deliver your parcel',
      step: 'It could not be delivered',
      advice: 'They will try again.',
      ask: 'If you have questions, write to the shop.',
    },
    entregado: { title: 'Your parcel was delivered', step: 'Delivered' },
    en_devolucion: {
      title: 'Your parcel goes back to the shop',
      step: 'Going back to the shop',
      ask: IF_WANTED,
    },
    devuelto: { title: 'Your parcel is back at the shop', step: 'Returned to the shop', ask: IF_WANTED },
    cancelado: {
      title: 'The delivery was cancelled',
      step: 'The shop cancelled it',
      ask: 'If you did not expect that, write to the shop.',
    },
    extraviado: {
      title: 'Your parcel was lost',
      step: 'It was lost',
      advice: 'The shop knows.',
      ask: 'Write to them so that they settle it.',
    },
  },
  motivos: {
    ausente: { why: 'Nobody was there to receive it.' },
    telefono_no_responde: { why: 'They called you and nobody answered.' },
    direccion_incorrecta: {
      why: 'They did not find your address.',
      reply: 'Tell us how to get there, and they will come back.',
      ask: AGREE,
    },
    fuera_de_cobertura: {
      why: 'The courier does not go to your area.',
      reply: ANOTHER_PLACE,
      ask: AGREE,
    },
    rechazado: {
      why: 'The courier reports that you did not want it.',
      reply: 'If you want it, tell us below.',
      ask: AGREE,
    },
    sin_efectivo: {
      why: 'There was no cash to pay it.',
      advice: 'They will try again: have the cash ready.',
    },
    reprogramado: { why: 'Another date was asked for.' },
    zona_insegura: { why: 'It was not safe to enter the area.', reply: ANOTHER_PLACE, ask: AGREE },
    clima: { why: 'The weather did not allow it.' },
    sin_tiempo: { why: ANOTHER_DAY.why },
    acceso_cerrado: {
      why: 'The courier was not let in: gate, guard or building.',
      advice: 'They will try again: tell the entrance that you expect them.',
    },
  },
  anotherDay: ANOTHER_DAY,
  isTest: 'A test: no parcel will arrive.',
  progress: 'The way of your parcel',
  history: 'All that has happened',
  steps: ['Prepared', 'Picked up', 'On its way', 'Delivered'],
  where: {
    title: 'It comes here',
    ended: 'The place of delivery',
    open: 'Show the place of delivery',
    note: 'Your note for the courier',
    map: 'Map with the place of delivery',
  },
  contact: (comercio) => `Write to ${comercio}`,
  denial: {
    open: 'It is not me / I did not order this',
    text: 'We will tell the shop, and send you no more messages about this parcel.',
    confirm: 'Yes, tell the shop',
  },
  optOut: {
    open: 'Stop messages',
    text: 'We will not write to this number again, not about other parcels either. Yours stay on their way.',
    confirm: 'Yes, stop messages',
    done: 'You asked for no messages: we will not write to you again.',
    backInChat: 'If you change your mind, write ALTA in the chat.',
    back: 'If you change your mind, tell whoever delivers the parcel.',
  },
  notReceived: {
    open: 'I did not receive it',
    title: 'You said that you did not receive it',
    text: 'We will tell the courier and the shop, so that they look into it.',
    label: 'What happened? (optional)',
    confirm: 'Yes, tell them',
    done: 'We told the courier and the shop that you did not receive it. They will look into it.',
  },
  denied: {
    title: 'We told the shop',
    text: 'Thank you for telling us that it is not yours. We will not send you messages about this parcel again.',
    mistake: 'If it was a mistake, write to the shop.',
  },
  retraction: {
    open: 'It was a mistake, I do expect it',
    hint: 'Tell us where to deliver it, and we take the notice to the shop back.',
  },
  missing: {
    title: 'This link is not available',
    heading: 'This link is not available',
    paragraphs: [
      'It may have expired, or have been copied in part.',
      'Open it again from the message that you got. If you did and it does not work, ask whoever sends you the parcel for a new one.',
    ],
  },
  busy: {
    title: 'Wait a moment',
    heading: 'Wait a moment',
    paragraphs: ['There were too many tries in a row. Open the link again in a minute.'],
  },
  away: {
    title: 'Try again in a minute',
    heading: 'We could not open this page',
    paragraphs: ['Try again in a minute. Your link still works.'],
  },
  script: {
    locale: 'en',
    searching: 'Looking for your location…',
    again: 'Look again',
    accurate: 'Accuracy: about {length}. If the pin is not on your door, move it.',
    inaccurate:
      'Accuracy: about {length}, which is not much. Move the pin to your door before you confirm, or paste a map link.',
    unsure: 'This point may be {length} from your door. Move the pin, or press again to confirm it as it is.',
    confirmUnsure: 'Confirm it as it is',
    drag: 'Drag the pin, or tap where your door is.',
    findHome: 'Find your house on the map, and tap where your door is.',
    northIsUp: 'North is up.',
    blueDot: 'The blue dot is where your phone placed you.',
    moved: 'You moved the pin.',
    movedBy: 'You moved the pin {length} to the {direction}.',
    directions: ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'],
    nothingChosen: 'First tell us where: tap “Use my location” or paste a map link.',
    nothingOnMap: 'First tell us where: tap the map, or paste a map link.',
    sending: 'Sending…',
    help: {
      0: {
        title: 'This window cannot use your location.',
        text: 'Open this link in your browser (for example, Chrome): copy it and paste it there.',
      },
      1: {
        title: 'We are not allowed to see your location.',
        text: 'Tap the icon beside the address of this page, allow “Location” and try again. If you do not see it, open this link in your browser.',
      },
      2: {
        title: 'Your phone did not find your location.',
        text: 'Turn on location (GPS), go near a window or outdoors, and try again.',
      },
      3: {
        title: 'Your phone took too long.',
        text: 'Go near a window or outdoors, wait some seconds, and try again.',
      },
      silence: {
        title: 'Your phone has not answered yet.',
        text: 'If it asks for permission, tap “Allow”. If nothing appears, open this link in your browser.',
      },
    },
    alternatives: 'You can also:',
    pasteBelow: 'Paste a map link below.',
    useChat: 'Or send your location in the chat where you got this link: Attach → Location.',
    copy: 'Copy the link',
    copied: 'Link copied',
    copyYourself: 'Copy the address of this page',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    pin: 'Delivery pin: move it with the arrow keys',
    streets: 'Streets',
    satellite: 'Satellite',
    noTiles: 'The streets did not load: the map shows a grid alone, with north up.',
    goOn: 'You can go on without them.',
    noMap: 'The map did not load. Paste a map link, or allow your location.',
  },
};
