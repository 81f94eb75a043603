export const ACCIONES = {
  ver_telefono: 'Vio el teléfono',
  buscar_telefono: 'Buscó por teléfono',
  enviar_ahora: 'Envió un mensaje que esperaba',
  reenviar_mensaje: 'Pidió la ubicación',
  reintentar_entrega: 'Reenvió un aviso',
  corregir_cobro: 'Corrigió lo cobrado',
  deshacer: 'Deshizo el último cambio de estado',
  aplicar: 'Aplicó un cambio que había llegado tarde o de otro piloto',
  dar_de_baja: 'Anotó que no se escriba más a un número',
  quitar_baja: 'Anotó que se puede volver a escribir a un número',
  anotar_niega: 'Anotó que el paquete no es del destinatario',
  corregir_telefono: 'Corrigió el teléfono',
  corregir_destino: 'Corrigió el destino',
  corregir_palabras: 'Corrigió la dirección, la referencia o las notas',
  escribir_nota: 'Escribió una nota',
  ver_advertencia: 'Marcó una advertencia como vista',
  crear_comercio: 'Creó un comercio',
  cambiar_comercio: 'Cambió los datos de un comercio',
  cerrar_comercio: 'Cerró un comercio',
  reabrir_comercio: 'Reabrió un comercio',
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
  corregir_pago: 'Corrigió la referencia de un pago',
  crear_ajuste: 'Ajustó lo que se le paga a un comercio',
  quitar_ajuste: 'Quitó un ajuste de un comercio',
  mover_saldo: 'Anotó un movimiento en el saldo de un piloto',
  pedir_varias: 'Pidió la ubicación a varias guías',
  reenviar_varias: 'Envió otra vez varios mensajes',
  anotar_varias: 'Escribió una nota en varias guías',
  detener_varias: 'Detuvo una acción sobre varias guías',
  registrar: 'Registró lo que pasó con una guía',
  registrar_varias: 'Registró lo que pasó con varias guías',
  atender_causa: 'Marcó una causa como atendida hasta mañana',
  probar_endpoint: 'Probó un endpoint',
  liberar_endpoint: 'Activó un endpoint y envió lo que esperaba',
  reenviar_periodo: 'Reenvió los avisos de un período',
  reintentar_tarea: 'Reintentó una tarea del tablero',
  reintentar_cola: 'Reintentó las tareas fallidas de una cola',
} as const;

export type Accion = keyof typeof ACCIONES;

/** Actions that do nothing twice for the same form: their requests carry its `clave`, or change nothing where it is done. */
export const REPEATABLE: readonly Accion[] = [
  'cerrar_comercio',
  'reabrir_comercio',
  'asignar_guias',
  'escribir_nota',
  'crear_piloto',
  'recibir_caja',
  'liquidar',
  'pagar_liquidacion',
  'crear_ajuste',
  'mover_saldo',
  'pedir_varias',
  'reenviar_varias',
  'anotar_varias',
  'atender_causa',
  'detener_varias',
];

/** Where to look whether an action was done whose process died; of all others: the page that they were on. */
const CHECKED_IN: Partial<Record<Accion, string>> = {
  crear_comercio: 'en Comercios si el comercio ya está',
  crear_operador: 'en Operadores si el operador ya está',
  crear_clave: 'si la clave nueva ya aparece; revóquela si nadie la copió',
  rotar_clave: 'si la clave nueva ya aparece; revóquela si nadie la copió',
  crear_piloto: 'en Pilotos si el piloto ya está',
  hacer_enlace: 'si el piloto tiene enlace; haga otro, y el anterior deja de servir',
  probar_mensaje: 'en ese teléfono si el mensaje llegó',
  reenviar_mensaje: 'en los mensajes de la guía si ya salió otro',
  enviar_ahora: 'en los mensajes de la guía si ya salió',
  reintentar_entrega: 'en los avisos de la guía si ya se envió',
  reenviar_periodo: 'en el endpoint si los avisos ya van en camino',
  recibir_caja: 'en Cierre lo que el piloto todavía lleva',
  liquidar: 'en Cierre si la liquidación ya está por pagar',
  pagar_liquidacion: 'en Cierre si la liquidación todavía está por pagar',
  corregir_pago: 'en la liquidación qué referencia tiene',
  registrar: 'en el historial de la guía si ya quedó registrado',
  registrar_varias: 'en Despacho en qué estado quedó cada guía',
  quitar_ajuste: 'en el comercio si el ajuste sigue pendiente',
  asignar_guias: 'en Despacho qué guías ya tiene el piloto',
};

/** Notice of an action whose process died. */
export function interruptedNota(accion: Accion): string {
  const where = CHECKED_IN[accion] ?? 'en la página si ya quedó hecho';
  return `Se interrumpió: el servicio se detuvo antes de terminar. Antes de repetirlo, vea ${where}.`;
}

export const RESULTADOS = {
  en_curso: 'sin terminar',
  hecho: 'hecho',
  rechazado: 'rechazado',
  fallo: 'falló',
  interrumpida: 'se interrumpió',
} as const;

export type Resultado = keyof typeof RESULTADOS;
