import { readOptOut } from './opt-outs.service.js';

describe('what a text asks for', () => {
  it.each([
    'BAJA',
    'baja',
    'Baja.',
    '  baja  ',
    '«baja»',
    '¡BAJA!',
    'Stop',
    'STOP.',
    'stop\n',
    'alto.',
    '“alto.”',
    'Álto',
    'cancelar',
    'No molestar',
    'NO   MOLESTAR!!',
    'unsubscribe',
    'Dar de baja',
    'Darme de baja',
    'baja 🙏',
  ])('no more messages: %j', (text) => expect(readOptOut(text)).toBe('baja'));

  it.each(['ALTA', 'alta', 'Alta.', ' álta ', 'START', 'start!'])('messages again: %j', (text) =>
    expect(readOptOut(text)).toBe('alta'),
  );

  it.each([
    '',
    ' ',
    '.',
    'bajada',
    'planta baja',
    'Es en la planta baja, puerta 2',
    'no',
    'no molesten a mi mamá',
    'baja por la calle principal',
    'la calle es alta',
    'stop it please',
    'https://maps.app.goo.gl/BAJA',
    'quiero cancelar mi cita',
    'b a j a',
    '👍',
  ])('nothing of this: %j', (text) => expect(readOptOut(text)).toBeUndefined());
});
