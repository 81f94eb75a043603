import { isCalled, readDenial } from './denials.js';

describe('an incoming text', () => {
  it.each([
    ...['número equivocado', 'Numero equivocado.', 'NUMERO EQUIVOCADO!!', 'Es un número equivocado'],
    ...['Hola, número equivocado, gracias', 'Teléfono equivocado', 'numero incorrecto', 'Número errado'],
    ...['Equivocado', 'Se equivocó de número', 'creo que se equivocó de número'],
    ...['Se equivocaron de persona', 'Está equivocado de número', 'persona equivocada', 'No soy yo'],
    ...['Yo no soy esa persona', 'no soy la persona que buscan', 'No, no soy yo 🙏', 'Disculpe, no soy yo'],
    ...['Este no es el número de esa persona', 'Este número ya no es de ella', 'No conozco a esa persona'],
    ...['no conozco a nadie con ese nombre', 'Aquí no vive esa persona', 'Yo no pedí nada'],
    ...['no he comprado nada', 'No hice ningún pedido', 'no espero ningún paquete'],
    ...['no soy yo y no pedí nada', 'Número equivocado, el correcto es 5555 4321', 'wrong number'],
    '𝐍ú𝐦𝐞𝐫𝐨 𝐞𝐪𝐮𝐢𝐯𝐨𝐜𝐚𝐝𝐨',
  ])('denies for the number: %j', (text) =>
    expect(readDenial(text)).toEqual({ of: 'numero', isOptOut: false }),
  );

  it.each([
    ...['No es mío', 'no es mi paquete', 'Ese paquete no es mío', 'eso no es para mí', 'Yo no pedí eso'],
    ...['no lo pedí', 'Ese no lo pedí', 'No he pedido ese paquete'],
  ])('denies one parcel: %j', (text) => expect(readDenial(text)).toEqual({ of: 'paquete', isOptOut: false }));

  it.each([
    ['No soy Ana', 'ANA'],
    ['No me llamo Ana López', 'ANA LOPEZ'],
    ['Aquí no vive ninguna Ana', 'ANA'],
    ['no conozco a ninguna Ana López', 'ANA LOPEZ'],
    ['Este no es el número de Ana', 'ANA'],
    ['Este número ya no es de doña Ana', 'DONA ANA'],
  ])('denies that its sender is who is named: %j', (text, nombre) =>
    expect(readDenial(text)).toEqual({ of: { nombre }, isOptOut: false }),
  );

  it.each([
    'Número equivocado, no me escriban',
    'No soy yo. Dejen de molestar!',
    'no pedí nada y no me escriban más',
  ])('denies, and asks for no messages: %j', (text) =>
    expect(readDenial(text)).toEqual({ of: 'numero', isOptOut: true }),
  );

  it.each([
    '',
    '.',
    'no',
    'BAJA',
    'gracias',
    '¿Número equivocado?',
    '¿Se equivocaron de paquete?',
    'Me equivoqué de ubicación',
    'la dirección está equivocada',
    'Número equivocado de casa, es la 5-10',
    'no soy yo quien recibe, es mi hermana',
    'no es mi casa, es la de al lado',
    'no es para mí sola',
    'no pedí factura',
    'No pedí nada más',
    'no pedí eso, pedí zapatos talla 38',
    'no espero más',
    'No espero nada de ustedes, tardan mucho',
    'ya no lo quiero',
    'no hice nada',
    'no estoy en casa',
    'no conozco la zona',
    'no soy yo pero se lo doy',
    '14.6407, -90.5133',
    'no '.repeat(100),
  ])('is none: %j', (text) => expect(readDenial(text)).toBeUndefined());

  it.each([
    ['ANA', 'Ana López', true],
    ['ANA LOPEZ', 'Ana María López', true],
    ['DONA ANA', 'Ána', true],
    ['DE AQUI', 'Ana López', false],
    ['LA SENORA', 'Ana López', false],
    ['ANA PEREZ', 'Ana López', false],
    ['ROSA', 'Ana López', false],
    ['ANA', '', false],
  ])('with the name %s is about %j: %s', (nombre, destinatario, is) =>
    expect(isCalled(nombre, destinatario)).toBe(is),
  );
});
