import { FOLDERS } from './steps.mjs';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION = `Todas las solicitudes de la API de Guías, en un orden que funciona: cada una usa lo que guardaron las anteriores.

1. En *Variables*, ponga \`baseUrl\` y \`claveDePrueba\` (\`gk_test_…\`); nada de lo que se crea es real.
2. Si tiene una clave de operador, póngala en \`claveDeOperador\`. Sin ella, la carpeta 4 responde 401.
3. Ejecute la colección entera, o una solicitud a la vez de arriba hacia abajo.

Cada solicitud comprueba su respuesta.`;

/** Stands for a settlement until one is made: no such id exists. */
const NO_ID = '00000000-0000-7000-8000-000000000000';

/** Ids of what needs an operator's key. */
const MADE_BY_OPERATORS = new Set([
  'liquidacion',
  'ajuste',
  'piloto',
  'webhookDeOperador',
  'entregaDeOperador',
]);

/**
 * A Postman collection (v2.1) of every operation of an OpenAPI document.
 * @throws Error where an operation has no step, or a step is not documented.
 */
export function postmanCollection(document) {
  const operations = operationsOf(document);
  const steps = FOLDERS.flatMap((folder) => folder.steps);
  const named = new Set(steps.map(({ operation }) => operation));
  const left = [...operations.keys()].filter((id) => !named.has(id));
  if (left.length > 0)
    throw new Error(`add these operations to clients/postman/steps.mjs: ${left.join(', ')}`);
  for (const step of steps) checkStep(step, operations.get(step.operation));

  const saved = steps.flatMap(({ save = {} }) => Object.keys(save));
  return {
    info: {
      name: `${document.info.title} v${document.info.version}`,
      description: DESCRIPTION,
      schema: SCHEMA,
    },
    auth: bearer('{{claveDePrueba}}'),
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'claveDePrueba', value: '' },
      { key: 'claveDeOperador', value: '' },
      { key: 'corrida', value: '' },
      ...saved.map((key) => ({ key, value: MADE_BY_OPERATORS.has(key) ? NO_ID : '' })),
    ],
    event: [],
    item: FOLDERS.map(({ name, description, steps }) => ({
      name,
      description,
      item: steps.map((step) => itemOf(step, operations.get(step.operation), step === FOLDERS[0].steps[0])),
    })),
  };
}

/** Operations by id; the errors that they refer to are written out. */
function operationsOf({ paths, components }) {
  const operations = new Map();
  const written = ([status, answer]) => [
    status,
    answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer,
  ];
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      operations.set(operation.operationId, {
        ...operation,
        ...{ path, method: method.toUpperCase() },
        responses: Object.fromEntries(Object.entries(operation.responses).map(written)),
      });
  return operations;
}

/** Keeps a step to what the document says of its operation. */
function checkStep({ operation, status = 200, codigo, path = {}, query = {}, withoutOperator }, documented) {
  const refuse = (what) => {
    throw new Error(`${operation} in clients/postman/steps.mjs: ${what} is not documented`);
  };
  if (!documented) refuse('the operation');
  const known = (where) =>
    (documented.parameters ?? []).filter((one) => one.in === where).map(({ name }) => name);
  for (const name of Object.keys(path)) if (!known('path').includes(name)) refuse(`the path's ${name}`);
  for (const name of Object.keys(query)) if (!known('query').includes(name)) refuse(`the query's ${name}`);
  for (const answer of [{ status, codigo }, ...(withoutOperator ? [withoutOperator] : [])]) {
    const response = documented.responses[answer.status];
    if (!response) refuse(`the status ${answer.status}`);
    const { examples } = response.content?.['application/problem+json'] ?? {};
    if (answer.codigo !== undefined && !(answer.codigo in examples)) refuse(`the code ${answer.codigo}`);
  }
}

function itemOf(step, { method, path, summary, description }, isFirst) {
  const { headers = {}, body, key, query = {}, path: values = {} } = step;
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => values[part.slice(1, -1)] ?? part);
  const queries = Object.entries(query).map(([name, value]) => ({ key: name, value }));
  const search = queries.map(({ key, value }) => `${key}=${value}`).join('&');
  const name = step.name ?? summary;
  return {
    name: step.codigo ? `${name}: ${step.status} ${step.codigo}` : name,
    event: [
      // Every run of the collection makes new guides.
      ...(isFirst
        ? [script('prerequest', ["pm.collectionVariables.set('corrida', String(Date.now()));"])]
        : []),
      script('test', testOf(step)),
    ],
    request: {
      method,
      description,
      ...(key === 'operador' && { auth: bearer('{{claveDeOperador}}') }),
      ...(key === 'ninguna' && { auth: { type: 'noauth' } }),
      header: [
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...Object.entries(headers).map(([name, value]) => ({ key: name, value })),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}${search && `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(queries.length > 0 && { query: queries }),
      },
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  };
}

/** Lines that compare an answer with what the step says, and save what later steps need. */
function testOf({ status = 200, codigo, withoutOperator, save = {} }) {
  const expected = JSON.stringify({ status, ...(codigo && { codigo }) });
  const saves = Object.entries(save).map(
    ([name, expression]) =>
      `  pm.collectionVariables.set('${name}', ${expression.replace(/^headers/, 'pm.response.headers')});`,
  );
  return [
    withoutOperator
      ? `const esperado = pm.variables.get('claveDeOperador') ? ${expected} : ${JSON.stringify(withoutOperator)};`
      : `const esperado = ${expected};`,
    "pm.test(`responde ${esperado.status} ${esperado.codigo ?? ''}`.trim(), () => {",
    '  pm.response.to.have.status(esperado.status);',
    '  if (esperado.codigo) pm.expect(pm.response.json().codigo).to.eql(esperado.codigo);',
    '});',
    ...(saves.length > 0
      ? [
          `if (pm.response.code === ${status}) {`,
          ...(saves.some((line) => line.includes(' body.')) ? ['  const body = pm.response.json();'] : []),
          ...saves,
          '}',
        ]
      : []),
  ];
}

function script(listen, exec) {
  return { listen, script: { type: 'text/javascript', exec } };
}

function bearer(value) {
  return { type: 'bearer', bearer: [{ key: 'token', value, type: 'string' }] };
}
