import { applyDecorators } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { AnswersOnce } from '../platform/http/repeat.interceptor.js';
import { RegistrarEventoDto, RegistroDto } from './dto/registrar-evento.dto.js';

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

/** Ends the sentence that lists the differing fields of a repeat. */
export const FROM_EVENTO = 'del evento guardado, separados por comas';

/** Answers with the event that the handler registered; documents body and answers. */
export const AnswersRegistro = (): MethodDecorator =>
  applyDecorators(
    ApiBody({ type: RegistrarEventoDto, examples: EVENTO_EXAMPLES }),
    AnswersOnce(RegistroDto, {
      made: 'El evento quedó registrado.',
      repeated: 'Ya estaba registrado: con esa `ref`, o es la cancelación de una guía cancelada.',
      from: FROM_EVENTO,
    }),
  );
