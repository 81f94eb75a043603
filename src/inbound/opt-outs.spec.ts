import { readOptOut } from './opt-outs.service.js';

describe('an incoming text', () => {
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
    'No me escriban más',
    'por favor no me escriban',
    'NO QUIERO MENSAJES!!',
    'Ya no quiero más mensajes, por favor.',
    'quitar',
    'Dejen de molestar 😡',
    'no manden mensajes gracias',
  ])('is an opt-out: %j', (text) => expect(readOptOut(text)).toBe('baja'));

  it.each(['ALTA', 'alta', 'Alta.', ' álta ', 'START', 'start!'])('is an opt-in: %j', (text) =>
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
    'no quiero mensajes de voz',
    'quitar la referencia del portón',
    'ya no me escriban al otro número',
    'no me escriban antes de las 8',
    'b a j a',
    '👍',
  ])('is neither: %j', (text) => expect(readOptOut(text)).toBeUndefined());
});
