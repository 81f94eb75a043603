/**
 * What the driver's page knows and decides, from values alone: the guides as the service last told them, with what was
 * done on this phone since. The same file runs on the server for the first view.
 *
 * An action is `{n, piloto, guia, evento, anterior, quita, reloj, enviada, rechazo}`: `evento` as it is sent, `anterior`
 * the state before it, `quita` the collected amount that an undo takes back (null or absent: none), `reloj` what was known
 * of the time until the next contact (see `happenedAt`; absent after it), `enviada` whether it may have reached the
 * service, `rechazo` why it was not done (`{codigo, detail}`).
 */

/** Milliseconds in which a driver takes back what they did. */
export const UNDO_MS = 5 * 60_000;

/** Milliseconds after which an ended guide leaves the phone, and a phone without contact forgets all people. */
export const DAY_MS = 24 * 3_600_000;

/** States as a driver reads them, with the tone of their badge. */
export const ESTADOS = {
  aceptado: ['Por recoger', 'off'],
  en_camino_a_recoger: ['Va a recoger', 'off'],
  recogido: ['La lleva', 'off'],
  en_ruta: ['En ruta', 'way'],
  intento_fallido: ['No se pudo', 'care'],
  entregado: ['Entregada', 'good'],
  en_devolucion: ['En devolución', 'care'],
  devuelto: ['Devuelta', 'off'],
  cancelado: ['Cancelada', 'bad'],
  extraviado: ['Extraviada', 'bad'],
};

/** Reasons of a failed attempt, most frequent first. */
export const MOTIVOS = {
  ausente: 'No había nadie',
  telefono_no_responde: 'No contesta',
  direccion_incorrecta: 'No di con la casa',
  sin_efectivo: 'No tenía dinero',
  rechazado: 'No lo quiso',
  reprogramado: 'Pide otro día',
  acceso_cerrado: 'Portón o garita cerrada',
  zona_insegura: 'Zona peligrosa',
  clima: 'Lluvia o paso cerrado',
  fuera_de_cobertura: 'No llego hasta ahí',
};

/** Why the page has no route to show. */
export const PERDIDA = {
  enlace: {
    titulo: 'Este enlace ya no sirve',
    texto: 'Pida uno nuevo a su bodega. Lo que espera aquí saldrá con su próximo enlace.',
  },
  dia: {
    titulo: 'Sin señal desde hace un día',
    texto:
      'Por seguridad se borraron los nombres y las direcciones. Lo que espera aquí no se pierde: vuelva a abrir esta página cuando tenga señal.',
  },
  nunca: {
    titulo: 'Sin señal',
    texto: 'Abra esta página una vez con señal; después abre también sin ella.',
  },
  ocupado: {
    titulo: 'Espere un minuto',
    texto: 'Son muchas solicitudes seguidas. Espere un minuto y vuelva a abrir esta página.',
  },
  caido: {
    titulo: 'El servicio no responde',
    texto: 'No se pierde nada de lo que hizo. Vuelva a abrir esta página en un minuto.',
  },
};

/** What a driver may do in a state, as `data-accion` names it. */
export const ACCIONES = {
  aceptado: ['en_camino_a_recoger', 'recogido'],
  en_camino_a_recoger: ['recogido'],
  recogido: ['en_ruta'],
  en_ruta: ['entregado', 'no_se_pudo', 'bodega'],
  intento_fallido: ['en_ruta'],
};

const PENDING = ['aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta'];
const FAILED = ['intento_fallido', 'en_devolucion'];

const isPickup = ({ estado }) => estado === 'aceptado' || estado === 'en_camino_a_recoger';

const waits = ({ rechazo }) => !rechazo;

/** Of what is never due again: the parcel is delivered, or goes to nobody. */
const NOT_DUE = ['entregado', 'en_devolucion', 'devuelto', 'cancelado', 'extraviado'];

/** What is to be collected of a guide, or was: `{texto, monto}` (null for no amount); null where nothing is to be said. */
export function dueOf({ estado, simbolo, cobrar, cobrar_escrito, cobrado }) {
  const isKnown = cobrado !== null && cobrado !== undefined;
  if (estado === 'entregado' && isKnown)
    return { texto: 'COBRADO', monto: moneyText(simbolo, centsOf(cobrado)) };
  if (estado === 'entregado' ? Number(cobrar) > 0 : NOT_DUE.includes(estado)) return null;
  return Number(cobrar) > 0
    ? { texto: 'COBRAR', monto: cobrar_escrito }
    : { texto: 'SIN COBRO', monto: null };
}

