import {
  ACCIONES,
  cashOf,
  distanceText,
  dueOf,
  ESTADOS,
  guiasOf,
  inFours,
  isPickup,
  MOTIVOS,
  orphansOf,
  phoneOf,
  placeOf,
  refusalText,
  sectionsOf,
} from './model.js';

/** Buttons of the moves without further questions, with their icons. */
const MOVES = {
  en_camino_a_recoger: ['ruta', 'Voy a recoger'],
  recogido: ['ok', 'Ya la recogí'],
  en_ruta: ['ruta', 'Sale a entregar'],
  bodega: ['bodega', 'De vuelta a bodega, sin intentar'],
};

/**
 * The driver's page. Made of plain values, so that the server draws the first view and the phone all others; what is
 * touched is found by `data-accion` and `data-motivo`.
 * @param h Preact's. @param isApple whether it is drawn on an iPhone, which knows no `geo:`.
 */
export function createViews(h, isApple = false) {
  const icon = (name) =>
    h('svg', { class: 'i', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, h('use', { href: `#i-${name}` }));
  const button = (accion, [picture, text], kind = '') =>
    h('button', { class: `btn big ${kind}`, type: 'button', 'data-accion': accion }, icon(picture), text);
  const note = (tone, picture, ...content) =>
    h('div', { class: `note ${tone}` }, icon(picture), h('div', { class: 'grow' }, ...content));

  /** What all elements of a guide bear. */
  const named = ({ guia, estado, rechazo }) => ({
    'data-guia': guia,
    'data-estado': estado,
    ...(rechazo && { 'data-rechazo': rechazo.codigo }),
  });

  const refusal = ({ rechazo }) => {
    if (!rechazo) return rechazo;
    const [what, more] = refusalText(rechazo);
    return note(
      'bad',
      'alerta',
      h('b', null, what),
      more,
      h('div', null, h('button', { class: 'btn', type: 'button', 'data-accion': 'entendido' }, 'Entendido')),
    );
  };

  const badge = ({ estado, estado_en, esperan }, hora) => {
    const [text, tone] = ESTADOS[estado] ?? [estado, 'off'];
    return h(
      'span',
      { class: `badge ${tone}` },
      icon(tone === 'good' ? 'ok' : tone === 'way' ? 'ruta' : tone === 'off' ? 'bodega' : 'alerta'),
      [text, estado_en && hora(estado_en), esperan > 0 && '· espera señal'].filter(Boolean).join(' '),
    );
  };

  const money = (guia) => {
    if (isPickup(guia)) return h('b', null, guia.comercio);
    const due = dueOf(guia);
    if (!due) return null;
    return h('b', null, due.texto, due.monto && [' ', h('span', { class: 'num' }, due.monto)]);
  };

  /** How to find the place: the landmark, else the address; of a pickup the merchant's. */
  const where = (guia) =>
    isPickup(guia)
      ? [guia.recogida.nombre, guia.recogida.direccion].filter(Boolean).join(', ') || guia.comercio
      : guia.referencia ||
        guia.direccion ||
        (places(guia.destino) ? 'Vea el mapa' : 'Sin dirección: llame antes');

  const unsure = (guia) =>
    !guia.direccion_confirmada &&
    !isPickup(guia) &&
    h('span', { class: 'badge care' }, icon('alerta'), 'Sin confirmar: llame antes');

  const undo = (guia) => guia.deshacible && button('deshacer', ['undo', 'Deshacer']);

  const row = (guia, hora) =>
    h(
      'li',
      { key: guia.guia, class: 'stack', ...named(guia) },
      h(
        'a',
        { class: 'row', href: `#${guia.guia}`, 'data-abrir': '' },
        h('b', { class: 'num amount mid' }, guia.guia.slice(8)),
        h(
          'span',
          { class: 'grow' },
          h('b', { class: 'block' }, guia.destinatario || 'Sin nombre'),
          guia.estado === 'en_ruta' ? unsure(guia) : badge(guia, hora),
          guia.estado === 'en_ruta' && guia.esperan > 0 && h('span', { class: 'badge way' }, 'Espera señal'),
          h('span', { class: 'block' }, `${where(guia)} · ${guia.municipio}`),
          money(guia),
          typeof guia.metros === 'number' && ` · ${distanceText(guia.metros)}`,
        ),
      ),
      undo(guia),
      refusal(guia),
    );

  const places = ({ lat, lng, maps_url }) => {
    if (lat !== null && lng !== null)
      return isApple ? `https://maps.apple.com/?q=${lat},${lng}` : `geo:${lat},${lng}?q=${lat},${lng}`;
    return /^https?:\/\//i.test(maps_url ?? '') ? maps_url : null;
  };

  const reach = (guia) => {
    const map = places(placeOf(guia));
    const { telefono } = phoneOf(guia);
    const link = (href, picture, text, kind = '') =>
      h('a', { class: `btn big ${kind}`, href, rel: 'noreferrer' }, icon(picture), text);
    return h(
      'div',
      { class: 'cols trio' },
      map && link(map, 'mapa', 'Ir'),
      link(`tel:${telefono}`, 'tel', 'Llamar'),
      link(`https://wa.me/${telefono.replace(/\D/g, '')}`, 'chat', 'Chat', 'wa'),
    );
  };

  const nearest = (guia, hora) =>
    h(
      'article',
      { key: guia.guia, class: 'card stack', ...named(guia) },
      h(
        'div',
        { class: 'row' },
        typeof guia.metros === 'number'
          ? h('span', { class: 'badge way' }, icon('ruta'), `La más cerca · ${distanceText(guia.metros)}`)
          : badge(guia, hora),
        h('b', { class: 'amount mid num end' }, guia.guia.slice(8)),
      ),
      h(
        'div',
        { class: 'stack tight' },
        h('h2', { class: 'name' }, guia.destinatario || 'Sin nombre'),
        h('p', null, where(guia), ' ', h('b', null, guia.municipio)),
        unsure(guia),
      ),
      amount(guia),
      reach(guia),
      h(
        'a',
        { class: 'btn main big', href: `#${guia.guia}`, 'data-abrir': '' },
        icon('ok'),
        isPickup(guia) ? 'Abrir' : 'Llegué',
      ),
      undo(guia),
      refusal(guia),
    );

  const amount = (guia) => {
    const due = isPickup(guia) ? null : dueOf(guia);
    return (
      due &&
      h(
        'div',
        { class: 'row' },
        h('b', { class: 'due' }, due.texto),
        due.monto && h('span', { class: 'amount num' }, due.monto),
      )
    );
  };

  const field = (name, label, falla, props) =>
    h(
      'div',
      { class: `field ${falla?.campo === name ? 'bad' : ''}` },
      h('label', { for: `f-${name}` }, label),
      h('input', {
        id: `f-${name}`,
        name,
        autocomplete: 'off',
        ...props,
        ...(falla?.campo === name && { 'aria-invalid': 'true', 'aria-describedby': `falla-${name}` }),
      }),
      falla?.campo === name && h('p', { class: 'why', id: `falla-${name}` }, falla.texto),
    );

  const delivery = (guia, { falla, sinPin }) =>
    h(
      'form',
      { key: `f${guia.guia}`, class: 'card stack', method: 'post', 'data-entrega': '', novalidate: true },
      Number(guia.cobrar) > 0
        ? field('cod_cobrado', `COBRAR, ${guia.simbolo}`, falla, {
            class: 'amount',
            inputmode: 'decimal',
            defaultValue: guia.cobrar,
          })
        : h('b', null, 'SIN COBRO'),
      field('recibio', 'Quién recibió', falla, { maxlength: 120, defaultValue: guia.destinatario }),
      guia.con_pin && [
        field('pin', 'PIN que le dicen', falla, { class: 'amount', inputmode: 'numeric', maxlength: 4 }),
        h(
          'label',
          { class: 'btn' },
          h('input', { type: 'checkbox', name: 'sin_pin', checked: sinPin }),
          'No tiene el PIN',
        ),
        sinPin && field('nota', '¿Por qué sin PIN?', falla, { maxlength: 500 }),
      ],
      h(
        'button',
        { class: 'btn main big', type: 'submit', 'data-accion': 'entregado' },
        icon('ok'),
        Number(guia.cobrar) > 0 ? 'Entregado y cobrado' : 'Entregado',
      ),
    );

  const failure = () =>
    h(
      'section',
      { class: 'stack' },
      h(
        'button',
        { class: 'btn big', type: 'button', 'data-accion': 'no_se_pudo' },
        icon('x'),
        'No se pudo. ¿Por qué?',
      ),
      h(
        'div',
        { class: 'cols', id: 'motivos' },
        Object.entries(MOTIVOS).map(([motivo, text]) =>
          h('button', { key: motivo, class: 'btn big', type: 'button', 'data-motivo': motivo }, text),
        ),
      ),
    );

  const guiaView = (guia, vista) => {
    const acciones = ACCIONES[guia.estado] ?? [];
    const moves = acciones.filter((accion) => accion in MOVES && accion !== 'bodega');
    return h(
      'main',
      null,
      h(
        'header',
        { class: 'row' },
        h('a', { class: 'btn', href: '#ruta' }, icon('atras'), 'Ruta'),
        h('b', { class: 'amount mid num end' }, guia.guia.slice(8)),
      ),
      h(
        'article',
        { class: 'stack wide', ...named(guia) },
        h(
          'div',
          { class: 'stack tight' },
          h('h1', null, guia.destinatario || 'Sin nombre'),
          h('p', null, where(guia), ' ', h('b', null, isPickup(guia) ? '' : guia.municipio)),
          !isPickup(guia) && guia.referencia && guia.direccion && h('p', null, guia.direccion),
          h('p', null, badge(guia, vista.hora), ' ', unsure(guia)),
        ),
        [guia.notas, guia.nota]
          .filter(Boolean)
          .map((text) =>
            h('div', { class: 'note ask', key: text }, icon('nota'), h('p', { class: 'pre' }, text)),
          ),
        refusal(guia),
        reach(guia),
        acciones.includes('entregado') ? delivery(guia, vista) : amount(guia),
        vista.falla && !vista.falla.campo && note('bad', 'alerta', vista.falla.texto),
        moves.map((accion, i) => button(accion, MOVES[accion], i === moves.length - 1 ? 'main' : '')),
        acciones.includes('no_se_pudo') && failure(),
        acciones.includes('bodega') && button('bodega', MOVES.bodega),
        undo(guia),
        h(
          'p',
          { class: 't2' },
          `Guía ${inFours(guia.guia)} · ${guia.comercio} · ${phoneOf(guia).telefono_escrito}`,
        ),
      ),
    );
  };

  const waiting = ({ leida, acciones, enLinea }) => {
    if (!leida) return h('p', { class: 't2', role: 'status' }, 'Leyendo lo que espera en este teléfono…');
    const count = acciones.filter(({ rechazo }) => !rechazo).length;
    const counted = h('span', { 'data-por-enviar': count }, count);
    if (enLinea && count === 0)
      return h('p', { class: 't2', role: 'status' }, counted, ' por enviar: todo está enviado.');
    return h(
      'div',
      { role: 'status' },
      note(
        enLinea ? 'ask' : 'care',
        'senal',
        h(
          'b',
          null,
          enLinea ? '' : 'Sin señal. ',
          counted,
          count === 1 ? ' acción espera aquí.' : ' acciones esperan aquí.',
        ),
        h('br'),
        count === 0 ? 'Puede seguir.' : 'Se mandan solas. Puede seguir.',
      ),
    );
  };

  const section = (id, title, guias, hora) =>
    guias.length > 0 &&
    h(
      'section',
      { class: 'stack tight', id, 'aria-labelledby': `t-${id}` },
      h('h2', { id: `t-${id}` }, title),
      h(
        'ol',
        { class: 'items card' },
        guias.map((guia) => row(guia, hora)),
      ),
    );

  const found = ({ busqueda }) =>
    busqueda &&
    h(
      'div',
      { class: 'stack', role: 'status' },
      busqueda.texto && h('p', null, busqueda.texto),
      busqueda.propias?.map((guia) =>
        h(
          'a',
          { class: 'btn big', key: guia.guia, href: `#${guia.guia}` },
          `${inFours(guia.guia)}, ya es suya: abrir`,
        ),
      ),
      busqueda.libres?.map((libre) =>
        h(
          'div',
          { class: 'card stack', key: libre.guia, 'data-guia': libre.guia, 'data-estado': '' },
          h('p', null, h('b', { class: 'num' }, inFours(libre.guia)), ' · ', libre.municipio),
          button('tomar', ['ok', 'Tomar esta guía'], 'main'),
        ),
      ),
    );

  const search = (vista) =>
    h(
      'section',
      { class: 'stack tight', id: 'buscar', 'aria-labelledby': 't-buscar' },
      h('h2', { id: 't-buscar' }, 'Buscar o tomar un paquete'),
      h(
        'form',
        { class: 'row', method: 'post', 'data-busca': '' },
        h(
          'div',
          { class: 'field grow' },
          h('label', { for: 'f-buscar' }, 'Últimos 4 números de la guía'),
          h('input', {
            class: 'amount mid',
            id: 'f-buscar',
            name: 'buscar',
            inputmode: 'numeric',
            autocomplete: 'off',
            maxlength: 16,
          }),
        ),
        h('button', { class: 'btn big', type: 'submit' }, icon('lupa'), 'Buscar'),
      ),
      vista.camara === true &&
        h(
          'div',
          { class: 'stack' },
          h('video', { class: 'camara', id: 'camara', muted: true, playsinline: true }),
          button('escanear', ['x', 'Cerrar la cámara']),
        ),
      found(vista),
    );

  const missing = ({ seguro }) =>
    seguro === false &&
    note(
      'care',
      'alerta',
      h('b', null, 'Esta página no abre sin señal.'),
      ' Tampoco usa la cámara ni su ubicación: el enlace no empieza con https. Avise a su bodega.',
    );

  const orphans = (guias, acciones) => {
    const refused = orphansOf(guias, acciones);
    return (
      refused.length > 0 &&
      h(
        'section',
        { class: 'stack tight', 'aria-labelledby': 't-sinhacer' },
        h('h2', { id: 't-sinhacer' }, 'No se hicieron'),
        refused.map((accion) =>
          h(
            'div',
            {
              class: 'card stack',
              key: accion.n,
              'data-guia': accion.guia,
              'data-estado': accion.evento.estado ?? '',
              'data-rechazo': accion.rechazo.codigo,
            },
            h(
              'p',
              null,
              h('b', { class: 'num' }, inFours(accion.guia)),
              ' · ',
              ESTADOS[accion.evento.estado]?.[0] ?? 'Deshacer',
            ),
            refusal(accion),
          ),
        ),
      )
    );
  };

  const routeView = (guias, vista) => {
    const { pending, failed, done } = sectionsOf(guias, vista.aqui);
    const [first, ...others] = pending;
    const { piloto } = vista.datos;
    const cash = cashOf(vista.datos, vista.acciones);
    return h(
      'main',
      null,
      h(
        'header',
        { class: 'row' },
        h('h1', { class: 'grow' }, piloto.nombre, h('span', { class: 't2 block' }, vista.dia)),
        cash.length > 0 &&
          h(
            'p',
            { class: 'badge off' },
            icon('dinero'),
            'Lleva ',
            h('b', { class: 'num' }, cash.join(' · ')),
          ),
      ),
      waiting(vista),
      missing(vista),
      vista.aviso && note('bad', 'alerta', vista.aviso),
      vista.datos.hay_mas &&
        note('care', 'alerta', 'Tiene más guías de las que caben aquí: aparecen cuando termine estas.'),
      orphans(guias, vista.acciones),
      h(
        'nav',
        { class: 'tabs', 'aria-label': 'Guías' },
        h('a', { href: '#pendientes' }, h('b', null, pending.length), ' por entregar'),
        h('a', { href: '#hechas' }, h('b', null, done.length), done.length === 1 ? ' hecha' : ' hechas'),
      ),
      first
        ? h('div', { id: 'pendientes' }, nearest(first, vista.hora))
        : h('p', { class: 'empty', id: 'pendientes' }, 'No tiene guías por entregar.'),
      vista.puedeUbicar && button('ubicar', ['mapa', 'Ordenar por cercanía']),
      section('despues', 'Después', others, vista.hora),
      section('fallidas', 'No se pudo', failed, vista.hora),
      section('hechas', 'Hechas', done, vista.hora),
      search(vista),
      h(
        'div',
        { class: 'dock' },
        vista.camara !== undefined && button('escanear', ['escanear', 'Escanear']),
        h('a', { class: 'btn big', href: '#buscar' }, icon('lupa'), '4 números'),
      ),
    );
  };

  /** In place of the route: the link has ended, or nobody was in contact for a day. */
  const lost = (vista) =>
    h(
      'main',
      null,
      h('h1', null, vista.perdida.titulo),
      h('p', null, vista.perdida.texto),
      vista.acciones.length > 0 && waiting(vista),
      orphans([], vista.acciones),
    );

  return {
    /**
     * @param vista `datos` (what the service told), `leida` (whether what the phone stores was read), `acciones`,
     *   `ahora` (ms of the service's clock), `aqui` (`{lat, lng}` or null), `hora` and `dia` (local times), and what was
     *   touched.
     */
    Ruta(vista) {
      if (vista.perdida) return lost(vista);
      return routeView(guiasOf(vista.datos, vista.acciones, vista.ahora), vista);
    },

    /** The view of the guide whose number is `vista.abierta`; null where it is not the driver's. */
    Guia(vista) {
      if (vista.perdida) return null;
      const guias = guiasOf(vista.datos, vista.acciones, vista.ahora);
      const open = guias.find(({ guia }) => guia === vista.abierta);
      return open ? guiaView(open, vista) : null;
    },
  };
}
