import type { CountryCode } from 'libphonenumber-js';
import { currencyOf } from '../../../../auth/merchants/currency.js';
import { placesByKey } from '../../../../locations/places/places.js';
import { readChat } from './chat-reading.js';

async function read(text: string, country: CountryCode) {
  const places = await placesByKey(country);
  return readChat(text, { country, currency: currencyOf(country), places });
}

describe('the phone of a chat', () => {
  it.each<[text: string, country?: CountryCode]>([
    ['IMG-20250330-WA0010.jpg (archivo adjunto)\nvivo en Mixco, son Q350'],
    ['IMG_20250330_101112.jpg'],
    ['PTT-20250330-WA0001.opus'],
    ['VID-20250330-WA0003'],
    ['WhatsApp Image 2025-03-30 at 9.14.22 PM.jpeg'],
    ['Screenshot_20250330-101112.png'],
    ['comprobante 20250330.pdf'],
    ['boleta 22334455'],
    ['Boleta No. 22334455'],
    ['número de autorización: 55667788'],
    ['Ref. bancaria comprobante 55667788'],
    ['cuenta monetaria 4455667788', 'MX'],
    ['transferencia no. 5512345678', 'MX'],
    ['lo necesito el 22-12-2025'],
    ['para el 22/12/2025'],
    ['nací el 1990-05-12'],
    ['marta55557171@gmail.com'],
    ['Pedido #55667788'],
  ])('is not the number of something else: %j in %s', async (text, country = 'GT') => {
    expect((await read(text, country)).telefono).toBeUndefined();
  });

  it.each<[text: string, valor: string, country?: CountryCode]>([
    ['[9:14 a. m., 12/11/2025] Marta Xol: 5555 7171, Mixco', '5555 7171'],
    ['[9:14 p.m., 12/11/2025] Marta Xol: 5555 7171, Mixco', '5555 7171'],
    ['9:29 PM, 12/11/2025 - Marta Xol: 5555 7171', '5555 7171'],
    ['Marta Xol, [12/11/2025 9:14]\n5555 7171', '5555 7171'],
    ['IMG-20250330-WA0010.jpg (archivo adjunto)\nMi cel 5555-7171', '5555 7171'],
    ['9:14 55 1234 5678', '55 1234 5678', 'MX'],
    ['boleta 22334455 y mi tel es 5555 7171', '5555 7171'],
    ['Marta Xol 5555 7171 Q350', '5555 7171'],
    ['Marta Xol 55557171 Q350', '5555 7171'],
    ['Marta Xol 55 1234 5678 $350', '55 1234 5678', 'MX'],
    ['mi whats https://wa.me/50255557171', '5555 7171'],
    ['wa.me/50255557171', '5555 7171'],
    ['50255557171@s.whatsapp.net', '5555 7171'],
    ['TEL;type=CELL;waid=50255557171:+502 5555 7171', '5555 7171'],
    ['Tel: 5555 7171, Mixco', '5555 7171'],
    ['*Tel:* 5555 7171', '5555 7171'],
  ])('is sure where it is one: %j', async (text, valor, country = 'GT') => {
    expect((await read(text, country)).telefono).toEqual({ valor, nota: undefined });
  });

  it.each(['Tel: 5555 7171, 4a calle 5-10, Mixco', 'tel: 5555 7171; 4a calle 5-10; Mixco'])(
    'is no contact that hides what follows in its line: %j',
    async (text) => {
      const { telefono, municipio } = await read(text, 'GT');
      expect([telefono?.valor, municipio?.valor]).toEqual(['5555 7171', 'Mixco']);
    },
  );

  it('is the sender\u2019s, with a note, where nobody writes another', async () => {
    const text = '28/3/2025, 9:29 p. m. - +502 5555 7171: hola quiero los zapatos';
    expect((await read(text, 'GT')).telefono).toEqual({
      valor: '5555 7171',
      nota: 'Es el número de quien escribe en el chat. ¿Es el de la entrega?',
    });
    expect((await read(`${text}\nmi número es 4444 3131`, 'GT')).telefono?.valor).toBe('4444 3131');
    expect(
      (await read(`${text}\n28/3/2025, 9:30 p. m. - +502 4444 3131: ok`, 'GT')).telefono?.nota,
    ).toContain('varios números');
  });
});
