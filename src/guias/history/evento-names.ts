import type { EditableCampo } from '../changes/editable-fields.js';
import type { Lugar } from '../guia/guia-row.js';

/** The way by which a recipient's answer came. */
export const ORIGEN_NAMES: Record<string, string> = {
  pagina: 'en la página',
  whatsapp: 'por WhatsApp',
  sandbox: 'con una respuesta de prueba',
};

/** The place that a map link is of. */
export const LUGAR_NAMES: Record<Lugar, string> = {
  destino: 'del destino',
  recogida: 'del punto de recogida',
};

/** Fields of a guide. */
export const CAMPO_NAMES: Record<EditableCampo | 'recogida', string> = {
  telefono: 'teléfono',
  nombre: 'destinatario',
  departamento: 'departamento',
  municipio: 'municipio',
  direccion: 'dirección',
  referencia: 'punto de referencia',
  contenido: 'contenido',
  notas: 'notas',
  cod_amount: 'monto por cobrar',
  lat: 'destino',
  lng: 'destino',
  maps_url: 'destino',
  recogida: 'punto de recogida',
};
