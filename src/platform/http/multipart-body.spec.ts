import { parseMultipart } from './multipart-body.js';

const TYPE = 'multipart/form-data; boundary=x';
const part = (headers: string, text: string) =>
  `--x\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${text}\r\n`;
const parse = (body: string, type = TYPE) => parseMultipart(Buffer.from(body), type, 'archivo');

describe('parseMultipart', () => {
  it('reads texts and the file, whose bytes may be any', async () => {
    const bytes = '\r\n--y\r\n\r\n--\r\n-x\0';
    const fields = await parse(
      `${part('name="clave"', 'ñ')}${part('name="archivo"; filename="a%22b;ñ.csv"\r\nContent-Type: text/csv', bytes)}${part('name="vacio"', '')}--x--\r\n`,
    );
    expect({ ...fields }).toEqual({
      clave: 'ñ',
      archivo: { name: 'a"b;ñ.csv', bytes: Buffer.from(bytes) },
      vacio: '',
    });
  });

  it('finds a boundary wherever the body is divided for its search', async () => {
    for (const length of [262_138, 262_139, 262_140, 262_141, 262_142, 262_143, 262_144, 600_000]) {
      const fields = await parse(`${part('name="archivo"; filename="a"', 'a'.repeat(length))}--x--`);
      expect(fields.archivo).toMatchObject({ bytes: { length } });
    }
  });

  it.each([
    ['no boundary', 'x', 'multipart/form-data'],
    ['another', part('name="a"', 'b'), 'multipart/form-data; boundary=y'],
    ['no end', part('name="a"', 'b')],
    ['no name', `${part('filename="b"', 'b')}--x--`],
    ['boundaries alone', '--x\r\n'.repeat(1_000)],
    ['boundaries without headers', '\r\n--x'.repeat(1_000)],
    ['21 parts', `${part('name="a"', 'b').repeat(21)}--x--`],
    ['headers that are too long', `${part(`name="a"\r\nX: ${'a'.repeat(9_000)}`, 'b')}--x--`],
    ['headers that do not end', `--x\r\n${'a: b\r\n'.repeat(2_000)}`],
    ['nothing', ''],
  ])('refuses a body with %s', async (_, body, type = TYPE) => {
    await expect(parse(body, type)).rejects.toMatchObject({ codigo: 'json_invalido' });
  });
});
