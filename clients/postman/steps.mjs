/**
 * The requests of the Postman collection, in an order that works: each takes the ids that earlier ones have saved.
 * @typedef {object} Step
 * @property {string} operation its `operationId` in openapi.json.
 * @property {string} [name] where the operation's summary does not say it.
 * @property {number} [status] that it answers with; 200 by default.
 * @property {string} [codigo] of the error that it shows.
 * @property {Record<string, string>} [path] values of the path's parameters.
 * @property {Record<string, string>} [query]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body] JSON.
 * @property {Record<string, string>} [save] a variable for each expression over `body` or `headers` of the answer.
 * @property {'operador' | 'ninguna'} [key] in place of the test key.
 * @property {{ status: number, codigo: string }} [withoutOperator] the answer where no operator's key is set.
 */

const NO_KEY = { status: 401, codigo: 'no_autenticado' };

/** Of a step with an operator's key, about what is the same for real and test guides. */
const ofInstallation = /** @type {const} */ ({ key: 'operador', withoutOperator: NO_KEY });

/** @returns {Step} a step with an operator's key, among the guides of test keys. */
const operator = (operation, step) => ({
  operation,
  key: 'operador',
  withoutOperator: NO_KEY,
  ...step,
  query: { modo: 'prueba', ...step.query },
});

/** @returns {Step} a step about the operator's own webhook. */
const ofOwnWebhook = (operation, step = {}) => ({
  operation,
  ...ofInstallation,
  path: { id: '{{webhookDeOperador}}' },
  ...step,
});

/** @returns {Step} the next event of a guide, as its courier would register it. */
const move = (estado, body = {}) => ({
  operation: 'moverGuiaDePrueba',
  name: `Mover una guía de prueba: ${estado}`,
  status: 201,
  path: { id: '{{guia}}' },
  body: { estado, ...body },
});

const PLACE = { telefono: '5555 1234', departamento: 'Guatemala', municipio: 'Mixco' };
const PICKUP = { recogida: { lat: 14.6349, lng: -90.5069, nombre: 'Bodega central' } };

const created = {
  external_ref: 'postman-{{corrida}}-1',
  nombre: 'Ana López',
  ...PLACE,
  direccion: '4a calle 5-10, zona 1',
  contenido: 'Zapatos, talla 38',
  cod_amount: 349.5,
  lat: 14.6407,
  lng: -90.5133,
  ...PICKUP,
};

