import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { situationOf } from './situation.js';

type Known = Parameters<typeof situationOf>[0];

const NOTHING = { motivo: null, nota: null, recibio: null, distancia_m: null, operador: null, piloto: null };
const EVENTO = {
  ...{ id: '1', secuencia: 1, tipo: 'guia.creada', actor: 'comercio', estado: 'aceptado', ...NOTHING },
  ...{ ocurrido_en: '2026-11-21T15:00:00.000Z', creado_en: '2026-11-21T15:00:00.000Z' },
} as EventoDeSoporte;

const moved = (estado: GuiaEstado, over: Partial<EventoDeSoporte> = {}): EventoDeSoporte => ({
  ...EVENTO,
  ...{ id: '2', secuencia: 5, tipo: 'guia.estado_cambiado', actor: 'operador', estado },
  ...{ ocurrido_en: '2026-11-22T15:00:00.000Z', creado_en: '2026-11-22T15:00:00.000Z' },
  ...over,
});

const answered = (secuencia: number): EventoDeSoporte => ({
  ...EVENTO,
  ...{ id: '3', secuencia, tipo: 'guia.confirmada', actor: 'destinatario', estado: null },
  ocurrido_en: '2026-11-22T16:00:00.000Z',
});

const message = (
  estado: Known['mensajes'][number]['estado'],
  over: Partial<Known['mensajes'][number]> = {},
) => ({
  ...{ tipo: 'confirmacion_ubicacion' as const, estado, intentos: 1, causa: null },
  ...{ creado_en: '2026-11-21T15:00:01.000Z', actualizado_en: '2026-11-21T15:00:02.000Z' },
  ...over,
});

/** An open guide whose recipient has not confirmed, with these differences. */
const known = (
  guia: Partial<Known['guia']>,
  { eventos = [], mensajes = [message('aceptado')], isOptedOut = false }: Partial<Known> = {},
): Known => ({
  merchant: { id: '1', name: 'Tienda', country: 'GT', currency: 'GTQ', isTest: false },
  guia: {
    ...{
      ...{ estado: 'aceptado', direccion_confirmada: false, advertencias: [], cod_amount: 0 },
      cod_cobrado: null,
      pago: null,
    },
    ...{ moneda: 'GTQ', creada_en: '2026-11-21T15:00:00.000Z' },
    ...guia,
  } as Known['guia'],
  eventos: [EVENTO, ...eventos],
  mensajes,
  isOptedOut,
});

const LATER = { creado_en: '2026-11-22T15:30:00.000Z' };
const FAILED = moved('intento_fallido', {
  motivo: 'direccion_incorrecta',
  piloto: 'Mynor',
  nota: 'Nadie la conoce',
});

