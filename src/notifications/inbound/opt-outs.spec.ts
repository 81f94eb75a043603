import { readOptOut } from './opt-outs.service.js';

describe('an incoming text', () => {
  it.each([
    ...['BAJA', 'baja', 'Baja.', '  baja  ', '«baja»', '¡BAJA!', 'Stop', 'STOP.', 'stop\n', 'alto.'],
    ...['“alto.”', 'Álto', 'cancelar', 'No molestar', 'NO   MOLESTAR!!', 'unsubscribe', 'Dar de baja'],
    ...['Darme de baja', 'baja 🙏', 'No me escriban más', 'por favor no me escriban'],
    ...['NO QUIERO MENSAJES!!', 'Ya no quiero más mensajes, por favor.', 'quitar', 'Dejen de molestar 😡'],
    ...['no manden mensajes gracias', 'No deseo recibir más mensajes', 'no quiero que me escriban'],
    ...['no más mensajes', 'No me envíe más mensajes por favor', 'no enviar mensajes', 'no me molesten'],
    ...['deje de escribirme', 'Dejen de mandarme mensajes', 'quiero darme de baja', 'cancelar suscripción'],
    ...['sáquenme de su lista', 'Eliminar', 'parar', 'opt-out', 'no me vuelvan a escribir'],
    ...['No vuelvan a escribirme nunca más', 'no me manden más', 'No enviar más, por favor'],
    ...['no me envíen nada más', 'dejar de recibir mensajes', 'no quiero recibir mensajes de ustedes'],
    ...['no me escriban por WhatsApp', 'no me manden whatsapp', 'NO, no me escriban', 'stop stop'],
    ...['no me hablen', 'me quiero dar de baja', 'Me dan de baja, por favor', 'cancelar mensajes'],
    ...['paren estos mensajes', 'Eliminen mi número', 'borrar mi numero de su lista'],
    ...['no me escriban más a este número', 'no quiero recibir sus mensajes'],
    ...['no quiero que me manden más mensajes', 'Favor de no escribir', 'Hola, no me escriban por favor'],
    ...['Buenas tardes, quiero darme de baja', 'ＢＡＪＡ', '𝐁𝐀𝐉𝐀'],
  ])('is an opt-out: %j', (text) => expect(readOptOut(text)).toBe('baja'));

  it.each(['ALTA', 'alta', 'Alta.', ' álta ', 'START', 'start!'])('is an opt-in: %j', (text) =>
    expect(readOptOut(text)).toBe('alta'),
  );

  it.each([
    ...['', ' ', '.', 'bajada', 'planta baja', 'Es en la planta baja, puerta 2', 'no'],
    ...['no molesten a mi mamá', 'baja por la calle principal', 'la calle es alta', 'stop it please'],
    ...['https://maps.app.goo.gl/BAJA', 'quiero cancelar mi cita', 'no quiero mensajes de voz'],
    ...['quitar la referencia del portón', 'ya no me escriban al otro número', 'no me envíen nada todavía'],
    ...['no enviar', 'no me manden', 'no me envíen el paquete', 'no me vuelvan a escribir al trabajo'],
    ...['no me hablen mal', 'parar en la esquina', 'eliminar el segundo teléfono'],
    ...['no quiero que me escriban al trabajo', 'salir a la carretera', 'dejen de tocar el timbre'],
    ...['no me escriban antes de las 8', 'b a j a', 'hola', 'Buenas tardes, por favor'],
    ...['hola, es en la planta baja', 'eliminar mi número de casa', 'quitar este número y poner el 12'],
    ...['cancelar los mensajes de voz', 'no me escriban a este número hasta mañana'],
    ...['no quiero que me manden mensajes de voz', 'favor de tocar el timbre', '👍'],
  ])('is neither: %j', (text) => expect(readOptOut(text)).toBeUndefined());
});
