import { GUIA_ESTADOS } from '../../guias/guia/guia-estado.js';
import { MENSAJE_ESTADOS } from './mensaje-estado.js';
import { MENSAJE_TIPOS, startsConversation } from '../providers/messaging-provider.js';
import { decide, STATUS_WAIT_MS, type DecisiveColumns } from './send-decision.js';

const decideOn = (over: Partial<DecisiveColumns> = {}, isIdempotent = true, wasCutOff = false) => {
  const mensaje: DecisiveColumns = {
    ...{ tipo: 'confirmacion_ubicacion', estado: 'pendiente', falta_ms: 0, reclamo_ms: 0, vencido: false },
    ...{ de_baja: false, telefono_cambiado: false, niega: false, guia_estado: 'aceptado', con_pin: true },
    direccion_confirmada: false,
  };
  return decide({ ...mensaje, ...over }, isIdempotent, wasCutOff);
};

const SEND = { action: 'send' };
const NO_GUIA = { guia_estado: null, direccion_confirmada: null };
const TAKEN = ['aceptado', 'entregado', 'leido', 'omitido'] as const;
const ANSWERS = MENSAJE_TIPOS.filter((tipo) => !startsConversation(tipo));
const OPEN = ['aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido'];

describe('whether to send a message', () => {
  it.each(MENSAJE_ESTADOS.filter((estado) => !TAKEN.some((taken) => taken === estado)))(
    'sends a message that is %s and due',
    (estado) => expect(decideOn({ estado })).toEqual(SEND),
  );

  it.each([true, false])(
    'yields to another process while its claim lasts (idempotent provider: %s)',
    (isIdempotent) => {
      expect(decideOn({ estado: 'enviando', reclamo_ms: 10_000 }, isIdempotent)).toEqual({
        action: 'yield',
        ms: 10_000,
      });
    },
  );

  it.each(TAKEN)('does nothing with a message that is %s, whatever its other columns say', (estado) => {
    const over = { estado, vencido: true, de_baja: true, ...NO_GUIA };
    expect([decideOn({ estado }), decideOn(over)]).toEqual([{ action: 'none' }, { action: 'none' }]);
  });

  describe('omits a request for confirmation', () => {
    it.each([
      ['once the address is confirmed', { direccion_confirmada: true }, 'confirmada'],
      ['when its guide does not exist', NO_GUIA, 'cerrada'],
      ['once its guide has another phone', { telefono_cambiado: true }, 'telefono_cambiado'],
      ['once its recipient said it is not theirs', { niega: true }, 'niega'],
      ['after seven days', { vencido: true }, 'vencido'],
      ['to a person who opted out', { de_baja: true }, 'baja'],
    ] as const)('%s', (_, over, reason) => expect(decideOn(over)).toEqual({ action: 'omit', reason }));

    it.each(GUIA_ESTADOS.filter((estado) => !OPEN.includes(estado)))('when its guide is %s', (guia_estado) =>
      expect(decideOn({ guia_estado })).toEqual({ action: 'omit', reason: 'cerrada' }),
    );

    it('even if an earlier try may have arrived', () => {
      for (const estado of ['enviando', 'incierto', 'fallido'] as const)
        expect(decideOn({ estado, vencido: true }, false)).toEqual({ action: 'omit', reason: 'vencido' });
    });
  });

  it.each(GUIA_ESTADOS.filter((estado) => OPEN.includes(estado)))(
    'sends a request for confirmation when its guide is %s',
    (guia_estado) => expect(decideOn({ guia_estado })).toEqual(SEND),
  );

  describe('with the PIN of a delivery', () => {
    const pin = { tipo: 'pin_de_entrega', guia_estado: 'en_ruta' } as const;

    it.each([{}, { direccion_confirmada: true }, { telefono_cambiado: true }])(
      'sends it to whom the guide is for now, on its way: %j',
      (over) => expect(decideOn({ ...pin, ...over })).toEqual(SEND),
    );

    it.each([
      ['once its recipient said it is not theirs', { niega: true }, 'niega'],
      ['once its merchant delivers without', { con_pin: false }, 'sin_pin'],
      ['after a day', { vencido: true }, 'vencido'],
      ['to a person who opted out', { de_baja: true }, 'baja'],
      ['without a guide', NO_GUIA, 'fuera_de_ruta'],
      ...GUIA_ESTADOS.filter((estado) => estado !== 'en_ruta').map(
        (guia_estado) => [`in ${guia_estado}`, { guia_estado }, 'fuera_de_ruta'] as const,
      ),
    ] as const)('omits it %s', (_, over, reason) =>
      expect(decideOn({ ...pin, ...over })).toEqual({ action: 'omit', reason }),
    );
  });

  it.each(ANSWERS)('sends an answer (%s) whatever the state of its guide, but only for a day', (tipo) => {
    expect(decideOn({ tipo, ...NO_GUIA })).toEqual(SEND);
    expect(decideOn({ tipo, guia_estado: 'entregado', direccion_confirmada: true })).toEqual(SEND);
    expect(decideOn({ tipo, vencido: true })).toEqual({ action: 'omit', reason: 'vencido' });
  });

  it.each(ANSWERS.filter((tipo) => tipo !== 'baja'))('omits %s to a person who opted out', (tipo) =>
    expect(decideOn({ tipo, de_baja: true })).toEqual({ action: 'omit', reason: 'baja' }),
  );

  it('acknowledges an opt-out', () =>
    expect(decideOn({ tipo: 'baja', de_baja: true, ...NO_GUIA })).toEqual(SEND));

  describe('with a try that was cut off', () => {
    it('repeats it where the provider recognises a repeat', () =>
      expect(decideOn({ estado: 'enviando' }, true)).toEqual(SEND));

    it('waits for its status where the provider does not', () =>
      expect(decideOn({ estado: 'enviando' }, false)).toEqual({ action: 'wait', ms: STATUS_WAIT_MS }));
  });

  describe('when a run of its job was cut off', () => {
    const unsent = MENSAJE_ESTADOS.filter((estado) => !TAKEN.some((taken) => taken === estado));

    it.each(unsent)('sends a message that is %s, unless it has failed', (estado) =>
      expect(decideOn({ estado }, true, true)).toEqual(estado === 'fallido' ? { action: 'fail' } : SEND),
    );

    it('omits a failed message that is no longer needed', () =>
      expect(decideOn({ estado: 'fallido', vencido: true }, true, true)).toEqual({
        action: 'omit',
        reason: 'vencido',
      }));
  });

  describe('with a message that got no answer', () => {
    it.each([true, false])('waits until it is due (idempotent provider: %s)', (isIdempotent) =>
      expect(decideOn({ estado: 'incierto', falta_ms: 1 }, isIdempotent)).toEqual({ action: 'wait', ms: 1 }),
    );

    it.each([true, false])('sends it once it is due (idempotent provider: %s)', (isIdempotent) =>
      expect(decideOn({ estado: 'incierto', falta_ms: 0 }, isIdempotent)).toEqual(SEND),
    );
  });
});
