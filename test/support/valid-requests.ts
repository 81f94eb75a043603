import {
  CrearAjusteDto,
  ListarAjustesDeOperacionesDto,
  ListarAjustesDto,
} from '../../src/cobros/dto/ajuste.dto.js';
import {
  ListarCobrosDeOperacionesDto,
  ListarCobrosDto,
  PaginarCobrosDeOperacionesDto,
  PaginarCobrosDto,
  ResumirCobrosDto,
} from '../../src/cobros/dto/cobro.dto.js';
import {
  PedirEtiquetaDeOperacionesDto,
  PedirEtiquetaDto,
  PedirEtiquetasDto,
} from '../../src/etiquetas/etiqueta.dto.js';
import {
  LiquidarDto,
  ListarLiquidacionesDeOperacionesDto,
  ListarLiquidacionesDto,
  PagarDto,
} from '../../src/cobros/dto/liquidacion.dto.js';
import {
  ConfirmarDto,
  NegarDto,
  NoEscribirDto,
  NoRecibiDto,
} from '../../src/confirmations/dto/confirmar.dto.js';
import { CancelarGuiaDto } from '../../src/guias/dto/cancelar-guia.dto.js';
import { CrearGuiaDto } from '../../src/guias/dto/crear-guia.dto.js';
import { DeshacerDto } from '../../src/guias/dto/deshacer.dto.js';
import { EditarEntregaDto, EditarGuiaDto } from '../../src/guias/dto/editar-guia.dto.js';
import { CrearLoteDto } from '../../src/guias/lote/lote.dto.js';
import { ListarEventosDto } from '../../src/guias/dto/evento.dto.js';
import { ListarLugaresDto } from '../../src/guias/dto/lugares.dto.js';
import { ListarGuiasDto } from '../../src/guias/dto/listar-guias.dto.js';
import {
  ListarEventosDeOperacionesDto,
  ListarGuiasDeOperacionesDto,
} from '../../src/operations/guias/guia-de-operaciones.dto.js';
import { CorregirCobroDto } from '../../src/guias/dto/corregir-cobro.dto.js';
import {
  EventoDeLoteDto,
  LoteDto,
  RegistrarEventoDto,
} from '../../src/operations/dto/registrar-evento.dto.js';
import {
  BuscarDto,
  DeshacerDePilotoDto,
  EntendidosDto,
  EventoDePilotoDto,
  LoteDePilotoDto,
  TomarDto,
} from '../../src/web/ruta/ruta.dto.js';
import { ListarBajasDto } from '../../src/notifications/inbound/dto/baja.dto.js';
import { ListarAvisosDto } from '../../src/webhooks/avisos/aviso-guardado.dto.js';
import { ListarEntregasDto, ReenviarDto } from '../../src/webhooks/deliveries/entrega.dto.js';
import {
  CrearWebhookDeOperacionesDto,
  CrearWebhookDto,
  EditarWebhookDeOperacionesDto,
  EditarWebhookDto,
  RotarSecretoDto,
} from '../../src/webhooks/endpoints/webhook.dto.js';
import { EntregarCajaDto, ListarEntregasDeCajaDto } from '../../src/pilotos/caja/caja.dto.js';
import { MoverSaldoDto } from '../../src/pilotos/caja/saldo.dto.js';
import { CrearPilotoDto, EditarPilotoDto, ListarPilotosDto } from '../../src/pilotos/dto/piloto.dto.js';
import { AsignarDto } from '../../src/pilotos/asignaciones/asignacion.dto.js';
import { HacerEnlaceDto } from '../../src/pilotos/enlace/enlace.dto.js';
import { PuntoDto } from '../../src/web/panel/recogidas/recogidas.service.js';
import { ListarMensajesDePruebaDto } from '../../src/pruebas/dto/mensaje-de-prueba.dto.js';
import { SimularDto } from '../../src/pruebas/dto/simulacion.dto.js';
import { ModoDto } from '../../src/platform/validation/modo.dto.js';
import { NoFields } from '../../src/platform/validation/no-fields.dto.js';
import type { DtoClass } from '../../src/platform/validation/dto-fields.js';

