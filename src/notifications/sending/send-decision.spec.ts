import { GUIA_ESTADOS } from '../../guias/guia-estado.js';
import { MENSAJE_ESTADOS } from '../messages/mensaje-estado.js';
import { MENSAJE_TIPOS } from '../providers/messaging-provider.js';
import { decide, STATUS_WAIT_MS, type Situacion } from './send-decision.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const situacion = (over: Partial<Situacion> = {}): Situacion => ({
  tipo: 'confirmacion_ubicacion',
  estado: 'pendiente',
  proximoEn: new Date(NOW),
  actualizadoEn: new Date(NOW - 60_000),
  estaVencido: false,
  estaDeBaja: false,
  guia: { estado: 'aceptado', direccionConfirmada: false, hasNewPhone: false },
  ...over,
});
const decided = (over: Partial<Situacion> = {}, isIdempotent = true) =>
  decide(situacion(over), isIdempotent, NOW);

const TAKEN = ['aceptado', 'entregado', 'leido', 'omitido'] as const;
const ANSWERS = MENSAJE_TIPOS.filter((tipo) => tipo !== 'confirmacion_ubicacion');
const OPEN = ['aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido'];

describe('whether to send a message', () => {
  it.each(MENSAJE_ESTADOS.filter((estado) => !TAKEN.some((taken) => taken === estado)))(
    'it is sent when it is %s and due',
    (estado) => expect(decided({ estado })).toEqual({ accion: 'enviar' }),
  );

  it.each([true, false])(
    'another process is left alone while it may be at it (a provider that knows repeats: %s)',
    (isIdempotent) => {
      const actualizadoEn = new Date(NOW - 2_000);
      expect(decided({ estado: 'enviando', actualizadoEn }, isIdempotent)).toEqual({
        accion: 'otro',
        ms: 10_000,
      });
    },
  );

  it.each(TAKEN)('there is nothing to do when it is %s, whatever else there is', (estado) => {
    const over = { estado, estaVencido: true, estaDeBaja: true, guia: null };
    expect([decided({ estado }), decided(over)]).toEqual([{ accion: 'nada' }, { accion: 'nada' }]);
  });

  describe('a confirmation is left out', () => {
    it.each([
      [
        'once the address is confirmed',
        { guia: { estado: 'aceptado', direccionConfirmada: true, hasNewPhone: false } },
        'confirmada',
      ],
      ['where its guide is gone', { guia: null }, 'cerrada'],
      [
        'once its guide has another phone',
        { guia: { estado: 'aceptado', direccionConfirmada: false, hasNewPhone: true } },
        'telefono_cambiado',
      ],
      ['after seven days', { estaVencido: true }, 'vencido'],
      ['for who opted out', { estaDeBaja: true }, 'baja'],
    ] as const)('%s', (_, over, por) => expect(decided(over)).toEqual({ accion: 'omitir', por }));

    it.each(GUIA_ESTADOS.filter((estado) => !OPEN.includes(estado)))('of a guide that is %s', (estado) =>
      expect(decided({ guia: { estado, direccionConfirmada: false, hasNewPhone: false } })).toEqual({
        accion: 'omitir',
        por: 'cerrada',
      }),
    );

    it('even where a try of it may have arrived', () => {
      for (const estado of ['enviando', 'incierto', 'fallido'] as const)
        expect(decided({ estado, estaVencido: true }, false)).toEqual({ accion: 'omitir', por: 'vencido' });
    });
  });

  it.each(GUIA_ESTADOS.filter((estado) => OPEN.includes(estado)))(
    'a guide that is %s still waits',
    (estado) =>
      expect(decided({ guia: { estado, direccionConfirmada: false, hasNewPhone: false } })).toEqual({
        accion: 'enviar',
      }),
  );

  it.each(ANSWERS)('an answer (%s) is sent whatever became of the guide, but not after its day', (tipo) => {
    expect(decided({ tipo, guia: null })).toEqual({ accion: 'enviar' });
    expect(
      decided({ tipo, guia: { estado: 'entregado', direccionConfirmada: true, hasNewPhone: false } }),
    ).toEqual({
      accion: 'enviar',
    });
    expect(decided({ tipo, estaVencido: true })).toEqual({ accion: 'omitir', por: 'vencido' });
  });

  it.each(ANSWERS.filter((tipo) => tipo !== 'baja'))('who opted out gets no %s', (tipo) =>
    expect(decided({ tipo, estaDeBaja: true })).toEqual({ accion: 'omitir', por: 'baja' }),
  );

  it('who opted out gets that acknowledged', () =>
    expect(decided({ tipo: 'baja', estaDeBaja: true, guia: null })).toEqual({ accion: 'enviar' }));

  describe('a try that was cut off', () => {
    it('is repeated where the provider recognises it', () =>
      expect(decided({ estado: 'enviando' }, true)).toEqual({ accion: 'enviar' }));

    it('waits for its status where it does not', () =>
      expect(decided({ estado: 'enviando' }, false)).toEqual({ accion: 'esperar', ms: STATUS_WAIT_MS }));
  });

  describe('a message without an answer', () => {
    it.each([true, false])('waits until it is due (idempotent: %s)', (isIdempotent) =>
      expect(decided({ estado: 'incierto', proximoEn: new Date(NOW + 1) }, isIdempotent)).toEqual({
        accion: 'esperar',
        ms: 1,
      }),
    );

    it.each([true, false])('is sent then (idempotent: %s)', (isIdempotent) =>
      expect(decided({ estado: 'incierto', proximoEn: new Date(NOW) }, isIdempotent)).toEqual({
        accion: 'enviar',
      }),
    );
  });
});
