import { SANDBOX_PROBLEMS } from '../providers/sandbox/sandbox.provider.js';
import { failureOfErrors, refusalOf } from '../providers/whatsapp/whatsapp-errors.js';
import { failureText } from './failure-text.js';

describe('failureText', () => {
  it.each([0, 100, 130429, 131026, 131049, 132001])(
    "says what WhatsApp's own text for support says: %i",
    (code) => {
      const text = failureText(String(code));
      expect(text).not.toContain('no se entregó');
      expect(failureOfErrors([{ code }]).message.startsWith(`${text}. `)).toBe(true);
    },
  );

  it.each(Object.keys(SANDBOX_PROBLEMS))(
    'says what a number of the sandbox does, without its code: %s',
    (code) => {
      expect(failureText(code)).toMatch(/^El número de prueba terminado en 000\d /);
      expect(failureText(code)).not.toContain('SANDBOX');
    },
  );

  it.each([
    [422, 'El mensaje fue rechazado (HTTP 422)'],
    [307, 'La dirección de envío redirige a otra (HTTP 307)'],
    [503, 'Una falla temporal impidió enviarlo (HTTP 503)'],
    [429, 'Una falla temporal impidió enviarlo (HTTP 429)'],
  ])('says what a status without a code means: %i', (status, text) => {
    expect(failureText(`HTTP ${status}`)).toBe(text);
    expect(failureText(refusalOf(status, {}).code)).toBe(text);
  });

  it.each([
    ['ECONNREFUSED', 'Falló la conexión al enviarlo (ECONNREFUSED)'],
    ['sin código', 'El mensaje no se entregó (sin código)'],
    ['999999', 'El mensaje no se entregó (999999)'],
    ['constructor', 'El mensaje no se entregó (constructor)'],
  ])('says of any other code that the message did not arrive: %s', (code, text) => {
    expect(failureText(code)).toBe(text);
  });
});
