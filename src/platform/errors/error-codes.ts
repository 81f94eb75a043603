export interface ErrorDefinition {
  /** HTTP status. */
  readonly status: number;
  /** Short and the same for every occurrence of the status (RFC 9457 `title`). */
  readonly title: string;
  /** Default of the answer's `detail`: what to do next. */
  readonly detail: string;
  /** When it happens, for the documentation. */
  readonly when: string;
  /** Level of its log line; a merchant's mistake has none. */
  readonly log?: 'warn' | 'error';
  /** s; the `Retry-After` of its answers, unless the error sets its own. */
  readonly retryAfterS?: number;
}

/** The error registry, used by the filter and the OpenAPI document; a test compares the docs with it. */
export const ERRORS = {
  validacion: {
    status: 400,
    title: 'Solicitud inválida',
    detail: 'Revise los campos indicados en `errores`.',
    when: 'Uno o más campos no son válidos; `errores` nombra hasta 50.',
  },
  json_invalido: {
    status: 400,
    title: 'Solicitud inválida',
    detail: 'El cuerpo no es JSON válido en UTF-8. Revise comillas, comas y codificación.',
    when: 'El cuerpo no es JSON, no está en UTF-8 o tiene demasiados niveles.',
  },
  http_invalido: {
    status: 400,
    title: 'Solicitud inválida',
    detail: 'La solicitud no es HTTP válido. Revise el programa que la envía, y el proxy por el que pasa.',
    when: 'La solicitud no es HTTP válido, su cuerpo no llegó entero, o no tiene un solo encabezado `Host`.',
  },
  csv_invalido: {
    status: 400,
    title: 'Solicitud inválida',
    detail:
      'El archivo no es CSV. Parta de `GET /api/v1/guias/lote/plantilla.csv` y guárdelo como CSV UTF-8.',
    when: 'El archivo no es CSV, está vacío, perdió sus saltos de línea o está en otra codificación.',
  },
  cursor_invalido: {
    status: 400,
    title: 'Solicitud inválida',
    detail:
      'Envíe `siguiente_cursor` tal como lo recibió y con los mismos filtros, o empiece de nuevo sin `cursor`.',
    when: 'El cursor fue modificado, es de otro comercio o se usó con otros filtros.',
  },
  no_autenticado: {
    status: 401,
    title: 'No autenticado',
    detail: 'Envíe una clave vigente en el encabezado `Authorization: Bearer <clave>`.',
    when: 'Falta la clave de API, o está mal escrita, vencida, revocada o no existe.',
  },
  sin_permiso: {
    status: 403,
    title: 'Sin permiso',
    detail:
      'La clave es válida, pero no tiene permiso para esta operación. Pida una con el alcance necesario.',
    when: 'La clave es válida, pero no tiene el alcance necesario.',
  },
  requiere_clave_de_prueba: {
    status: 403,
    title: 'Sin permiso',
    detail:
      'Esta ruta es solo para pruebas: use una clave de prueba (`gk_test_…`) del mismo comercio, y una guía creada con ella.',
    when: 'La ruta es solo para pruebas, y la clave no es de prueba.',
  },
  comercio_cerrado: {
    status: 403,
    title: 'Sin permiso',
    detail:
      'El comercio está cerrado: sus claves solo leen. Si vuelve a trabajar, pida a la mensajería que lo reabra.',
    when: 'El comercio está cerrado, y sus claves solo leen.',
  },
  no_encontrado: {
    status: 404,
    title: 'No encontrado',
    detail: 'No existe, o pertenece a otro comercio. Revise la dirección y el identificador.',
    when: 'La ruta o el recurso no existe, o es de otro comercio.',
  },
  metodo_no_permitido: {
    status: 405,
    title: 'Método no permitido',
    detail: 'Use uno de los métodos del encabezado `Allow`.',
    when: 'La ruta existe, pero con otro método; `Allow` los nombra.',
  },
  solicitud_lenta: {
    status: 408,
    title: 'Solicitud demasiado lenta',
    detail: 'La solicitud llegó demasiado despacio. Revise la conexión y repítala.',
    when: 'La solicitud llegó demasiado despacio.',
  },
  transicion_invalida: {
    status: 409,
    title: 'Cambio de estado inválido',
    detail: 'La guía no puede pasar de su estado actual al pedido.',
    when: 'El estado actual de la guía no permite el cambio.',
  },
  guia_no_modificable: {
    status: 409,
    title: 'Guía no modificable',
    detail: 'El estado de la guía ya no permite cambiar lo pedido.',
    when: 'El estado de la guía ya no permite cambiar un campo; `errores` lo nombra.',
  },
  nada_que_deshacer: {
    status: 409,
    title: 'Nada que deshacer',
    detail: 'El último cambio de estado no es de la mensajería, o se registró hace más de 7 días.',
    when: 'El último cambio de estado es la creación o del comercio, o se registró hace más de 7 días; el de un piloto, si no es suyo o pasaron más de 5 minutos.',
  },
  efectivo_entregado: {
    status: 409,
    title: 'Efectivo ya entregado',
    detail: 'El efectivo de la entrega ya se entregó a la bodega. Avísele: ella la deshace.',
    when: 'Página del piloto: el efectivo de la entrega que quiere deshacer ya lo recibió la bodega.',
  },
  pin_incorrecto: {
    status: 409,
    title: 'PIN incorrecto',
    detail:
      'El PIN no es el de esta guía. Pida al destinatario el que ve en su página, o envíe `sin_pin` con una `nota`.',
    when: 'El PIN de la entrega no es el de la guía.',
  },
  pin_agotado: {
    status: 409,
    title: 'PIN agotado',
    detail: 'Ya se probaron cinco PIN incorrectos para esta guía. Entregue con `sin_pin` y una `nota`.',
    when: 'Ya se probaron cinco PIN incorrectos para la guía.',
  },
  cobro_liquidado: {
    status: 409,
    title: 'Cobro ya liquidado',
    detail:
      'El cobro ya es parte de una liquidación. Para cambiarlo, repita con `ajustar: true`: la diferencia queda como ajuste, que la siguiente liquidación toma.',
    when: 'El cobro de la guía ya es parte de una liquidación.',
  },
  nada_por_liquidar: {
    status: 409,
    title: 'Nada por liquidar',
    detail: 'El comercio no tiene cobros sin liquidar hasta ese momento. Revise `hasta`.',
    when: 'El comercio no tiene cobros sin liquidar hasta ese momento.',
  },
  nada_por_entregar: {
    status: 409,
    title: 'Nada por entregar',
    detail: 'El piloto no lleva efectivo de esa moneda. Revise `moneda`, y vea su caja.',
    when: 'El piloto no lleva efectivo de esa moneda.',
  },
  liquidacion_demasiado_grande: {
    status: 409,
    title: 'Liquidación demasiado grande',
    detail: 'Son más de 20000 guías. Liquide primero con un `hasta` anterior.',
    when: 'La liquidación tendría más de 20000 guías; `hasta` de la respuesta es el último momento con el que cabe.',
  },
  neto_negativo: {
    status: 409,
    title: 'Neto negativo',
    detail:
      'Los ajustes pendientes quitan más de lo cobrado: no se liquidó nada, y todo sigue pendiente. Espere más cobros, o quite un ajuste.',
    when: 'Lo cobrado más los ajustes pendientes es menos que 0; no se liquidó nada.',
  },
  ajuste_liquidado: {
    status: 409,
    title: 'Ajuste liquidado',
    detail: 'El ajuste ya es parte de una liquidación. Haga otro con el monto contrario.',
    when: 'El ajuste ya es parte de una liquidación: no se quita.',
  },
  ajuste_automatico: {
    status: 409,
    title: 'Ajuste automático',
    detail:
      'El ajuste viene de un cambio de un cobro ya liquidado, y no se quita. Corrija el cobro otra vez.',
    when: 'El ajuste viene de un cambio de un cobro ya liquidado: no se quita.',
  },
  liquidacion_pagada: {
    status: 409,
    title: 'Liquidación ya pagada',
    detail: 'La liquidación ya tiene otro pago. Revise su `referencia_pago` con el comercio.',
    when: 'La liquidación ya se pagó, con otra referencia.',
  },
  limite_de_webhooks: {
    status: 409,
    title: 'Demasiados webhooks',
    detail: 'Se pueden tener hasta 20 webhooks. Elimine uno, o cambie uno que ya exista.',
    when: 'Ya tiene 20 webhooks.',
  },
  limite_de_archivos: {
    status: 409,
    title: 'Demasiados archivos',
    detail:
      'Ya hay 10 archivos suyos, o 50 MiB, y de todos se hicieron guías en la última hora. Espere a que pase, y suba el archivo otra vez.',
    when: 'Panel: de todos los archivos que se guardan del comercio se hicieron guías en la última hora.',
  },
  piloto_inactivo: {
    status: 409,
    title: 'Piloto inactivo',
    detail: 'El piloto está inactivo. Actívelo (`activo: true`) y repita la solicitud.',
    when: 'El piloto está inactivo: no recibe guías ni enlaces.',
  },
  guia_de_otro: {
    status: 409,
    title: 'Guía de otro piloto',
    detail: 'La guía ya la lleva otro piloto. Si la tiene en la mano, pida a su bodega que se la asigne.',
    when: 'Página del piloto: otro piloto tomó la guía antes, o se le asignó.',
  },
  simulacion_en_curso: {
    status: 409,
    title: 'Simulación en curso',
    detail: 'La guía ya tiene otra simulación en curso. Espere a que termine, o cree otra guía.',
    when: 'La guía ya tiene una simulación en curso, con otro guion.',
  },
  limite_de_simulaciones: {
    status: 409,
    title: 'Demasiadas simulaciones',
    detail: 'Puede haber hasta 50 simulaciones en curso a la vez. Espere a que terminen algunas.',
    when: 'El comercio ya tiene 50 simulaciones en curso.',
  },
  webhook_desactivado: {
    status: 409,
    title: 'Webhook desactivado',
    detail: 'El webhook está desactivado. Actívelo (`activo: true`) y repita la solicitud.',
    when: 'El webhook está desactivado.',
  },
  lugar_cambiado: {
    status: 409,
    title: 'Lugar cambiado',
    detail: 'Ya hay otro lugar marcado. Véalo, y repita con su `version` para cambiarlo.',
    when: 'Una confirmación trae la `version` de otro lugar: desde que se mostró, alguien guardó el de ahora.',
  },
  mensaje_no_permitido: {
    status: 409,
    title: 'Mensaje no permitido',
    detail: 'Al destinatario no se le puede enviar otro mensaje ahora. Llámelo, o corrija el teléfono.',
    when: 'El destinatario no recibe más mensajes ahora: pidió no recibirlos, ya recibió el máximo del día, o la guía no espera su respuesta.',
  },
  formulario_no_vigente: {
    status: 409,
    title: 'Formulario no vigente',
    detail: 'Vuelva a la página y repita la acción desde ahí.',
    when: 'Páginas de soporte y del panel: el formulario ya se usó, o no es de la página.',
  },
  tarea_no_fallida: {
    status: 409,
    title: 'Tarea no fallida',
    detail: 'Solo se reintenta una tarea fallida. Vuelva a cargar el tablero.',
    when: 'Tablero de colas: la tarea ya no está entre las fallidas.',
  },
  version_obsoleta: {
    status: 412,
    title: 'Versión obsoleta',
    detail: 'La guía cambió desde que la leyó. Léala otra vez y envíe su nuevo `ETag` en `If-Match`.',
    when: '`If-Match` nombra una versión de la guía que ya no es la actual.',
  },
  cuerpo_demasiado_grande: {
    status: 413,
    title: 'Cuerpo demasiado grande',
    detail: 'El cuerpo puede tener hasta 32 KiB; un lote de eventos, 512 KiB; uno de guías, 1 MiB.',
    when: 'El cuerpo pasa de 32 KiB; un lote de eventos, de 512 KiB; uno de guías, de 1 MiB.',
  },
  tipo_no_soportado: {
    status: 415,
    title: 'Tipo de contenido no soportado',
    detail:
      'Envíe el cuerpo como JSON, con `Content-Type: application/json`; un lote de guías, también como `text/csv`.',
    when: 'El cuerpo no se envió como `application/json`; un lote de guías, tampoco como `text/csv`; o vino comprimido.',
  },
  expectativa_no_soportada: {
    status: 417,
    title: 'Expectativa no soportada',
    detail: 'El servicio no puede cumplir lo que pide `Expect`. Quite ese encabezado.',
    when: 'El encabezado `Expect` pide algo distinto de `100-continue`.',
  },
  precision_baja: {
    status: 422,
    title: 'Posición poco exacta',
    detail: 'La posición tiene más de 100 m de error. Envíe un punto exacto, o `precision_aceptada: true`.',
    when: 'Una confirmación trae una `precision_m` de más de 100 m sin `precision_aceptada: true`.',
  },
  enlace_sin_coordenadas: {
    status: 422,
    title: 'Enlace no utilizable',
    detail: 'El enlace no contiene coordenadas. Comparta un pin, o envíe `lat` y `lng`.',
    when: 'El enlace no contiene coordenadas: el del punto de recogida, o uno que tampoco nombra un lugar.',
  },
  enlace_no_soportado: {
    status: 422,
    title: 'Enlace no utilizable',
    detail:
      'El enlace no es de un servicio de mapas conocido. Use Google Maps, Waze o Apple Maps, o envíe `lat` y `lng`.',
    when: 'El enlace no es de un servicio de mapas conocido.',
  },
  enlace_roto: {
    status: 422,
    title: 'Enlace no utilizable',
    detail: 'El servicio de mapas dice que el enlace no existe. Pida uno nuevo, o envíe `lat` y `lng`.',
    when: 'El servicio de mapas dice que el enlace no existe.',
  },
  demasiadas_solicitudes: {
    status: 429,
    title: 'Demasiadas solicitudes',
    detail: 'Espere los segundos que indica `Retry-After` y vuelva a intentar.',
    when: 'Pasó el límite por minuto de la clave, o el de claves incorrectas de la dirección IP.',
  },
  encabezados_excesivos: {
    status: 431,
    title: 'Demasiados encabezados',
    detail: 'La solicitud puede tener hasta 100 encabezados, de 16 KiB en total. Quite los que sobren.',
    when: 'La solicitud tiene más de 100 encabezados, o pasan de 16 KiB en total.',
  },
  error_interno: {
    status: 500,
    title: 'Error interno',
    detail:
      'Es un defecto nuestro. Repita la misma solicitud; una guía sin `external_ref` ni `Idempotency-Key`, o un webhook, solo si no está ya en la lista. Si sigue, dé a soporte el valor de `instance`.',
    when: 'Un defecto del servicio.',
    log: 'error',
  },
  no_disponible: {
    status: 503,
    title: 'Servicio no disponible',
    detail:
      'Repita la misma solicitud tras los segundos de `Retry-After`. Una guía sin `external_ref` ni `Idempotency-Key`, o un webhook, solo si no está ya en la lista.',
    when: 'La base de datos no responde o tarda demasiado; `Retry-After` dice cuánto esperar.',
    log: 'warn',
    retryAfterS: 1,
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;

export const FIELD_ERRORS = {
  requerido: 'Falta un campo obligatorio.',
  tipo: 'El valor es de otro tipo.',
  formato: 'El valor no tiene la forma esperada.',
  fuera_de_rango: 'El valor pasa de sus límites.',
  demasiado_largo: 'El texto tiene demasiados caracteres.',
  campo_desconocido: 'El campo no existe; el mensaje dice cuál puede ser.',
  incompleto: 'Falta la otra mitad de un par (`lat` y `lng`).',
} as const;

export type FieldErrorCode = keyof typeof FIELD_ERRORS;