/** @type {{ name: string, description: string, steps: Step[] }[]} */
export const FOLDERS = [
  {
    name: '1. Guías',
    description:
      'Crear una guía, repetirla sin duplicarla, verla, corregirla e imprimirla; crear varias de una vez.',
    steps: [
      { operation: 'listarLugares' },
      {
        operation: 'crearGuia',
        status: 201,
        body: created,
        save: { guia: 'body.guia', id: 'body.id' },
      },
      { operation: 'crearGuia', name: 'Repetir la misma guía: no se crea otra', body: created },
      { operation: 'obtenerGuia', path: { id: '{{guia}}' }, save: { etag: "headers.get('ETag')" } },
      {
        operation: 'editarGuia',
        path: { id: '{{guia}}' },
        headers: { 'If-Match': '{{etag}}' },
        body: { referencia: 'Portón azul, a la par de la tienda' },
      },
      { operation: 'pedirUbicacion', path: { id: '{{guia}}' } },
      { operation: 'listarGuias', query: { estado: 'aceptado', limit: '2' } },
      { operation: 'listarEventos', path: { id: '{{guia}}' } },
      {
        operation: 'crearGuias',
        body: {
          guias: [2, 3, 4].map((n) => ({ external_ref: `postman-{{corrida}}-${n}`, ...PLACE, ...PICKUP })),
        },
        save: Object.fromEntries([2, 3, 4].map((n, i) => [`guia${n}`, `body.resultados[${i}].guia`])),
      },
      { operation: 'bajarPlantilla' },
      { operation: 'imprimirEtiqueta', path: { id: '{{guia}}' }, query: { formato: 'pdf' } },
      { operation: 'imprimirEtiquetas', body: { guias: ['{{guia}}', '{{guia2}}'], tamano: 'a4' } },
      { operation: 'cancelarGuia', path: { id: '{{guia3}}' }, body: { nota: 'Sin existencias' } },
    ],
  },
  {
    name: '2. Webhooks',
    description:
      'Registrar la dirección de su sistema, probarla y ver sus entregas. `tienda.example` no existe: cámbiela.',
    steps: [
      {
        operation: 'crearWebhook',
        status: 201,
        body: { url: 'https://tienda.example/avisos' },
        save: { webhook: 'body.webhook.id' },
      },
      { operation: 'listarWebhooks' },
      { operation: 'listarAvisos' },
      { operation: 'obtenerWebhook', path: { id: '{{webhook}}' } },
      {
        operation: 'editarWebhook',
        path: { id: '{{webhook}}' },
        body: { eventos: ['guia.estado_cambiado', 'guia.cancelada'] },
      },
      { operation: 'rotarSecreto', path: { id: '{{webhook}}' } },
      { operation: 'probarWebhook', path: { id: '{{webhook}}' }, save: { entrega: 'body.entrega.id' } },
      { operation: 'listarEntregas', path: { id: '{{webhook}}' } },
      { operation: 'obtenerEntrega', path: { id: '{{webhook}}', entrega: '{{entrega}}' } },
      { operation: 'reenviarEntregas', path: { id: '{{webhook}}' }, body: { desde: '2026-01-01' } },
      { operation: 'eliminarWebhook', path: { id: '{{webhook}}' } },
    ],
  },
  {
    name: '3. Pruebas',
    description: 'Lo que harían el destinatario y la mensajería, con una clave de prueba.',
    steps: [
      { operation: 'listarMensajesDePrueba', query: { guia: '{{guia2}}' } },
      move('en_camino_a_recoger'),
      move('recogido'),
      move('en_ruta'),
      move('entregado', { cod_cobrado: 349.5, recibio: 'Rosa Pérez', lat: 14.6407, lng: -90.5133 }),
      {
        operation: 'simularGuiaDePrueba',
        status: 201,
        path: { id: '{{guia2}}' },
        body: { guion: 'intento_y_entrega', cada_segundos: 1 },
      },
      { operation: 'obtenerSimulacion', path: { id: '{{guia2}}' } },
    ],
  },
  {
    name: '4. Operaciones',
    description: 'Lo que hace la mensajería. Pide `claveDeOperador`; sin ella, cada solicitud responde 401.',
    steps: [
      operator('listarGuiasDeOperaciones', {
        query: { guia: '{{guia4}}' },
        save: { comercio: 'body.guias[0].comercio.id' },
      }),
      operator('obtenerGuiaDeOperaciones', { path: { id: '{{guia4}}' } }),
      operator('editarGuiaDeOperaciones', {
        path: { id: '{{guia4}}' },
        body: { referencia: 'Portón verde, frente a la escuela' },
      }),
      operator('pedirUbicacionDeOperaciones', { path: { id: '{{guia4}}' } }),
      operator('registrarEvento', {
        status: 201,
        path: { id: '{{guia4}}' },
        body: { estado: 'en_camino_a_recoger', ref: 'postman-{{corrida}}-parada-1' },
      }),
      operator('registrarEventos', {
        body: { eventos: ['recogido', 'en_ruta'].map((estado) => ({ guia: '{{guia4}}', estado })) },
      }),
      operator('deshacerEvento', {
        status: 201,
        path: { id: '{{guia4}}' },
        body: { motivo: 'Se marcó otra guía', ref: 'postman-{{corrida}}-deshecho' },
      }),
      operator('listarEventosDeOperaciones', { path: { id: '{{guia4}}' } }),
      operator('imprimirEtiquetaDeOperador', { path: { id: '{{guia4}}' }, query: { formato: 'zpl' } }),
      operator('imprimirEtiquetasDeOperador', { body: { guias: ['{{guia}}', '{{guia4}}'] } }),
      operator('corregirCobro', {
        status: 201,
        path: { id: '{{guia}}' },
        body: { cod_cobrado: 340, nota: 'Faltaba el vuelto', ref: 'postman-{{corrida}}-caja' },
      }),
      operator('liquidar', {
        status: 201,
        body: { comercio: '{{comercio}}', ref: 'postman-{{corrida}}-semana' },
        save: { liquidacion: 'body.liquidacion.id' },
      }),
      operator('pagarLiquidacion', {
        path: { id: '{{liquidacion}}' },
        body: { referencia_pago: 'TRF-{{corrida}}', ref: 'postman-{{corrida}}-pago' },
      }),
      operator('listarCobrosDeOperaciones', { query: { comercio: '{{comercio}}', limit: '2' } }),
      operator('listarLiquidacionesDeOperaciones', { query: { comercio: '{{comercio}}', limit: '2' } }),
      ...[
        'verLiquidacionDeOperaciones',
        'listarCobrosDeLiquidacionDeOperaciones',
        'listarAjustesDeLiquidacionDeOperaciones',
      ].map((operation) => operator(operation, { path: { id: '{{liquidacion}}' } })),
      operator('crearAjuste', {
        status: 201,
        body: {
          comercio: '{{comercio}}',
          monto: -25,
          motivo: 'Envío de la semana pasada',
          ref: 'postman-{{corrida}}-ajuste',
        },
        save: { ajuste: 'body.ajuste.id' },
      }),
      operator('listarAjustesDeOperaciones', { query: { comercio: '{{comercio}}', estado: 'pendiente' } }),
      operator('quitarAjuste', { status: 204, path: { id: '{{ajuste}}' } }),
      {
        operation: 'crearPiloto',
        status: 201,
        ...ofInstallation,
        body: { nombre: 'Marvin Xicará', telefono: '5555 8080', ref: 'postman-{{corrida}}-piloto' },
        save: { piloto: 'body.piloto.id' },
      },
      { operation: 'listarPilotos', ...ofInstallation, query: { activo: 'true', limit: '2' } },
      { operation: 'obtenerPiloto', ...ofInstallation, path: { id: '{{piloto}}' } },
      {
        operation: 'hacerEnlaceDePiloto',
        ...ofInstallation,
        path: { id: '{{piloto}}' },
        body: { horas: 12 },
      },
      operator('asignarGuias', { body: { piloto: '{{piloto}}', guias: ['{{guia4}}', '{{guia}}'] } }),
      operator('verCaja', { path: { id: '{{piloto}}' } }),
      operator('entregarCaja', {
        status: 409,
        codigo: 'nada_por_entregar',
        path: { id: '{{piloto}}' },
        body: { moneda: 'GTQ', monto: 349.5, ref: 'postman-{{corrida}}-entrega' },
      }),
      operator('listarEntregasDeCaja', { path: { id: '{{piloto}}' } }),
      operator('moverSaldo', {
        status: 201,
        path: { id: '{{piloto}}' },
        body: { moneda: 'GTQ', monto: -50, motivo: 'Anticipo', ref: 'postman-{{corrida}}-saldo' },
      }),
      operator('listarMovimientosDeSaldo', { path: { id: '{{piloto}}' } }),
      {
        operation: 'editarPiloto',
        ...ofInstallation,
        path: { id: '{{piloto}}' },
        body: { telefono: null, activo: false },
      },
      {
        operation: 'crearWebhookDeOperaciones',
        status: 201,
        ...ofInstallation,
        body: { url: 'https://mensajeria.example/avisos' },
        save: { webhookDeOperador: 'body.webhook.id' },
      },
      { operation: 'listarWebhooksDeOperaciones', ...ofInstallation },
      ofOwnWebhook('obtenerWebhookDeOperaciones'),
      ofOwnWebhook('editarWebhookDeOperaciones', { body: { eventos: ['guia.creada', 'guia.actualizada'] } }),
      ofOwnWebhook('rotarSecretoDeOperaciones'),
      ofOwnWebhook('probarWebhookDeOperaciones', { save: { entregaDeOperador: 'body.entrega.id' } }),
      ofOwnWebhook('listarEntregasDeOperaciones'),
      ofOwnWebhook('obtenerEntregaDeOperaciones', {
        path: { id: '{{webhookDeOperador}}', entrega: '{{entregaDeOperador}}' },
      }),
      ofOwnWebhook('reenviarEntregasDeOperaciones', { body: { desde: '2026-01-01' } }),
      ofOwnWebhook('eliminarWebhookDeOperaciones'),
      ...['darDeBaja', 'quitarBaja'].map((operation) => ({
        operation,
        ...ofInstallation,
        path: { telefono: '+50255550199' },
      })),
      { operation: 'listarBajas', ...ofInstallation },
    ],
  },
  {
    name: '5. Cobros',
    description: 'Qué se cobró al entregar y qué se liquidó.',
    steps: [
      { operation: 'listarCobros', query: { limit: '2' } },
      {
        operation: 'listarCobros',
        name: 'Bajar los cobros como CSV',
        headers: { Accept: 'text/csv' },
      },
      { operation: 'resumirCobros' },
      { operation: 'listarLiquidaciones', query: { limit: '2' } },
      { operation: 'listarAjustes', query: { estado: 'pendiente' } },
      ...['verLiquidacion', 'listarCobrosDeLiquidacion', 'listarAjustesDeLiquidacion'].map((operation) => ({
        operation,
        path: { id: '{{liquidacion}}' },
        withoutOperator: { status: 404, codigo: 'no_encontrado' },
      })),
    ],
  },
  {
    name: '6. Errores',
    description:
      'Cómo se ve lo que sale mal: `codigo` para su programa, `detail` y `errores` para una persona.',
    steps: [
      {
        operation: 'crearGuia',
        name: 'Campos que faltan o no existen',
        ...{ status: 400, codigo: 'validacion' },
        body: { telefno: '5555 1234', departamento: 'Guatemala' },
      },
      {
        operation: 'crearGuia',
        name: 'Un enlace de recogida sin coordenadas',
        ...{ status: 422, codigo: 'enlace_sin_coordenadas' },
        body: { ...PLACE, recogida: { maps_url: 'https://www.google.com/maps/place/Parque+Central/' } },
      },
      { operation: 'listarGuias', name: 'Sin clave', key: 'ninguna', ...NO_KEY },
      {
        operation: 'listarGuias',
        name: 'Un cursor modificado',
        ...{ status: 400, codigo: 'cursor_invalido' },
        query: { cursor: 'x' },
      },
      {
        operation: 'obtenerGuia',
        name: 'Una guía que no existe',
        ...{ status: 404, codigo: 'no_encontrado' },
        path: { id: '100000000008' },
      },
      {
        operation: 'cancelarGuia',
        name: 'Cancelar lo que ya se entregó',
        ...{ status: 409, codigo: 'transicion_invalida' },
        path: { id: '{{guia}}' },
      },
      {
        operation: 'editarGuia',
        name: 'Cambiar una versión que ya no es la actual',
        ...{ status: 412, codigo: 'version_obsoleta' },
        path: { id: '{{guia4}}' },
        headers: { 'If-Match': '"0"' },
        body: { notas: 'Llamar antes' },
      },
      {
        operation: 'verSolicitud',
        name: 'Qué respondió una solicitud: con el X-Request-Id de una suya, unos segundos después',
        ...{ status: 404, codigo: 'no_encontrado' },
        path: { id: 'una-que-no-existe' },
      },
    ],
  },
];