describe('what support sees first of a guide', () => {
  it.each<[string, Known, [tone: string, step: string | null, title: string]]>([
    ['asked, no answer', known({}), ['ask', 'pedir', 'Sin confirmar']],
    ['never asked', known({}, { mensajes: [] }), ['ask', 'pedir', 'Sin confirmar']],
    [
      'about to be asked',
      known({}, { mensajes: [message('pendiente', { intentos: 0 })] }),
      ['ask', null, 'Sin confirmar'],
    ],
    [
      'a message waits',
      known({}, { mensajes: [message('pendiente')] }),
      ['care', 'enviar_ahora', 'El mensaje no ha salido'],
    ],
    [
      'a message failed',
      known({}, { mensajes: [message('fallido')] }),
      ['care', 'corregir_telefono', 'El mensaje no llegó'],
    ],
    [
      'a message was left out',
      known({}, { mensajes: [message('omitido')] }),
      ['care', 'ver_telefono', 'Sin confirmar'],
    ],
    ['opted out', known({}, { isOptedOut: true }), ['care', 'ver_telefono', 'Sin confirmar']],
    [
      'denied',
      known({ advertencias: ['destinatario_niega'] }),
      ['care', 'corregir_telefono', 'El destinatario dice que el paquete no es suyo'],
    ],
    ['confirmed', known({ direccion_confirmada: true }), ['off', null, 'Por recoger']],
    [
      'confirmed and opted out',
      known({ direccion_confirmada: true }, { isOptedOut: true }),
      ['off', null, 'Por recoger'],
    ],
    ['picked up', known({ estado: 'recogido', direccion_confirmada: true }), ['off', null, 'Recogida']],
    ['on its way', known({ estado: 'en_ruta', direccion_confirmada: true }), ['way', null, 'En ruta']],
    [
      'on its way to nobody knows where',
      known({ estado: 'en_ruta' }),
      ['care', 'ver_telefono', 'En ruta, sin confirmar'],
    ],
    [
      'an attempt failed, not asked since',
      known({ estado: 'intento_fallido', direccion_confirmada: true }, { eventos: [FAILED] }),
      ['care', 'pedir', 'No se pudo entregar'],
    ],
    [
      'an attempt failed, asked since',
      known(
        { estado: 'intento_fallido', direccion_confirmada: true },
        { eventos: [FAILED], mensajes: [message('leido', LATER)] },
      ),
      ['care', 'pedir', 'No se pudo entregar'],
    ],
    [
      'an attempt failed, and the message since then, too',
      known({ estado: 'intento_fallido' }, { eventos: [FAILED], mensajes: [message('fallido', LATER)] }),
      ['care', 'corregir_telefono', 'No se pudo entregar'],
    ],
    [
      'an attempt failed, and the recipient answered',
      known({ estado: 'intento_fallido', direccion_confirmada: true }, { eventos: [FAILED, answered(6)] }),
      ['care', null, 'Intento fallido, y el destinatario ya respondió'],
    ],
    [
      'an attempt failed after the answer',
      known({ estado: 'intento_fallido', direccion_confirmada: true }, { eventos: [answered(2), FAILED] }),
      ['care', 'pedir', 'No se pudo entregar'],
    ],
    [
      'delivered',
      known({ estado: 'entregado' }, { eventos: [moved('entregado')] }),
      ['good', null, 'Entregada'],
    ],
    [
      'delivered, and not received',
      known(
        { estado: 'entregado', advertencias: ['destinatario_no_recibio'] },
        { eventos: [moved('entregado')] },
      ),
      ['bad', 'deshacer', 'Entregada, y el destinatario dice que no la recibió'],
    ],
    ['on its way back', known({ estado: 'en_devolucion' }), ['care', null, 'En devolución']],
    ['back', known({ estado: 'devuelto' }), ['off', null, 'Devuelta al comercio']],
    ['cancelled', known({ estado: 'cancelado' }), ['off', null, 'Cancelada']],
    [
      'cancelled in the van',
      known({ estado: 'cancelado', advertencias: ['cancelada_ya_recogida'] }),
      ['care', 'anotar', 'Cancelada, y el paquete está con la mensajería'],
    ],
    ['lost', known({ estado: 'extraviado' }), ['bad', null, 'Extraviada']],
  ])('is its state and the next step: %s', (_, guia, [tone, step, title]) =>
    expect(situationOf(guia)).toMatchObject({ tone, step, title }),
  );

  it('says of a failed attempt why, in whose words, since when', () => {
    const guia = known({ estado: 'intento_fallido', direccion_confirmada: true }, { eventos: [FAILED] });
    expect(situationOf(guia)).toMatchObject({
      since: '2026-11-22T15:00:00.000Z',
      reason:
        'La dirección no existe o no es la del destinatario. «Nadie la conoce». Lo informó Mynor. No se le ha preguntado.',
    });
  });

  it('says of a delivery who received it, what was paid, and how far from the destination', () => {
    const delivery = moved('entregado', { recibio: 'Wendy', distancia_m: 40 });
    expect(
      situationOf(known({ estado: 'entregado', cod_cobrado: 349.5 }, { eventos: [delivery] })).reason,
    ).toBe('Recibió Wendy, se cobró Q\u00a0349.50, a 40\u00a0m del destino.');
    const paid = (cod_cobrado: number, pago: 'tarjeta' | 'directo') =>
      situationOf(known({ estado: 'entregado', cod_cobrado, pago }, { eventos: [delivery] })).reason;
    expect(paid(349.5, 'tarjeta')).toContain('se cobró Q\u00a0349.50 con tarjeta,');
    expect(paid(0, 'directo')).toContain('se pagó directo al comercio,');
  });

  it('counts a move that was taken back for nothing', () => {
    const back = {
      ...FAILED,
      id: '4',
      secuencia: 6,
      tipo: 'guia.estado_corregido' as const,
      estado: 'recogido' as const,
    };
    const guia = known(
      { estado: 'recogido', direccion_confirmada: true },
      { eventos: [moved('recogido', { secuencia: 4 }), FAILED, back] },
    );
    expect(situationOf(guia)).toMatchObject({ title: 'Recogida', step: null });
  });
});
