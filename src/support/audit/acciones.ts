/** Support's actions, with their names in the audit log. */
export const ACCIONES = {
  ver_telefono: 'Vio el teléfono',
  buscar_telefono: 'Buscó por teléfono',
  enviar_ahora: 'Envió un mensaje que esperaba',
  reenviar_mensaje: 'Pidió la ubicación',
  reintentar_entrega: 'Reenvió un aviso',
  deshacer: 'Deshizo el último cambio de estado',
  dar_de_baja: 'Anotó que no se escriba más a un número',
  anotar_niega: 'Anotó que el paquete no es del destinatario',
  corregir_telefono: 'Corrigió el teléfono',
  corregir_destino: 'Corrigió el destino',
  escribir_nota: 'Escribió una nota',
  ver_advertencia: 'Marcó una advertencia como vista',
  crear_comercio: 'Creó un comercio',
  cambiar_comercio: 'Cambió los datos de un comercio',
  crear_operador: 'Creó un operador',
  crear_clave: 'Creó una clave de API',
  rotar_clave: 'Rotó una clave de API',
  revocar_clave: 'Revocó una clave de API',
  probar_mensaje: 'Envió un mensaje de prueba',
  asignar_guias: 'Asignó guías a un piloto',
  imprimir_etiquetas: 'Imprimió etiquetas',
  crear_piloto: 'Creó un piloto',
  cambiar_piloto: 'Cambió los datos de un piloto',
  hacer_enlace: 'Hizo el enlace de un piloto',
  recibir_caja: 'Recibió el efectivo de un piloto',
  liquidar: 'Liquidó lo cobrado de un comercio',
  pagar_liquidacion: 'Registró el pago de una liquidación',
  pedir_varias: 'Pidió la ubicación a varias guías',
  reenviar_varias: 'Envió otra vez varios mensajes',
  anotar_varias: 'Escribió una nota en varias guías',
  atender_causa: 'Marcó una causa como atendida hasta mañana',
  probar_endpoint: 'Probó un endpoint',
  liberar_endpoint: 'Activó un endpoint y envió lo que esperaba',
  reenviar_periodo: 'Reenvió los avisos de un período',
  reintentar_tarea: 'Reintentó una tarea del tablero',
  reintentar_cola: 'Reintentó las tareas fallidas de una cola',
} as const;

export type Accion = keyof typeof ACCIONES;

/** How an action ended. */
export const RESULTADOS = {
  en_curso: 'sin terminar',
  hecho: 'hecho',
  rechazado: 'rechazado',
  fallo: 'falló',
} as const;

export type Resultado = keyof typeof RESULTADOS;
