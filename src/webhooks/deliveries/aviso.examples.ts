import { ID_EXAMPLES } from '../../platform/openapi/answer-fields.js';
import type { GuiaDetalleDto } from '../../guias/dto/guia.dto.js';
import { ofEachText } from '../../guias/guia/guia-fields.js';
import { testBody, webhookBody, type AnnouncedEvento } from './payload.js';
import { ACTUALIZADA, PAGADA, type GuiaWebhookEvento } from '../endpoints/webhook-evento.js';
import type { AvisoDeOperacionesDto, AvisoDePruebaDto, AvisoDto } from './aviso.dto.js';

const GUIA: GuiaDetalleDto = {
  guia: '483920175567',
  id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
  external_ref: 'pedido-1042',
  estado: 'aceptado',
  destinatario: 'Ana López',
  telefono: '+50255551234',
  direccion: '4a calle 5-10, zona 1',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  ...ofEachText(({ example }) => example),
  notas: null,
  cod_amount: 349.5,
  direccion_confirmada: true,
  creada_en: '2026-11-21T15:04:05.123Z',
  actualizada_en: '2026-11-21T15:04:05.123Z',
  moneda: 'GTQ',
  cod_cobrado: null,
  pago: null,
  advertencias: [],
  pendientes: [],
  seguimiento: 'https://guias.example.com/c/AaH-os8Dfz-cRCuObw0aVwJ3mYq0xKf1s9bUeZcGqN4',
  recogida: {
    lat: 14.6349,
    lng: -90.5069,
    maps_url: null,
    nombre: 'Bodega central',
    direccion: '7a avenida 12-30, zona 4',
  },
  destino: { lat: 14.6407, lng: -90.5133, maps_url: null },
};

interface Example extends Pick<AnnouncedEvento, 'secuencia' | 'estado_anterior' | 'motivo' | 'detalles'> {
  at: string;
  guia: Partial<GuiaDetalleDto>;
}

const EXAMPLES: Record<GuiaWebhookEvento, Example> = {
  'guia.creada': {
    at: GUIA.creada_en,
    secuencia: 1,
    estado_anterior: null,
    guia: { direccion_confirmada: false, destino: { lat: null, lng: null, maps_url: null } },
  },
  'guia.confirmada': { at: '2026-11-21T15:09:31.504Z', secuencia: 2, estado_anterior: null, guia: {} },
  'guia.estado_cambiado': {
    at: '2026-11-22T17:40:12.008Z',
    secuencia: 6,
    estado_anterior: 'en_ruta',
    motivo: 'ausente',
    detalles: { nota: 'Volver el lunes' },
    guia: { estado: 'intento_fallido' },
  },
  'guia.mensaje_fallido': {
    at: '2026-11-22T15:04:09.771Z',
    secuencia: 2,
    estado_anterior: null,
    motivo: '131026',
    guia: {
      direccion_confirmada: false,
      destino: { lat: null, lng: null, maps_url: null },
      advertencias: ['mensaje_fallido'],
    },
  },
  'guia.destinatario_niega': {
    at: '2026-11-21T15:07:44.310Z',
    secuencia: 2,
    estado_anterior: null,
    guia: {
      direccion_confirmada: false,
      destino: { lat: null, lng: null, maps_url: null },
      advertencias: ['destinatario_niega'],
    },
  },
  'guia.estado_corregido': {
    at: '2026-11-22T18:02:40.512Z',
    secuencia: 7,
    estado_anterior: 'entregado',
    motivo: 'Se marcó otra guía',
    guia: { estado: 'en_ruta' },
  },
  'guia.advertencia': {
    at: '2026-11-22T18:02:40.512Z',
    secuencia: 8,
    estado_anterior: null,
    detalles: { codigo: 'entrega_lejos' },
    guia: { estado: 'entregado', cod_cobrado: 349.5, pago: 'efectivo', advertencias: ['entrega_lejos'] },
  },
  'guia.destinatario_no_recibio': {
    at: '2026-11-23T09:12:05.118Z',
    secuencia: 9,
    estado_anterior: null,
    detalles: { nota: 'Estuve en casa y no vino nadie' },
    guia: {
      ...{ estado: 'entregado', cod_cobrado: 349.5, pago: 'efectivo' },
      advertencias: ['destinatario_no_recibio'],
    },
  },
  'guia.cancelada': {
    at: '2026-11-21T16:20:00.250Z',
    secuencia: 3,
    estado_anterior: 'aceptado',
    detalles: { nota: 'El cliente ya no lo quiere' },
    guia: { estado: 'cancelado' },
  },
};

/** The body of one message of each type. */
export const AVISO_EXAMPLES = Object.fromEntries(
  Object.entries(EXAMPLES).map(([tipo, { at, guia: differences, ...example }]) => {
    const guia = { ...GUIA, ...differences, actualizada_en: at };
    const evento = {
      ...example,
      tipo,
      en: new Date(at),
      estado: guia.estado,
      detalles: { ocurrido_en: at, ...example.detalles },
    };
    return [tipo, JSON.parse(webhookBody(evento, guia)) as AvisoDto];
  }),
) as Record<GuiaWebhookEvento, AvisoDto>;

const { pendientes: _, seguimiento: __, ...OPERATOR_GUIA } = GUIA;

export const OPERATOR_EXAMPLE = JSON.parse(
  webhookBody(
    {
      tipo: ACTUALIZADA,
      en: new Date('2026-11-21T16:20:00.250Z'),
      secuencia: 3,
      estado: GUIA.estado,
      estado_anterior: null,
      detalles: { ocurrido_en: '2026-11-21T16:20:00.250Z', campos: ['telefono'] },
    },
    {
      ...OPERATOR_GUIA,
      ...{ comercio: { id: ID_EXAMPLES.comercio, nombre: 'Zapatos Ana' }, piloto: null },
    },
  ),
) as AvisoDeOperacionesDto;

export const PAGADA_EXAMPLE = {
  type: PAGADA,
  timestamp: '2026-11-23T15:30:00.000Z',
  data: {
    liquidacion: {
      id: '01a1fe09-0d14-7104-84ef-54713d38e9d6',
      comercio: '01a1fe09-0d14-7104-84ef-54713d38e9d7',
      moneda: 'GTQ',
      guias: 12,
      cobrado: 4193.5,
      ajustes: -100,
      neto: 4093.5,
      desde: '2026-11-15T16:20:11.042Z',
      hasta: '2026-11-21T23:59:59.999Z',
      creada_en: '2026-11-22T14:00:00.000Z',
      pagada_en: '2026-11-23T15:30:00.000Z',
      referencia_pago: 'TRF-20261123-0042',
    },
  },
};

export const PRUEBA_EXAMPLE = JSON.parse(
  testBody('01a1fe09-0d14-7104-84ef-54713d38e9d6', new Date(GUIA.creada_en)),
) as AvisoDePruebaDto;
