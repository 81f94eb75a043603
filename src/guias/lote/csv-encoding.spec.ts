import fc from 'fast-check';
import { guessEncoding } from './csv-encoding.js';

const MAC = { á: 0x87, é: 0x8e, í: 0x92, ó: 0x97, ú: 0x9c, ü: 0x9f, ñ: 0x96 };
const MAC_UPPER = { Á: 0xe7, É: 0x83, Í: 0xea, Ó: 0xee, Ú: 0xf2, Ü: 0x86, Ñ: 0x84, '¿': 0xc0, º: 0xbc };
const DOS = { á: 0xa0, é: 0x82, í: 0xa1, ó: 0xa2, ú: 0xa3, ü: 0x81, ñ: 0xa4 };
const DOS_UPPER = { Á: 0xb5, É: 0x90, Í: 0xd6, Ó: 0xe0, Ú: 0xe9, Ü: 0x9a, Ñ: 0xa5, '¿': 0xa8, º: 0xa7 };
const MARKS = { '’': 0x92, '–': 0x96, '—': 0x97, '“': 0x93, '”': 0x94, '…': 0x85, '€': 0x80, '„': 0x84 };

const bytesOf = (text: string, table: Record<string, number> = MARKS) =>
  Buffer.from([...text].map((letter) => table[letter] ?? letter.charCodeAt(0)));
const inMac = (text: string) => bytesOf(text, { ...MAC, ...MAC_UPPER });
const inDos = (text: string) => bytesOf(text, { ...DOS, ...DOS_UPPER });

/** Names and addresses as they stand in files, with the letters that are to be told apart. */
const SPANISH = [
  ...[
    ...['Muñoz', 'San José', 'García', 'López', 'Pérez', 'Concepción', 'Jesús', 'Petén', 'Martínez'],
    'Río Dulce',
  ],
  ...[
    ...['NUÑEZ', 'MUÑOZ', 'JOSÉ', 'GARCÍA', 'LÓPEZ', 'PEÑA', 'RUBÉN', 'Agüero', 'Núñez'],
    'Mazatenango, Suchitepéquez',
  ],
  ...['año', 'Málaga', 'Sánchez', 'Cáceres', 'calle peatonal número 3', 'JESÚS', 'Logroño', 'Íñigo Núñez'],
];

describe('guessEncoding', () => {
  it.each(SPANISH)('tells %s in each encoding', async (text) => {
    const guesses = [bytesOf(text), inMac(text), inDos(text)].map(guessEncoding);
    expect(await Promise.all(guesses)).toEqual([...['Windows-1252', 'Mac Roman', 'DOS (CP850)']]);
  });

  it.each([
    ...[
      ...['d’oro', 'L’Oréal', 'O’Connor', 'D’Angelo', 'Levi’s', 'Lunes–Viernes', '8:00–17:00', '5 – 6'],
      '“molido”',
    ],
    ...[
      'Café – 2 lb “molido”',
      'zona\u00a01',
      'Q\u00a0349.50',
      'San\u00a0Marcos',
      'Ciudad\u00a0de Guatemala',
    ],
    ...[
      ...['¡gracias!', '¿dónde?', 'N.º 5', '20 °C', '5 µg', '€ 10', '£5', '«Ana»', 'etc…', 'Gonçalves'],
      ...['Inês', '½ lb'],
    ],
  ])('takes %s for Windows-1252', async (text) => {
    expect(await guessEncoding(bytesOf(text))).toBe('Windows-1252');
  });

  it('takes a few marks between letters for marks where accents tell the encoding', async () => {
    expect(await guessEncoding(bytesOf('casa–oficina,rock’n’roll,José,María,Ibáñez'))).toBe('Windows-1252');
  });

  it('takes a file whose only marks are ’ and € for Windows-1252', async () => {
    expect(await guessEncoding(bytesOf('Rock’n’roll,€ 10'))).toBe('Windows-1252');
  });

  it('looks at 10,000 bytes beyond ASCII at most', async () => {
    const bytes = new Proxy(Buffer.alloc(1_000_000, 0x96), {
      get: (buffer, key) => {
        const value: unknown = Reflect.get(buffer, key);
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return typeof value === 'function' ? value.bind(buffer) : value;
      },
    });
    let reads = 0;
    await guessEncoding(bytes);
    expect(reads).toBeLessThan(200_000);
  });

  it('names an encoding, whatever the bytes', () => {
    return fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        expect(['Windows-1252', 'Mac Roman', 'DOS (CP850)']).toContain(
          await guessEncoding(Buffer.from(bytes)),
        );
      }),
    );
  });
});
