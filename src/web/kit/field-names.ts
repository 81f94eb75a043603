import { capitalised } from '../../platform/validation/text.js';

const FIELD_NAMES: Record<string, string> = {
  '': 'No importar',
  guia: 'Número de guía',
  external_ref: 'Pedido',
  telefono: 'Teléfono',
  direccion: 'Dirección',
  cod_amount: 'Por cobrar',
  maps_url: 'Enlace de mapa',
  lat: 'Latitud',
  lng: 'Longitud',
  recogida: 'Dónde se recoge',
  'recogida.lat': 'Recogida: latitud',
  'recogida.lng': 'Recogida: longitud',
  'recogida.maps_url': 'Recogida: enlace',
  'recogida.nombre': 'Recogida: nombre',
  'recogida.direccion': 'Recogida: dirección',
  alcances: 'Qué puede',
  etiqueta: 'Para quién o para qué es',
  vence: 'Último día en que funciona',
  api_key: 'Clave de API',
  nota: 'Nota',
  texto: 'Nota',
  motivo: 'Por qué',
  advertencia: 'Qué pasa',
  confirmada: 'Su puerta',
  cod_cobrado: 'Lo que se cobró',
  pago: 'Cómo se pagó',
  recibio: 'Quién recibió',
  pin: 'PIN',
  ocurrido_en: 'A qué hora',
  referencia_pago: 'Referencia del pago',
  telefono_contacto: 'WhatsApp',
  pais: 'País',
  lugar: 'Lugar',
  otra_igual: 'Otro envío igual',
  sin_cobro: 'Sin cobro',
  tienda: 'Su tienda',
  url: 'Dirección del puente',
  quitar_destino: 'Quitar el lugar',
  tamano: 'Tamaño',
};

/** How people call a field; of a file also a part of one, `direccion_2`, and a column, `columna.3` from 0. */
export function fieldName(campo: string): string {
  const [, whole, n] = /^(nombre|direccion)_(\d)$/.exec(campo) ?? [];
  if (whole !== undefined) return `${fieldName(whole)}, parte ${n}`;
  if (campo.startsWith('columna.')) return `Columna ${Number(campo.slice(8)) + 1}`;
  return FIELD_NAMES[campo] ?? capitalised(campo);
}