const place = { lat: 14.6349, lng: -90.5069, maps_url: '14.6407, -90.5133' };
const destination = {
  ...place,
  telefono: '5555 1234',
  direccion: '4a calle\n5-10',
  referencia: 'Portón ñ',
  notas: 'x',
};
const event = {
  ...place,
  maps_url: undefined,
  estado: 'intento_fallido',
  motivo: 'ausente',
  nota: 'Nadie abrió',
  ocurrido_en: '2026-01-02T03:04:05-06:00',
  ref: 'ruta-7',
};
const webhook = {
  url: 'https://tienda.example/avisos',
  eventos: ['guia.creada', 'guia.cancelada', 'guia.creada'],
  descripcion: 'Tienda',
};

/** Each class that a request is read as, with a valid request of all fields that may go together. */
export const VALID_REQUESTS: [type: DtoClass, valid: Record<string, unknown>][] = [
  [
    CrearGuiaDto,
    {
      ...destination,
      departamento: 'Guatemala',
      municipio: 'Mixco',
      nombre: 'Ana López',
      contenido: 'Zapatos',
      cod_amount: 349.5,
      external_ref: 'pedido-1042',
      recogida: { ...place, nombre: 'Bodega', direccion: '7a avenida' },
    },
  ],
  [CrearLoteDto, { guias: [{ telefono: 5 }, null] }],
  [EditarGuiaDto, destination],
  [PuntoDto, { ...place, nombre: 'Bodega', direccion: '7a avenida' }],
  [CancelarGuiaDto, { nota: 'El cliente ya no lo quiere' }],
  [RegistrarEventoDto, event],
  [
    EventoDeLoteDto,
    {
      ...event,
      motivo: undefined,
      estado: 'entregado',
      cod_cobrado: 10.25,
      recibio: 'Rosa',
      guia: '483920175567',
    },
  ],
  [LoteDto, { eventos: [{ guia: '483920175567' }] }],
  [
    EventoDePilotoDto,
    {
      ...event,
      motivo: undefined,
      estado: 'entregado',
      cod_cobrado: 10.25,
      pago: 'tarjeta',
      guia: '483920175567',
      ref: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
      ocurrido_en: '2026-11-21T15:04:05.123Z',
    },
  ],
  [
    DeshacerDePilotoDto,
    {
      guia: '483920175567',
      deshacer: true,
      ref: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
      ocurrido_en: '2026-11-21T15:04:05Z',
    },
  ],
  [LoteDePilotoDto, { eventos: [{ guia: '483920175567' }] }],
  [BuscarDto, { numero: '5567' }],
  [TomarDto, { guia: '4839 2017 5567' }],
  [CorregirCobroDto, { cod_cobrado: 340, pago: 'tarjeta', nota: 'Faltaba\nel vuelto', ref: 'caja-1' }],
  [
    LiquidarDto,
    {
      comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
      hasta: '2026-11-21',
      zona: 'comercio',
      ref: 'semana-47',
    },
  ],
  [
    CrearAjusteDto,
    {
      ...{ comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', monto: -100.25, motivo: 'Paquete dañado' },
      ...{ guia: '483920175567', ref: 'dano-1' },
    },
  ],
  [
    ListarAjustesDto,
    { estado: 'pendiente', desde: '2026-11-21', hasta: '2026-11-22', zona: 'UTC', limit: '50', cursor: 'x' },
  ],
  [
    ListarAjustesDeOperacionesDto,
    { estado: 'liquidado', comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', modo: 'prueba' },
  ],
  [PagarDto, { referencia_pago: 'TRF-1', ref: 'pago-47' }],
  [ResumirCobrosDto, { desde: '2026-11-21', hasta: '2026-11-22' }],
  [
    ListarCobrosDto,
    { estado: 'cobrado', desde: '2026-11-21', hasta: '2026-11-22', limit: '50', cursor: 'x' },
  ],
  [
    ListarCobrosDeOperacionesDto,
    { estado: 'cobrado', comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', modo: 'prueba' },
  ],
  [PaginarCobrosDeOperacionesDto, { limit: '100', modo: 'prueba' }],
  [
    ListarLiquidacionesDeOperacionesDto,
    { comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', limit: '50', modo: 'prueba' },
  ],
  [ListarLiquidacionesDto, { limit: '50', cursor: 'x' }],
  [PaginarCobrosDto, { limit: '100', cursor: 'x' }],
  [PedirEtiquetaDto, { formato: 'pdf', tamano: 'a4' }],
  [PedirEtiquetasDto, { guias: ['483920175567'], formato: 'pdf', tamano: 'a4' }],
  [CrearPilotoDto, { nombre: 'Marvin', telefono: '+502 5555 8080', ref: 'empleado-17' }],
  [EditarPilotoDto, { nombre: 'Marvin', telefono: '+502 5555 8080', activo: false }],
  [ListarPilotosDto, { activo: 'true', limit: '50', cursor: 'x' }],
  [HacerEnlaceDto, { horas: 12 }],
  [EntendidosDto, { refs: ['3c6e0b8a-9c15-4b7e-8d0a-6f1f2a3b4c5d'] }],
  [AsignarDto, { piloto: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', guias: ['483920175567'] }],
  [EntregarCajaDto, { moneda: 'GTQ', monto: -10.25, nota: 'Faltan\n0.50', ref: 'caja-1' }],
  [MoverSaldoDto, { moneda: 'GTQ', monto: -10.25, motivo: 'Faltaban 10.25', ref: 'saldo-1' }],
  [ListarEntregasDeCajaDto, { limit: '50', cursor: 'x', modo: 'prueba' }],
  [CrearWebhookDto, webhook],
  [CrearWebhookDeOperacionesDto, { ...webhook, eventos: ['guia.actualizada'] }],
  [EditarWebhookDeOperacionesDto, { ...webhook, eventos: ['guia.actualizada'], activo: false }],
  [EditarWebhookDto, { ...webhook, activo: false }],
  [RotarSecretoDto, { solapamiento_horas: 24 }],
  [ReenviarDto, { desde: '2026-11-21', hasta: '2026-11-22T01:02:03Z', estado: 'fallida', cursor: 'x' }],
  [ConfirmarDto, { ...place, referencia: 'Casa azul', precision: 12.5 }],
  [NoFields, {}],
  [
    ListarGuiasDto,
    {
      ...{ estado: 'recogido', desde: '2026-11-21', hasta: '2026-11-22T15:04:05.123-06:00' },
      ...{ external_ref: 'pedido-1042', guia: '483920175567', telefono: ' 50255551234' },
      ...{ direccion_confirmada: 'true', actualizada_desde: '2024-02-29', zona: 'America/Guatemala' },
      ...{ limit: '50', cursor: 'x' },
    },
  ],
  [
    ListarGuiasDeOperacionesDto,
    {
      estado: 'recogido,en_ruta',
      comercio: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
      departamento: 'Petén',
      municipio: 'mixco',
      piloto: 'ninguno',
    },
  ],
  [ListarLugaresDto, { pais: 'GT' }],
  [ListarEventosDto, { limit: '100', cursor: 'x' }],
  [ListarEventosDeOperacionesDto, { limit: '100', cursor: 'x', modo: 'prueba' }],
  [ListarMensajesDePruebaDto, { guia: '483920175567', limit: '1', cursor: 'x' }],
  [ModoDto, { modo: 'prueba' }],
  [NegarDto, { niega: 'si' }],
  [NoEscribirDto, { baja: 'si' }],
  [PedirEtiquetaDeOperacionesDto, { formato: 'pdf', modo: 'prueba' }],
  [SimularDto, { guion: 'entrega', cada_segundos: 0 }],
  [ListarEntregasDto, { estado: 'fallida', limit: '1' }],
  [ListarAvisosDto, { limit: '100', cursor: 'x' }],
  [ListarBajasDto, { limit: '100', cursor: 'x' }],
  [NoRecibiDto, { no_recibi: 'si', texto: 'No vino nadie' }],
  [DeshacerDto, { motivo: 'Se marcó\notra guía', ref: 'ruta-7-3' }],
  [EditarEntregaDto, destination],
].map(([type, valid]) => [type as DtoClass, JSON.parse(JSON.stringify(valid)) as Record<string, unknown>]);
