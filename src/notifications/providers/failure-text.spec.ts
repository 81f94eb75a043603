import { failureText } from './failure-text.js';
import { SANDBOX_PROBLEMS } from './sandbox/sandbox.provider.js';
import { failureOfErrors, refusalOf, WHATSAPP_CODES } from './whatsapp/whatsapp-errors.js';

/** What is said of a code that nobody knows. */
const UNKNOWN = /no entregó el mensaje/;

describe('failureText', () => {
  it.each(WHATSAPP_CODES)("says what WhatsApp's own text for support says: %i", (code) => {
    const text = failureText(String(code));
    expect(text).not.toMatch(UNKNOWN);
    expect(failureOfErrors([{ code }]).message.startsWith(text)).toBe(true);
  });

  it.each(Object.keys(SANDBOX_PROBLEMS))(
    'says what a number of the sandbox does, without its code: %s',
    (code) => {
      expect(failureText(code)).toMatch(/^El número de prueba terminado en 000\d /);
      expect(failureText(code)).not.toContain('SANDBOX');
    },
  );

  it.each([
    [422, 'El proveedor rechazó el mensaje (HTTP 422)'],
    [307, 'El proveedor de mensajes redirige a otra dirección (HTTP 307)'],
    [503, 'El proveedor de mensajes tuvo una falla (HTTP 503)'],
    [429, 'El proveedor de mensajes tuvo una falla (HTTP 429)'],
  ])('says what a status without a code means: %i', (status, text) => {
    expect(failureText(`HTTP ${status}`)).toBe(text);
    expect(failureText(refusalOf(status, {}).code)).toBe(text);
  });

  it.each([
    ['ECONNREFUSED', 'No se pudo hablar con el proveedor de mensajes (ECONNREFUSED)'],
    ['sin código', 'El proveedor no entregó el mensaje (sin código)'],
    ['999999', 'El proveedor no entregó el mensaje (999999)'],
    ['constructor', 'El proveedor no entregó el mensaje (constructor)'],
  ])('says of any other code that the message did not arrive: %s', (code, text) => {
    expect(failureText(code)).toBe(text);
  });
});