/**
 * The phone that the driver reaches, with how people write it: before the pick-up the shop's, where it has one. A route that
 * was stored by an earlier page has none.
 */
export function phoneOf(guia) {
  const { telefono, telefono_escrito } = isPickup(guia) && guia.recogida.telefono ? guia.recogida : guia;
  return { telefono, telefono_escrito };
}

/** The first of what waits, at most so many; of a guide nothing behind an undo, which the service may refuse. */
export function nextBatch(waiting, max) {
  const undone = new Set();
  const sendable = waiting.filter(({ guia, evento }) => {
    if (undone.has(guia)) return false;
    if (evento.deshacer) undone.add(guia);
    return true;
  });
  return sendable.slice(0, max);
}

/** The state after an action. */
function estadoAfter({ evento, anterior }) {
  return evento.deshacer ? anterior : evento.estado;
}

/**
 * The guides as this phone knows them: `estado` after what waits, `esperan` (number of actions), `rechazo`, and
 * `deshacible` while the last move may be taken back.
 * @param now milliseconds of the service's clock.
 */
export function guiasOf(datos, acciones, now) {
  const own = new Map();
  for (const accion of acciones) own.set(accion.guia, [...(own.get(accion.guia) ?? []), accion]);
  const guias = datos.guias.map((guia) => shown(guia, own.get(guia.guia) ?? [], now));
  return guias.filter(({ estado, estado_en, esperan, rechazo }) => {
    const isEnded = ![...PENDING, ...FAILED].includes(estado);
    return !isEnded || esperan > 0 || rechazo || !estado_en || now - Date.parse(estado_en) < DAY_MS;
  });
}

function shown(guia, own, now) {
  const waiting = own.filter(waits);
  const last = waiting.at(-1);
  const refused = own.findLast((accion) => !waits(accion));
  const rechazo = refused?.rechazo;
  const estado = last ? estadoAfter(last) : guia.estado;
  const at = last ? (last.evento.deshacer ? null : last.evento.ocurrido_en) : guia.mio?.en;
  const mayUndo = last || (!UNDO_REFUSALS.includes(rechazo?.codigo) && guia.mio?.estado === guia.estado);
  const deshacible = Boolean(at) && now - Date.parse(at) <= UNDO_MS && mayUndo;
  const estado_en = last?.evento.ocurrido_en ?? guia.estado_en;
  const cobrado = last?.evento.cod_cobrado ?? guia.cod_cobrado;
  return {
    ...guia,
    estado,
    estado_en,
    cobrado,
    esperan: waiting.length,
    rechazo,
    deshacible: Boolean(deshacible),
  };
}

/** Refused actions of guides that are not on this phone (any more). */
export function orphansOf(guias, acciones) {
  const known = new Set(guias.map(({ guia }) => guia));
  return acciones.filter(({ guia, rechazo }) => rechazo && !known.has(guia));
}

/**
 * The guides in the sections of the page: nearest first where the phone's place is known, else as the service sorts them,
 * by municipality.
 */
export function sectionsOf(guias, here) {
  const of = (estados) => guias.filter(({ estado }) => estados.includes(estado));
  const pending = of(PENDING).map((guia) => ({ ...guia, metros: here ? metresTo(guia, here) : null }));
  if (here) pending.sort((a, b) => (a.metros ?? Infinity) - (b.metros ?? Infinity));
  const done = guias.filter(({ estado }) => ![...PENDING, ...FAILED].includes(estado));
  done.sort((a, b) => (b.estado_en ?? '').localeCompare(a.estado_en ?? ''));
  return { pending, failed: of(FAILED), done };
}

/** Where the driver goes next with a guide. */
export function placeOf(guia) {
  return isPickup(guia) ? guia.recogida : guia.destino;
}

export { isPickup };

function metresTo(guia, here) {
  const { lat, lng } = placeOf(guia);
  if (lat === null || lng === null) return null;
  const rad = Math.PI / 180;
  const x = (lng - here.lng) * rad * Math.cos(((lat + here.lat) / 2) * rad);
  return Math.round(Math.hypot(x, (lat - here.lat) * rad) * 6_371_000);
}

