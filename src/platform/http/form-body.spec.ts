import fastify, { type FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { AppError } from '../errors/app-error.js';
import { parseForm, registerFormBody } from './form-body.js';

const parse = (text: string | Buffer) => ({ ...parseForm(Buffer.from(text)) });

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as AppError).codigo;
  }
}

describe('parseForm', () => {
  it.each([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=', { a: '' }],
    ['a', { a: '' }],
    ['&a=1&&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=1+2%2B3', { a: '1 2+3' }],
    ['a=%C3%B1&%C3%B1=x', { a: 'ñ', ñ: 'x' }],
    ['a=ñ', { a: 'ñ' }],
    ['a=l%C3%ADnea%0D%0Aotra', { a: 'línea\r\notra' }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ])('reads %j', (text, fields) => {
    expect(parse(text)).toEqual(fields);
  });

  it('joins the values of the list that a route names, and of no other field', () => {
    const body = Buffer.from('guias=1&piloto=x&guias=2&guias=3');
    expect({ ...parseForm(body, 'guias') }).toEqual({ guias: '1,2,3', piloto: 'x' });
    expect(codeOf(() => parseForm(body))).toBe('validacion');
    expect(codeOf(() => parseForm(Buffer.from('a=1&a=2'), 'guias'))).toBe('validacion');
  });

  it('treats __proto__ as any other name', () => {
    const fields = parseForm(Buffer.from('__proto__=x'));
    expect(Object.entries(fields)).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(fields)).toBeNull();
  });

  it.each(['a=%', 'a=%zz', 'a=%ff', 'a=%C3', '%E0%80%80=1', 'a=%ED%A0%80', Buffer.from([0x61, 0x3d, 0xff])])(
    'refuses invalid UTF-8: %j',
    (text) => {
      expect(codeOf(() => parse(text))).toBe('json_invalido');
    },
  );

  it.each(['lat=1&lat=2', 'a=1&%61=1'])('refuses a repeated field: %j', (text) => {
    expect(codeOf(() => parse(text))).toBe('validacion');
  });

  it('reads what browsers write', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
        (fields) => {
          const { ['']: _unnamed, ...named } = fields;
          expect(parse(new URLSearchParams(named).toString())).toEqual({ ...named });
        },
      ),
    );
  });
});

describe('a server with registerFormBody', () => {
  let server: FastifyInstance;

  beforeAll(async () => {
    server = fastify();
    registerFormBody(server);
    server.setErrorHandler((error: AppError & { code?: string }, _request, reply) =>
      reply.status(400).send({ codigo: error.codigo ?? error.code }),
    );
    server.post('/c/:token', { config: { takesForm: true } }, (request) => ({ body: request.body }));
    server.post('/api/v1/guias', () => 'reached');
    await server.ready();
  });
  afterAll(() => server.close());

  const post = async (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
    (
      await server.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
    ).json<unknown>();

  it.each(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=UTF-8'])(
    'reads forms on a route that takes them: %s',
    async (type) => {
      expect(await post('/c/x', 'lat=14%2C6', type)).toEqual({ body: { lat: '14,6' } });
    },
  );

  it('refuses forms on any other route', async () => {
    expect(await post('/api/v1/guias', 'a=1')).toEqual({ codigo: 'tipo_no_soportado' });
  });

  it('reads 32 KiB and no more', async () => {
    const largest = `a=${'x'.repeat(32 * 1024 - 2)}`;
    expect(await post('/c/x', largest)).toEqual({ body: { a: largest.slice(2) } });
    expect(await post('/c/x', `${largest}x`)).toEqual({ codigo: 'FST_ERR_CTP_BODY_TOO_LARGE' });
  });

  it('reads an empty body as an empty form', async () => {
    expect(await post('/c/x', '')).toEqual({ body: {} });
  });
});
