// The methods that all clients have, besides `crear`, `crearLote` and `pedir`. `clients/generate.mjs` writes them in each language;
// method, path and parameters come from openapi.json.
//
// nombre     of the method, in a group where it has a dot before it
// operacion  `operationId`
// cuerpo     name of the argument that is the body
// campos     names of arguments that are fields of the body; `?` where it may be left out
// opciones   the last argument holds more fields of the body
// lista      the answer's list: the method goes through all of its items, on all pages
// objeto     the answer's only object, which the method returns; without both, the whole answer
// bytes      the answer is a file
// repetible  a POST whose repeat changes nothing
export const METODOS = [
  { nombre: 'listar', operacion: 'listarGuias', lista: 'guias' },
  { nombre: 'ver', operacion: 'obtenerGuia', objeto: 'guia' },
  { nombre: 'editar', operacion: 'editarGuia', cuerpo: 'cambios', objeto: 'guia' },
  { nombre: 'cancelar', operacion: 'cancelarGuia', campos: ['nota?'], objeto: 'guia', repetible: true },
  { nombre: 'eventos', operacion: 'listarEventos', lista: 'eventos' },
  { nombre: 'pedirUbicacion', operacion: 'pedirUbicacion', objeto: 'guia' },
  { nombre: 'etiqueta', operacion: 'imprimirEtiqueta', bytes: true },
  {
    nombre: 'etiquetas',
    operacion: 'imprimirEtiquetas',
    campos: ['guias'],
    opciones: true,
    bytes: true,
    repetible: true,
  },
  { nombre: 'cobros', operacion: 'listarCobros', lista: 'cobros' },
  { nombre: 'resumenDeCobros', operacion: 'resumirCobros' },
  { nombre: 'liquidaciones', operacion: 'listarLiquidaciones', lista: 'liquidaciones' },
  { nombre: 'liquidacion', operacion: 'verLiquidacion', objeto: 'liquidacion' },
  { nombre: 'cobrosDeLiquidacion', operacion: 'listarCobrosDeLiquidacion', lista: 'cobros' },
  { nombre: 'solicitud', operacion: 'verSolicitud', objeto: 'solicitudes' },
  { nombre: 'lugares', operacion: 'listarLugares' },
  { nombre: 'webhooks.crear', operacion: 'crearWebhook', cuerpo: 'webhook' },
  { nombre: 'webhooks.listar', operacion: 'listarWebhooks', lista: 'webhooks' },
  { nombre: 'webhooks.ver', operacion: 'obtenerWebhook', objeto: 'webhook' },
  { nombre: 'webhooks.editar', operacion: 'editarWebhook', cuerpo: 'cambios', objeto: 'webhook' },
  { nombre: 'webhooks.eliminar', operacion: 'eliminarWebhook' },
  { nombre: 'webhooks.rotar', operacion: 'rotarSecreto' },
  { nombre: 'webhooks.probar', operacion: 'probarWebhook', objeto: 'entrega' },
  { nombre: 'webhooks.reenviar', operacion: 'reenviarEntregas', cuerpo: 'seleccion' },
  { nombre: 'webhooks.entregas', operacion: 'listarEntregas', lista: 'entregas' },
  { nombre: 'webhooks.entrega', operacion: 'obtenerEntrega', objeto: 'entrega' },
  { nombre: 'pruebas.mensajes', operacion: 'listarMensajesDePrueba', lista: 'mensajes' },
  { nombre: 'pruebas.mover', operacion: 'moverGuiaDePrueba', cuerpo: 'evento' },
  {
    nombre: 'pruebas.simular',
    operacion: 'simularGuiaDePrueba',
    campos: ['guion'],
    opciones: true,
    objeto: 'simulacion',
    repetible: true,
  },
  { nombre: 'pruebas.simulacion', operacion: 'obtenerSimulacion', objeto: 'simulacion' },
];