/** `450 m`, `1.2 km`. */
export function distanceText(metros) {
  if (metros < 1_000) return `${Math.round(metros / 10) * 10}\u00a0m`;
  return `${(metros / 1_000).toFixed(metros < 10_000 ? 1 : 0)}\u00a0km`;
}

/** What the driver carries, as people read it, by currency; with what waits on this phone. */
export function cashOf(datos, acciones) {
  const guias = new Map(datos.guias.map((guia) => [guia.guia, guia]));
  let { caja } = datos;
  for (const accion of acciones.filter(waits)) {
    const guia = guias.get(accion.guia);
    if (guia) caja = added(caja, guia, centsMoved(accion));
  }
  return caja.map(({ simbolo, monto }) => moneyText(simbolo, centsOf(monto)));
}

/** Cents that an action brings to what the driver carries; `quita` is the amount of the delivery that it takes back. */
function centsMoved({ evento, quita }) {
  return evento.deshacer ? -centsOf(quita ?? 0) : centsOf(evento.cod_cobrado ?? 0);
}

function added(caja, { moneda, simbolo }, cents) {
  if (cents === 0) return caja;
  const others = caja.filter((one) => one.moneda !== moneda);
  const before = caja.find((one) => one.moneda === moneda) ?? { simbolo, monto: '0' };
  return [
    ...others,
    { moneda, simbolo: before.simbolo, monto: ((centsOf(before.monto) + cents) / 100).toFixed(2) },
  ];
}

/** Cents of an amount with at most two decimals. */
export function centsOf(amount) {
  return Math.round(Number(amount) * 100);
}

/** `Q 12,345.60`, as all other pages write it. A slow phone takes half a second to load `Intl.NumberFormat`. */
export function moneyText(simbolo, cents) {
  const [whole, decimals] = (Math.abs(cents) / 100).toFixed(2).split('.');
  const groups = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${cents < 0 ? '-' : ''}${simbolo}\u00a0${groups.join(',')}.${decimals}`;
}

/** A number, with signs of a currency before or after it. */
const AMOUNT = /^[^\d.,\s-]*\s*(\d+|\d{1,3}(?:[,\s]\d{3})+)(?:[.,](\d{1,2}))?\s*[^\d.,\s-]*$/;

/** A typed amount as a number; undefined for what is none, or more than one: `349.50`, `349,5`, `Q 1,349.50`. */
export function readAmount(text) {
  const found = AMOUNT.exec(text.trim());
  return found ? Number(`${found[1].replace(/\D/g, '')}.${found[2] ?? '0'}`) : undefined;
}

/** The events of an action, without `ref` and `ocurrido_en`: a parcel that nobody was on the way for gets both at once. */
export function eventsOf(accion, estado, fields) {
  if (accion === 'recogido' && estado === 'aceptado')
    return [{ estado: 'en_camino_a_recoger' }, { estado: 'recogido', ...fields }];
  if (accion === 'bodega') return [{ estado: 'recogido', motivo: 'sin_tiempo', ...fields }];
  if (accion === 'no_se_pudo') return [{ estado: 'intento_fallido', ...fields }];
  return [{ estado: accion, ...fields }];
}

/** Whether a scanned or typed text is the number of a guide: twelve digits, the last a check digit (Luhn). */
export function isGuia(text) {
  if (!/^[1-9]\d{11}$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** `2321 5967 3028` */
export function inFours(guia) {
  return guia.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/**
 * Applies the service's results, one for each action, in the same order. Returns `datos` after them; `done` (numbers of
 * actions to delete), `refused` (`[n, rechazo]`), `held` (why what waits behind a refused undo is not sent, by guide),
 * `settled` (guides with an applied action), `left` (whether some are to be sent again: what the service could not do it
 * may do later).
 */
export function settle(datos, acciones, resultados) {
  const guias = new Map(datos.guias.map((guia) => [guia.guia, guia]));
  const [done, refused, held, settled] = [[], [], new Map(), new Set()];
  let { caja } = datos;
  let left = false;
  for (const [i, accion] of acciones.entries()) {
    const { n, guia, evento } = accion;
    const { ok, status, codigo, aplicado, no_aplicado = 'tarde', estado } = resultados[i];
    const known = guias.get(guia);
    if (!ok && (status >= 500 || status === 429)) left = true;
    else if (!ok) {
      const rechazo = { codigo, detail: reasonOf(resultados[i]) };
      refused.push([n, rechazo]);
      if (evento.deshacer) held.set(guia, rechazo);
    } else {
      if (known) guias.set(guia, moved(known, evento, estado, aplicado));
      if (known && aplicado && !resultados[i].duplicado) caja = added(caja, known, centsMoved(accion));
      if (aplicado) {
        done.push(n);
        settled.add(guia);
      } else refused.push([n, { codigo: no_aplicado, detail: notAppliedText(no_aplicado, estado) }]);
    }
  }
  return { datos: { ...datos, caja, guias: [...guias.values()] }, done, refused, held, settled, left };
}

/** Why an undo of what the service knows is refused. */
const UNDO_REFUSALS = ['nada_que_deshacer', 'efectivo_entregado'];

/** What a driver does about a refusal, where the service's own words are for programs. */
const REFUSALS = {
  pin_incorrecto: 'El PIN no es el de esta guía. Pídalo otra vez, o marque “No tiene el PIN”.',
  pin_agotado: 'Ya se probaron cinco PIN. Marque “No tiene el PIN” y escriba por qué.',
  transicion_invalida: 'La guía ya había cambiado. Mire cómo está ahora, o avise a su bodega.',
  cobro_liquidado: 'Lo cobrado ya se liquidó. Avise a su bodega.',
  nada_que_deshacer: 'No se pudo deshacer: avise a su bodega.',
  efectivo_entregado: 'No se pudo deshacer: avise a su bodega. Ese efectivo ya lo entregó.',
};

/** Of a field: the merchant may have changed the guide since this phone read it. */
const FAULTS = {
  'pin requerido': 'Este comercio pide ahora el PIN. Pídalo, o marque “No tiene el PIN”.',
  'cod_cobrado requerido': 'La guía tiene ahora un monto por cobrar. Escriba cuánto cobró; si nada, 0.',
  'ocurrido_en fuera_de_rango': 'El reloj de este teléfono estaba adelantado. Hágalo otra vez.',
};

/** The fault of the one field that is wrong says more than the count of faults. */
function reasonOf({ codigo, detail, errores }) {
  const only = errores?.length === 1 ? errores[0] : undefined;
  const text = REFUSALS[codigo] ?? FAULTS[`${only?.campo} ${only?.codigo}`] ?? only?.mensaje ?? detail;
  return text.replaceAll('`', '');
}

