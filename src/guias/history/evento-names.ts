import { CAMPOS, FIELDS } from '../guia/guia-fields.js';
import type { Lugar } from '../guia/guia-row.js';

export const ORIGEN_NAMES: Record<string, string> = {
  pagina: 'en la página',
  whatsapp: 'por WhatsApp',
  sandbox: 'con una respuesta de prueba',
};

export const LUGAR_NAMES: Record<Lugar, string> = {
  destino: 'del destino',
  recogida: 'del punto de recogida',
};

export const CAMPO_NAMES: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(CAMPOS.map((campo) => [campo, FIELDS[campo].name])),
  recogida: 'punto de recogida',
};
