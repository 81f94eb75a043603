/** What someone should look at on a guide: codes for programs, and what each means for the documentation. */
export const GUIA_ADVERTENCIAS = {
  mensaje_fallido: 'no se pudo entregar el mensaje de confirmación al destinatario; revise el teléfono',
  mensaje_omitido_limite: 'el número ya recibió el máximo de mensajes de 24 horas y no se envió otro',
  mensaje_omitido_baja: 'el destinatario pidió no recibir mensajes',
} as const;

export type GuiaAdvertencia = keyof typeof GUIA_ADVERTENCIAS;

/** Those that the recipient's answer settles. */
export const ADVERTENCIAS_DE_MENSAJE = Object.keys(GUIA_ADVERTENCIAS) as GuiaAdvertencia[];
