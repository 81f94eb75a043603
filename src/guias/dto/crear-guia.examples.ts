/** Request bodies for the documentation; all are valid. */
export const CREAR_GUIA_EXAMPLES = {
  con_coordenadas: {
    summary: 'Con coordenadas: la dirección queda confirmada',
    value: {
      external_ref: 'pedido-1042',
      nombre: 'Ana López',
      telefono: '5555 1234',
      departamento: 'Guatemala',
      municipio: 'Mixco',
      direccion: '4a calle 5-10, zona 1',
      referencia: 'Portón verde, frente a la escuela',
      contenido: 'Zapatos, talla 38',
      cod_amount: 349.5,
      lat: 14.6407,
      lng: -90.5133,
      recogida: { lat: 14.6349, lng: -90.5069, nombre: 'Bodega central' },
    },
  },
  sin_coordenadas: {
    summary: 'Sin coordenadas: se pide la ubicación al destinatario',
    value: {
      external_ref: 'pedido-1043',
      nombre: 'Luis Pérez',
      telefono: '+502 5555 4321',
      departamento: 'Sacatepéquez',
      municipio: 'Antigua Guatemala',
      contenido: 'Libros',
      recogida: { lat: 14.6349, lng: -90.5069 },
    },
  },
  se_confirma_sola: {
    summary: 'De prueba (sandbox): el teléfono terminado en 0001 confirma solo a los 2 segundos',
    value: {
      external_ref: 'pedido-1045',
      telefono: '5555 0001',
      departamento: 'Guatemala',
      municipio: 'Mixco',
      recogida: { lat: 14.6349, lng: -90.5069 },
    },
  },
  con_enlaces: {
    summary: 'Con enlaces de mapa, como los que se comparten por chat',
    value: {
      external_ref: 'pedido-1044',
      telefono: '+502 5555 8765',
      departamento: 'Quetzaltenango',
      municipio: 'Quetzaltenango',
      maps_url: 'https://www.google.com/maps/search/?api=1&query=14.8347,-91.5181',
      recogida: { maps_url: 'https://waze.com/ul?ll=14.6349,-90.5069&navigate=yes' },
    },
  },
};
