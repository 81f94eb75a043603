import { expectFaults, expectProblem } from '../support/problem.js';
import { exchange, requestHead } from '../support/raw-http.js';
import { guiaBody } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const LIMIT = 32 * 1024;

describe('a request body', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  const send = (body: Buffer | string, contentType = 'application/json') =>
    test.request(GUIAS, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.key}`, 'content-type': contentType },
      body,
    });
  /** A valid body with a text put in by its JSON source, or by its bytes. */
  const withNotas = (source: string) => JSON.stringify(guiaBody({ notas: '@' })).replace('"@"', () => source);
  const withBytes = (...bytes: number[]) => {
    const [before, after] = JSON.stringify(guiaBody({ notas: '@' })).split('@') as [string, string];
    return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  };
  const guias = () => test.database.query<{ n: number }>('select count(*)::int as n from guias');

  describe('must be JSON in UTF-8: it gets 400 json_invalido', () => {
    const valid = JSON.stringify(guiaBody());
    const bad: [what: string, body: string | Buffer][] = [
      ['nothing', ''],
      ['half of an object', valid.slice(0, -1)],
      ['NaN', withNotas('NaN')],
      ['a byte that UTF-8 does not have', withBytes(0xff)],
      ['half a character', withBytes(0xc3)],
      ['a surrogate in UTF-8', withBytes(0xed, 0xa0, 0x80)],
      ['a raw NUL', withBytes(0)],
      ['__proto__', valid.replace('{', '{"__proto__":{"nombre":"x"},')],
      ['__proto__, escaped', valid.replace('{', '{"__\\u0070roto__":{"nombre":"x"},')],
      ['constructor.prototype', valid.replace('{', '{"constructor":{"prototype":{}},')],
      ['nine levels', withNotas('['.repeat(8) + ']'.repeat(8))],
      ['10,000 levels of arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
    ];
    it.each(bad)('for %s', async (_, body) => {
      const before = await guias();
      expectProblem(await send(body), 'json_invalido');
      expect(await guias()).toEqual(before);
    });

    it.each([
      ['a comma too many, with CRLF', '{\r\n  "telefono": "5",\r\n}', /línea 3, columna 1\. Revise/],
      ['a missing end', '{\n"notas": "x"', /se corta en la línea 2, columna 13/],
      ['__proto__', '{"__proto__": {}}', /`__proto__`/],
      ['Latin 1', Buffer.from('{\n"notas": "Mu\xf1oz"}', 'latin1'), /no está en UTF-8.* línea 2, columna 13/],
      ['UTF-16 with its mark', Buffer.from('\ufeff{"a": 1}', 'utf16le'), /parece estar en UTF-16/],
    ])('and says where: %s', async (_, body, detail) => {
      expect((await send(body)).body).toMatchObject({
        codigo: 'json_invalido',
        detail: expect.stringMatching(detail),
      });
    });

    it('with at most 8 levels, and 200 names in an object', async () => {
      expect((await send('['.repeat(9))).body).toMatchObject({
        codigo: 'json_invalido',
        detail: expect.stringContaining('8 niveles'),
      });
      const names = (count: number) => `{${Array.from({ length: count }, (_, n) => `"x${n}":0`).join()}}`;
      expectFaults(await send(names(201)), ['cuerpo: fuera_de_rango']);
      expect((await send(names(200))).body.errores[0]).toMatchObject({ codigo: 'requerido' });
    });

    it('accepts a byte order mark and ignores it', async () => {
      const answer = await send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(valid)]));
      expect(answer.status).toBe(201);
    });

    it.each(['constructor', 'prototype', 'toString', '\\u0000', '\\ud800'])(
      'but 400 validacion for a field named %s',
      async (name) => {
        const answer = await send(valid.replace('{', `{"${name}":"x",`));
        expect(answer.body).toMatchObject({
          codigo: 'validacion',
          errores: [{ codigo: 'campo_desconocido' }],
        });
        const inner = await send(valid.replace('"lat"', `"${name}":"x","lat"`));
        expect(inner.body).toMatchObject({
          codigo: 'validacion',
          errores: [{ codigo: 'campo_desconocido' }],
        });
      },
    );

    it('validates and stores the last of two fields with the same name', async () => {
      const twice = withNotas('"primera","notas":"segunda"');
      const { body } = await send(twice);
      expect((await merchant.get(`${GUIAS}/${body.id}`)).body.guia.notas).toBe('segunda');
      expectFaults(await send(withNotas('"primera","notas":5')), ['notas: tipo']);
    });
  });

  describe('may have 32 KiB:', () => {
    const padded = (length: number) => JSON.stringify(guiaBody()).padEnd(length, ' ');
    const head = (headers: Record<string, string>) =>
      requestHead('POST', GUIAS, {
        Authorization: `Bearer ${merchant.key}`,
        'Content-Type': 'application/json',
        ...headers,
      });
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

    it('32,769 bytes get 413', async () => {
      const answer = await send(padded(LIMIT + 1));
      expectProblem(answer, 'cuerpo_demasiado_grande');
      expect(answer.body.detail).toMatch(/hasta 32 KiB\. Acorte/);
    });

    it('chunked bodies have the same limit', async () => {
      const chunked = head({ 'Transfer-Encoding': 'chunked' });
      const halves = (length: number) => chunk(padded(LIMIT / 2)) + chunk(' '.repeat(length - LIMIT / 2));
      expect((await exchange(test.url, chunked, halves(LIMIT), '0\r\n\r\n')).status).toBe(201);
      const answer = await exchange(test.url, chunked, halves(LIMIT + 1), '0\r\n\r\n');
      expectProblem(answer, 'cuerpo_demasiado_grande');
    });

    it('a Content-Length above the limit gets 413 before the body is sent', async () => {
      const answer = await exchange(test.url, head({ 'Content-Length': '1000000000' }));
      expectProblem(answer, 'cuerpo_demasiado_grande');
    });
  });

  describe('comes uncompressed:', () => {
    const coded = (path: string, coding: string, type = 'application/json') =>
      merchant.post(path, JSON.stringify(guiaBody()), { 'content-type': type, 'content-encoding': coding });

    it.each([
      [GUIAS, 'gzip', undefined],
      [GUIAS, 'identity, br', undefined],
      [`${GUIAS}/lote`, 'gzip', 'text/csv'],
      ['/api/v1/etiquetas', 'zstd', undefined],
    ])('%s refuses the Content-Encoding %s with 415, and says so', async (path, coding, type) => {
      const answer = await coded(path, coding, type);
      expectProblem(answer, 'tipo_no_soportado');
      expect(answer.body.detail).toContain('sin comprimir');
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    });

    it.each(['identity', 'utf-8'])('the Content-Encoding %s is accepted', async (coding) => {
      expect((await coded(GUIAS, coding)).status).toBe(201);
    });
  });
});
