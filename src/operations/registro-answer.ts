import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiResponse } from '@nestjs/swagger';
import { differingHeader, RepeatInterceptor } from '../platform/http/repeat.interceptor.js';
import { RegistrarEventoDto, RegistroDto, toRegistro } from './dto/registrar-evento.dto.js';

export const EVENTO_EXAMPLES = {
  recogida: { summary: 'Va a recoger', value: { estado: 'en_camino_a_recoger', ref: 'ruta-7-parada-3' } },
  intento: {
    summary: 'Intento fallido',
    value: { estado: 'intento_fallido', motivo: 'ausente', nota: 'Vuelve el lunes' },
  },
  entrega: {
    summary: 'Entregada y cobrada',
    value: { estado: 'entregado', cod_cobrado: 349.5, recibio: 'Rosa Pérez', lat: 14.6407, lng: -90.5133 },
  },
  tarjeta: {
    summary: 'Pagada con tarjeta',
    value: { estado: 'entregado', cod_cobrado: 349.5, pago: 'tarjeta' },
  },
};

/** The header of a repeated event. */
export const DIFFERING_HEADER = differingHeader(
  'Campos de la repetición que difieren del evento guardado, separados por comas. Falta si no difiere ninguno.',
);

/** Answers with the event that the handler registered; documents body and answers. */
export const AnswersRegistro = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(new RepeatInterceptor(toRegistro)),
    ApiBody({ type: RegistrarEventoDto, examples: EVENTO_EXAMPLES }),
    ApiResponse({ status: 201, type: RegistroDto, description: 'El evento quedó registrado.' }),
    ApiResponse({
      status: 200,
      type: RegistroDto,
      description: 'Ya estaba registrado: con esa `ref`, o es la cancelación de una guía cancelada.',
      headers: DIFFERING_HEADER,
    }),
  );
