import { DocumentedAnswers, type SentAnswer } from './support/documented-answers.js';

const DOCUMENT = {
  paths: {
    '/api/v1/guias/{id}': {
      get: {
        responses: {
          200: {
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Guia' } } },
          },
          404: {
            headers: { 'X-Request-Id': { schema: {} }, 'Retry-After': { schema: { type: 'integer' } } },
            content: {
              'application/problem+json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/ProblemaDto' },
                    { type: 'object', properties: { codigo: { enum: ['no_encontrado'] } } },
                  ],
                },
              },
            },
          },
        },
      },
      delete: { responses: { 204: { description: 'Listo.' } } },
    },
  },
  components: {
    headers: { 'X-Request-Id': { required: true, schema: { type: 'string' } } },
    schemas: {
      Guia: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          estado: { description: 'Estado.', allOf: [{ $ref: '#/components/schemas/Estado' }] },
        },
        required: ['id', 'estado'],
      },
      Estado: { type: 'string', enum: ['aceptado', 'entregado'] },
      ProblemaDto: {
        type: 'object',
        properties: { codigo: { enum: ['no_encontrado', 'metodo_no_permitido', 'error_interno'] } },
        required: ['codigo'],
      },
    },
  },
};

const GUIA = { id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', estado: 'aceptado' };

/** A right answer, but for what is given. */
const answer = ({ body = GUIA, ...over }: Partial<Omit<SentAnswer, 'body'>> & { body?: unknown } = {}) => ({
  ...{ method: 'GET', route: '/api/v1/guias/:id', url: '/api/v1/guias/x', status: 200 },
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' } as Record<
    string,
    unknown
  >,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  ...over,
});
const problem = (codigo: string, over: Partial<SentAnswer> = {}) =>
  answer({ status: 404, headers: { 'content-type': 'application/problem+json' }, ...over, body: { codigo } });

describe('the comparison of answers with the OpenAPI document', () => {
  const documented = new DocumentedAnswers(DOCUMENT);
  const faultsOf = (one: SentAnswer) => documented.faultsOf(one);

  it.each<[string, SentAnswer]>([
    ['a body that fits', answer()],
    ['a documented error', problem('no_encontrado')],
    ['an answer without a body', answer({ method: 'DELETE', status: 204, headers: {}, body: '' })],
    ['HEAD, which has the headers alone', answer({ method: 'HEAD', body: '' })],
    ['an unknown route', { ...problem('no_encontrado'), route: undefined, headers: problemHeaders() }],
    ['a page that is not part of the API', answer({ route: '/c/:token', url: '/c/x', body: '<html>' })],
  ])('finds nothing in %s', (_, one) => expect(faultsOf(one)).toEqual([]));

  it.each<[string, SentAnswer, RegExp]>([
    ['a status that is not documented', answer({ status: 202 }), /202 is not documented/],
    ['another type', answer({ headers: headers({ 'content-type': 'text/html' }) }), /text\/html is not/],
    ['no type', answer({ headers: { 'x-request-id': 'a' } }), /type none is not/],
    ['a field that is missing', answer({ body: { id: GUIA.id } }), /must have required property 'estado'/],
    ['a field that is not documented', answer({ body: { ...GUIA, mas: 1 } }), /additional properties/],
    ['a value of another type', answer({ body: { ...GUIA, id: 1 } }), /\/id must be string/],
    ['a value of another form', answer({ body: { ...GUIA, id: 'x' } }), /must match format "uuid"/],
    ['a value outside its list', answer({ body: { ...GUIA, estado: 'x' } }), /allowed values/],
    ['an error code of other operations', problem('error_interno'), /allowed values/],
    [
      'a header that is missing',
      answer({ headers: headers({ 'x-request-id': undefined }) }),
      /Id is missing/,
    ],
    ['a header that is not documented', answer({ headers: headers({ etag: '"1"' }) }), /etag is not/],
    [
      'a header of another type',
      problem('no_encontrado', { headers: { ...problemHeaders(), 'retry-after': 'soon' } }),
      /Retry-After: data must be integer/,
    ],
    [
      'a body where none is documented',
      answer({ method: 'DELETE', status: 204, headers: {}, body: 'x' }),
      /has a body/,
    ],
    [
      'an unknown code at an unknown route',
      { ...problem('otro'), route: undefined, headers: problemHeaders() },
      /allowed values/,
    ],
  ])('finds %s', (_, one, fault) => expect(faultsOf(one).join('\n')).toMatch(fault));
});

function headers(over: Record<string, unknown>): Record<string, unknown> {
  return { ...answer().headers, ...over };
}

function problemHeaders(): Record<string, unknown> {
  return { 'content-type': 'application/problem+json', 'x-request-id': 'a' };
}
