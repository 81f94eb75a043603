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

  it.each<[fault: string, one: SentAnswer]>([
    ['202 is not documented', answer({ status: 202 })],
    ['text/html is not', answer({ headers: headers({ 'content-type': 'text/html' }) })],
    ['type none is not', answer({ headers: { 'x-request-id': 'a' } })],
    ["must have required property 'estado'", answer({ body: { id: GUIA.id } })],
    ['additional properties', answer({ body: { ...GUIA, mas: 1 } })],
    ['/id must be string', answer({ body: { ...GUIA, id: 1 } })],
    ['must match format "uuid"', answer({ body: { ...GUIA, id: 'x' } })],
    ['allowed values', answer({ body: { ...GUIA, estado: 'x' } })],
    ['allowed values', problem('error_interno')],
    ['Id is missing', answer({ headers: headers({ 'x-request-id': undefined }) })],
    ['etag is not', answer({ headers: headers({ etag: '"1"' }) })],
    [
      'Retry-After: data must be integer',
      problem('no_encontrado', { headers: { ...problemHeaders(), 'retry-after': 'soon' } }),
    ],
    ['has a body', answer({ method: 'DELETE', status: 204, headers: {}, body: 'x' })],
    ['allowed values', { ...problem('otro'), route: undefined, headers: problemHeaders() }],
  ])('finds: %s', (fault, one) => expect(faultsOf(one).join('\n')).toContain(fault));
});

function headers(over: Record<string, unknown>): Record<string, unknown> {
  return { ...answer().headers, ...over };
}

function problemHeaders(): Record<string, unknown> {
  return { 'content-type': 'application/problem+json', 'x-request-id': 'a' };
}
