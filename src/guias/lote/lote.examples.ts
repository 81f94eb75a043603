const GUIAS = [
  {
    external_ref: 'pedido-2001',
    nombre: 'Ana López',
    telefono: '5555 1234',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    direccion: '4a calle 5-10, zona 1',
    cod_amount: 349.5,
    recogida: { lat: 14.6349, lng: -90.5069, nombre: 'Bodega central' },
  },
  {
    external_ref: 'pedido-2002',
    telefono: '+502 5555 4321',
    departamento: 'Sacatepéquez',
    municipio: 'Antigua Guatemala',
    maps_url: '14.5586, -90.7295',
    recogida: { lat: 14.6349, lng: -90.5069 },
  },
];

const CSV = [
  'external_ref;nombre;telefono;departamento;municipio;direccion;cod_amount;recogida.lat;recogida.lng',
  'pedido-2003;Ana López;5555 1234;Guatemala;Mixco;4a calle 5-10, zona 1;349,50;14,6349;-90,5069',
  'pedido-2004;Luis Pérez;+502 5555 4321;Sacatepéquez;Antigua Guatemala;;;14,6349;-90,5069',
].join('\n');

/** The bodies of a batch for the documentation; all are valid. */
export const LOTE_EXAMPLES = { dos: { summary: 'Dos guías', value: { guias: GUIAS } } };

export const LOTE_CSV = {
  schema: { type: 'string' as const },
  examples: { dos: { summary: 'Dos filas, con coma decimal', value: CSV } },
};