function notAppliedText(why, estado) {
  if (why === 'de_otro_piloto')
    return 'Ya no era suya: la guía pasó a otro piloto. Lo que hizo quedó anotado y no la cambió; avise a su bodega.';
  return `Llegó tarde: la guía ya está como “${ESTADOS[estado]?.[0] ?? estado}”. Quedó anotado; si no es así, avise a su bodega.`;
}

/** Refusals that say first what happened, up to a colon; of all others it is that nothing was done. */
const SAYS_ITSELF = ['tarde', 'de_otro_piloto', ...UNDO_REFUSALS];

/** A refusal as people read it: what happened, and what to do. */
export function refusalText({ codigo, detail }) {
  const end = SAYS_ITSELF.includes(codigo) ? detail.indexOf(':') + 1 : 0;
  return end > 0 ? [detail.slice(0, end), detail.slice(end)] : ['No se hizo.', ` ${detail}`];
}

function moved(guia, evento, estado, aplicado) {
  if (!aplicado) return { ...guia, estado, mio: null };
  if (evento.deshacer) return { ...guia, estado, mio: null, cod_cobrado: null };
  return {
    ...guia,
    estado,
    estado_en: evento.ocurrido_en,
    cod_cobrado: evento.cod_cobrado ?? guia.cod_cobrado,
    mio: { en: evento.ocurrido_en, estado, anterior: guia.estado },
  };
}

/** The service's newest data, with what this phone knows of its own moves. */
export function merged(fresh, known) {
  const own = new Map((known?.guias ?? []).map((guia) => [guia.guia, guia]));
  const guias = fresh.guias.map((guia) => {
    const { mio, estado } = own.get(guia.guia) ?? {};
    return mio && estado === guia.estado ? { ...guia, mio } : guia;
  });
  return { ...fresh, guias };
}
