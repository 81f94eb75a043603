/** Why a parcel that was on its way came back to the depot without an attempt; no failed attempt has it. */
export const SIN_TIEMPO = 'sin_tiempo';

/** Codes of why a parcel on its way was not delivered, and their meaning for people. */
export const MOTIVOS = {
  ausente: 'no había quien recibiera',
  telefono_no_responde: 'el destinatario no contestó el teléfono',
  direccion_incorrecta: 'la dirección no existe o no es la del destinatario',
  fuera_de_cobertura: 'el mensajero no llega a esa zona',
  rechazado: 'el destinatario no quiso el envío',
  sin_efectivo: 'el destinatario no tenía con qué pagar',
  reprogramado: 'el destinatario pidió otra fecha',
  zona_insegura: 'no era seguro entrar a la zona',
  clima: 'el clima no lo permitió',
  acceso_cerrado: 'no dejaron pasar: garita, portón, edificio',
  [SIN_TIEMPO]: 'no alcanzó el día para intentarlo',
} as const;

export type Motivo = keyof typeof MOTIVOS;

/** The same in a few words, for merchants. */
export const SHORT_MOTIVOS: Readonly<Record<Motivo, string>> = {
  ausente: 'No había nadie',
  telefono_no_responde: 'No contestó el teléfono',
  direccion_incorrecta: 'No hallaron la casa',
  fuera_de_cobertura: 'No llegan a esa zona',
  rechazado: 'No lo quiso',
  sin_efectivo: 'No tenía dinero',
  reprogramado: 'Pidió otro día',
  zona_insegura: 'No era seguro entrar',
  clima: 'El clima no lo permitió',
  acceso_cerrado: 'No los dejaron pasar',
  [SIN_TIEMPO]: 'No alcanzó el día',
};

export const MOTIVO_CODES = Object.keys(MOTIVOS) as Motivo[];
