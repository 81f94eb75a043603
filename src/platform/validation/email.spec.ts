import { toEmail } from './email.js';

describe('an address of mail', () => {
  it.each([
    ['ana@tienda.example', 'ana@tienda.example'],
    ['  Ana.Pérez@Tienda.Example '.replace('é', 'e'), 'ana.perez@tienda.example'],
    ['ana+guias@correo.tienda.example', 'ana+guias@correo.tienda.example'],
    ['ana@ñandú.example', 'ana@xn--and-6ma2c.example'],
    [`${'a'.repeat(64)}@tienda.example`, `${'a'.repeat(64)}@tienda.example`],
  ])('is spelled in one way: %s', (text, address) => expect(toEmail(text)).toBe(address));

  it.each([
    '',
    'ana',
    'ana@',
    '@tienda.example',
    'ana@localhost',
    'ana@127.0.0.1',
    'ana@[127.0.0.1]',
    'ana@tienda@otra.example',
    'ana@tienda.example, leo@tienda.example',
    'Ana <ana@tienda.example>',
    '"ana"@tienda.example',
    'josé@tienda.example',
    'ana@tienda.example\r\nBcc: leo@tienda.example',
    `${'a'.repeat(65)}@tienda.example`,
    `ana@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`,
  ])('is none: %j', (text) => expect(toEmail(text)).toBeUndefined());
});
