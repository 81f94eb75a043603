// The longest and worst bodies, queries and headers that the service reads: for every operation of its OpenAPI document,
// and for routes that the document does not have.
import { createHmac } from 'node:crypto';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Characters of a request line or header: Node reads 16 KiB of them in all. */
const HEAD = 14_000;

/** A text of `length` characters. */
const fill = (part, length) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

/** Parts that parsers of texts, phones, links, times and amounts may be slow with. */
const PARTS = {
  letters: 'a',
  digits: '5',
  blanks: ' ',
  'line ends': '\n',
  accents: 'a\u0301',
  'combining marks': '\u0301',
  invisible: '\u200b',
  emoji: '👩🏽‍🚀',
  'fancy digits': '𝟓',
  'halves of characters': '\ud83d',
  brackets: '(',
  'country codes': '+502',
  'phones with slashes': '5555 1234 / ',
  'pairs of coordinates': '14.6407,-90.5133 ',
  degrees: `14°38'26" `,
  links: 'https://maps.google.com/?q=14.6,-90.5 ',
  'words and links': 'casa:https://maps.app.goo.gl/X ',
  'query of a link': '&q=14.6,-90.5',
  'escapes of HTML': '&amp;',
  'escapes of URLs': '%25',
  'plus codes': '76GRJFRP+7F ',
  tags: '<a href="',
  quotes: '"',
  backslashes: '\\',
  commas: ',',
  'tags of versions': '"1-gzip",',
  semicolons: ';q=0,',
  fillers: 'n/a,',
};
const texts = (length) =>
  Object.entries(PARTS).map(([name, part]) => [`${length} characters of ${name}`, fill(part, length)]);

/** `{…}` of as many members as fit. */
function members(limit, member) {
  const all = [];
  for (let n = 0, size = 2; size < limit - 200; size += all.at(-1).length + 1) all.push(member(n++));
  return `{${all.join()}}`;
}

/** Bodies of JSON that are wrong as a whole. */
const jsonBodies = (limit) => [
  ['many names', members(limit, (n) => `"${n.toString(36)}":0`)],
  ['many mistyped names', members(limit, (n) => `"telefon${n.toString(36)}":0`)],
  ['many long names', members(limit, (n) => `"${n}${fill('direccion', 100)}":0`)],
  ['one name many times', members(limit, () => '"telefono":"+50255551234"')],
  ['a long name', `{"${fill('telefono', limit - 20)}":0}`],
  ['names like __proto__', members(limit, (n) => `"__prot${n.toString(36)}__":{"_":0}`)],
  [
    'an escaped __proto__ at the end',
    `{"a":[${fill('{"a":0},', limit - 60)}0],"\\u005f_proto__":0}`.replace(/,\{[^}]*0\]/, ',0]'),
  ],
  ['deep lists', fill('[', limit / 2) + fill(']', limit / 2)],
  ['deep objects', fill('{"a":', limit - 5)],
  ['many lists', `{"a":[${fill('[],', limit - 60).replace(/[^,]*$/, '')}0]}`],
  ['many objects', `{"a":[${fill('{"b":{}},', limit - 60).replace(/[^,]*$/, '')}0]}`],
  ['many numbers', `{"a":[${fill('1e5,', limit - 60).replace(/[^,]*$/, '')}0]}`],
  ['a long number', `{"cod_amount":${fill('9', limit - 20)}}`],
  ['a bare list', `[${fill('0,', limit - 10).replace(/[^,]*$/, '')}0]`],
  ['a fault at the end of a list', `[${fill('0,', limit - 10)}`],
  ['a fault at the end of a text', `"${fill('a', limit - 4)}`],
  ['a fault after many escapes', `"${fill('\\n', limit - 4)}`],
  ['a fault after many lines', fill('\n', limit - 1) + 'x'],
  ['a byte that is not UTF-8 at the end', Buffer.concat([Buffer.alloc(limit - 1, '\n'), Buffer.of(0xff)])],
  ['UTF-16', Buffer.alloc(limit, 'a\0')],
];

const EXAMPLE_GUIDE = { telefono: '+50255551234', recogida: { lat: 14.6, lng: -90.5 } };

/** Bodies of an operation: wrong ones, and each field of its schema with each text. */
function bodiesOf({ operationId }, schema, document) {
  const limit = { crearGuiasEnLote: MIB, registrarEventos: 512 * KIB }[operationId] ?? 32 * KIB;
  const properties = resolve(schema, document).properties ?? {};
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const of = resolve(property, document);
    const wrap = (text) => (of.type === 'array' ? [text] : text);
    const whole = texts(limit / 4).map(([what, text]) => [`${name}: ${what}`, { [name]: wrap(text) }]);
    const list =
      of.type === 'array'
        ? [[`${name}: many`, { [name]: Array.from({ length: limit / 40 }, () => 'zzzz-zzzz') }]]
        : [];
    const inner = Object.keys(of.properties ?? {}).flatMap((field) =>
      texts(limit / 4).map(([what, text]) => [`${name}.${field}: ${what}`, { [name]: { [field]: text } }]),
    );
    return [...whole, ...list, ...inner];
  });
  return [
    ...jsonBodies(limit),
    ...fields.map(([what, body]) => [what, shortened(JSON.stringify(body), limit)]),
  ];
}

/** A text of escapes or several bytes may be longer than the body may be: the JSON then ends early, as a fault. */
const shortened = (json, limit) => {
  const bytes = Buffer.from(json);
  return bytes.length <= limit ? bytes : bytes.subarray(0, limit);
};

function resolve(schema, document) {
  const found = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  return found.allOf ? Object.assign({}, ...found.allOf.map((part) => resolve(part, document))) : found;
}

const encoded = (text) => encodeURIComponent(text.toWellFormed?.() ?? text.replace(/[\ud800-\udfff]/g, ''));

/** Queries of an operation: many names, and each of its filters with each text. */
function queriesOf(parameters) {
  const names = parameters.filter((it) => it.in === 'query').map(({ name }) => name);
  return [
    ['many names', Array.from({ length: 2_300 }, (_, n) => `${n.toString(36)}=`).join('&')],
    ['many mistyped names', Array.from({ length: 900 }, (_, n) => `telefon${n.toString(36)}=`).join('&')],
    ['a long name', fill('telefono', HEAD)],
    ['escapes', fill('%41', HEAD)],
    ['broken escapes', fill('%c3', HEAD)],
    ['many signs', fill('&=', HEAD)],
    ...names.flatMap((name) => [
      [`${name} many times`, fill(`${name}=a&`, HEAD)],
      ...texts(HEAD).map(([what, text]) => [
        `${name}: ${what}`,
        `${name}=${encoded(text).slice(0, HEAD - 50)}`,
      ]),
    ]),
  ];
}

/** Headers that the service reads, with each text that a header can carry. */
function headersOf(names) {
  const parts = Object.entries(PARTS).filter(([, part]) => /^[\x20-\x7e]+$/.test(part));
  return names.flatMap((name) =>
    parts.map(([what, part]) => [`${name}: ${what}`, { [name]: fill(part, HEAD - 500) }]),
  );
}

const HEADERS = [
  ...['authorization', 'if-match', 'if-none-match', 'idempotency-key', 'accept-encoding', 'content-type'],
  ...['content-encoding', 'x-request-id', 'traceparent', 'x-forwarded-for', 'x-forwarded-proto', 'cookie'],
  ...['range', 'accept', 'accept-language', 'origin', 'referer', 'expect', 'x-hub-signature-256'],
];

/**
 * Every input, as a request.
 * @param keys of a merchant, of its test mode, and of an operator.
 * @returns {{ route: string, what: string, method: string, path: string, headers: object, body?: Buffer | string }[]}
 */
export function holdInputs(document, { merchant, test, operator, board, whatsappSecret, session }) {
  const inputs = [];
  for (const [template, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations)) {
      const method = verb.toUpperCase();
      const route = `${method} ${template}`;
      const path = template.replace(/\{[^}]*\}/g, 'zzzz-zzzz');
      const key = template.includes('/operaciones/')
        ? operator
        : template.includes('/pruebas/')
          ? test
          : merchant;
      const headers = { authorization: `Bearer ${key}` };
      const json = { ...headers, 'content-type': 'application/json' };
      const schema = operation.requestBody?.content['application/json']?.schema;
      if (schema)
        for (const [what, body] of bodiesOf(operation, schema, document))
          inputs.push({ route, what, method, path, headers: json, body });
      for (const [what, query] of queriesOf(operation.parameters ?? []))
        inputs.push({
          route,
          what: `query: ${what}`,
          method,
          path: `${path}?${query}`,
          headers: json,
          body: schema && '{}',
        });
    }
  const guides = { method: 'POST', path: '/api/v1/guias', route: 'POST /api/v1/guias' };
  const authorization = `Bearer ${merchant}`;
  for (const [what, headers] of headersOf(HEADERS))
    inputs.push({
      ...guides,
      what: `header ${what}`,
      headers: { 'content-type': 'application/json', authorization, ...headers },
      body: JSON.stringify(EXAMPLE_GUIDE),
    });
  inputs.push({
    ...guides,
    method: 'GET',
    what: 'header: 98 of them',
    headers: Object.fromEntries(Array.from({ length: 95 }, (_, n) => [`x-${n}`, fill('a', 100)])),
  });
  const batch = { method: 'POST', path: '/api/v1/guias/lote', route: 'POST /api/v1/guias/lote' };
  for (const [what, body] of batches())
    inputs.push({ ...batch, what, headers: { authorization, 'content-type': 'application/json' }, body });
  for (const [what, body] of csvFiles())
    inputs.push({
      ...batch,
      what: `CSV: ${what}`,
      headers: { authorization, 'content-type': 'text/csv' },
      body,
    });
  for (const [what, body] of whatsappBodies()) {
    const signature = createHmac('sha256', whatsappSecret).update(body).digest('hex');
    inputs.push({
      route: 'POST /webhooks/whatsapp',
      what,
      method: 'POST',
      path: '/webhooks/whatsapp',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      body,
    });
  }
  return [...inputs, ...pageInputs(board), ...uploads(session)];
}

/** Batches of JSON whose guides are as long and as wrong as they may be. */
function batches() {
  const of = (guide) => JSON.stringify({ guias: Array.from({ length: 100 }, (_, n) => guide(n)) });
  const long = (n, over) => ({ ...EXAMPLE_GUIDE, external_ref: `holds-${n}`, ...over });
  const size = 9_000;
  return [
    ['100 guides', of((n) => long(n, { notas: fill('a ', 500), direccion: fill('b ', 300) }))],
    [
      '100 guides with map links',
      of((n) =>
        long(n, {
          maps_url: `${fill('casa:https://x.example ', 1_900)} https://maps.google.com/?q=14.6,-90.5`,
        }),
      ),
    ],
    [
      '100 guides of many names',
      of((n) => ({ ...long(n), ...JSON.parse(members(size, (m) => `"telefon${m}":0`)) })),
    ],
    ...texts(size).flatMap(([what, text]) => [
      [
        `100 guides, telefono: ${what}`,
        shortened(
          of((n) => long(n, { telefono: text })),
          MIB,
        ),
      ],
      [
        `100 guides, maps_url: ${what}`,
        shortened(
          of((n) => long(n, { maps_url: text })),
          MIB,
        ),
      ],
      [
        `100 guides, notas: ${what}`,
        shortened(
          of((n) => long(n, { notas: text })),
          MIB,
        ),
      ],
    ]),
    ...texts(250).map(([what, text]) => [
      `100 guides, telefono: ${what}`,
      of((n) => long(n, { telefono: text })),
    ]),
    ...texts(2_000).map(([what, text]) => [
      `100 guides, maps_url: ${what}`,
      of((n) => long(n, { maps_url: text })),
    ]),
  ];
}

/** CSV files of one MiB. */
function csvFiles() {
  const head = 'external_ref,telefono,nombre,direccion,maps_url,recogida.lat,recogida.lng,cod_amount,notas';
  const rows = (row) => {
    const lines = [head];
    for (let size = head.length; lines.length <= 1_000 && size < MIB - 2_000; size += lines.at(-1).length + 1)
      lines.push(row(lines.length));
    return lines.join('\n');
  };
  const cell = (text) => `"${text.replaceAll('"', '""')}"`;
  return [
    [
      '1,000 rows',
      rows((n) => `csv-${n},55551234,Ana,${fill('calle ', 300)},,14.6,-90.5,1.50,${fill('nota ', 400)}`),
    ],
    ['1,000 wrong rows', rows((n) => `csv-${n},abc,a\u0007,b\u0007,c,x,y,z,\u0007`)],
    ['one row many times', rows(() => 'csv,55551234,Ana,x,,14.6,-90.5,1,x')],
    ['many rows', `${head}\n${fill('a\n', MIB - 200)}`],
    ['many empty rows', `${head}${fill('\n', MIB - 200)}`],
    ['many blanks', `${head}\n${fill(' ', MIB - 200)}`],
    ['many cells', `${head}\n${fill(',', MIB - 200)}`],
    ['many columns', `${fill('telefon,', MIB - 10)}\n1`],
    ['a long column', `${fill('telefono', MIB - 10)}\n1`],
    ['many quotes', `${head}\n${fill('"', MIB - 200)}`],
    ['quotes and line ends', `${head}\n${fill('"a\n"\n', MIB - 200)}`],
    ['a quote that is not closed', `${head}\n"${fill('a\n', MIB - 200)}`],
    ['semicolons', `${head.replaceAll(',', ';')}\n${fill('a;', MIB - 200)}`],
    ['tabs', `${head}\n${fill('a\t', MIB - 200)}`],
    ['returns', `${head}\r${fill('a\r', MIB - 200)}`],
    ['Windows-1252', Buffer.from(`${head}\n${fill('Mu\xf1oz\n', MIB - 200)}`, 'latin1')],
    ['Mac Roman', Buffer.from(`${head}\n${fill('Mu\x96oz\n', MIB - 200)}`, 'latin1')],
    ['UTF-16', Buffer.from(fill('a,b\n', MIB / 2), 'utf16le')],
    ['zeros', Buffer.alloc(MIB)],
    ['random bytes', Buffer.from(Array.from({ length: MIB }, (_, n) => (n * 2_654_435_761) >>> 24))],
    ...texts(900).flatMap(([what, text]) => [
      [`phones of ${what}`, rows((n) => `csv-${n},${cell(text)},,,,14.6,-90.5,,`).slice(0, MIB - 4_000)],
      [
        `links of ${what}`,
        rows((n) => `csv-${n},55551234,,,${cell(text)},14.6,-90.5,,`).slice(0, MIB - 4_000),
      ],
      [
        `amounts of ${what}`,
        rows((n) => `csv-${n},55551234,,,,14.6,-90.5,${cell(text)},`).slice(0, MIB - 4_000),
      ],
    ]),
  ]
    .map(([what, file]) => [what, Buffer.from(file)])
    .map(([what, file]) => [what, file.subarray(0, MIB)]);
}

/** Webhooks of three MiB, as Meta could send them. */
function whatsappBodies() {
  const value = (fields) => ({
    entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: '1' }, ...fields } }] }],
  });
  const many = (item) => {
    const size = JSON.stringify(item(0)).length + 1;
    return Array.from({ length: Math.floor((3 * MIB - 300) / (size + 6)) }, (_, n) => item(n));
  };
  const message = (n, over) => ({ id: `wamid.${n}`, from: '50255551234', timestamp: '1795219200', ...over });
  return [
    [
      'statuses',
      value({ statuses: many((n) => ({ id: `wamid.${n}`, status: 'delivered', timestamp: '1795219200' })) }),
    ],
    ['texts', value({ messages: many((n) => message(n, { type: 'text', text: { body: 'hola' } })) })],
    [
      'long texts',
      value({
        messages: many((n) =>
          message(n, { type: 'text', text: { body: fill('casa:https://x.example ', 4_000) } }),
        ),
      }),
    ],
    [
      'places',
      value({
        messages: many((n) =>
          message(n, { type: 'location', location: { latitude: 14.6, longitude: -90.5 } }),
        ),
      }),
    ],
    ['entries', { entry: many(() => ({ changes: [] })) }],
  ]
    .map(([what, body]) => [what, Buffer.from(JSON.stringify(body))])
    .concat([
      ['a fault at the end', Buffer.alloc(3 * MIB, '[0,')],
      ['deep lists', Buffer.alloc(3 * MIB, '[')],
    ]);
}

/** Searches and forms of pages. */
function pageInputs(board) {
  const authorization = `Basic ${Buffer.from(board).toString('base64')}`;
  const form = 'application/x-www-form-urlencoded';
  const long = 31 * KIB;
  const forms = [
    ['many names', Array.from({ length: 5_000 }, (_, n) => `${n.toString(36)}=`).join('&')],
    ['a long name', fill('a', long)],
    ['escapes', `notas=${fill('%41', long)}`],
    ['many signs', fill('&=', long)],
    ...texts(long).map(([what, text]) => [what, `enlace=${encoded(text)}`.slice(0, long)]),
  ];
  return [
    ...forms.map(([what, body]) => ({
      route: 'POST /c/{token}',
      what,
      method: 'POST',
      path: '/c/zzzz',
      headers: { 'content-type': form },
      body,
    })),
    ...forms.map(([what, body]) => ({
      route: 'POST /admin/guias/{id}/destino',
      what,
      method: 'POST',
      path: '/admin/guias/zzzz/destino',
      headers: { authorization, 'content-type': form },
      body,
    })),
    ...texts(HEAD).map(([what, text]) => ({
      route: 'GET /admin/buscar',
      what,
      method: 'GET',
      path: `/admin/buscar?q=${encoded(text).slice(0, HEAD - 300)}`,
      headers: { authorization },
    })),
  ];
}

/** Files that a merchant uploads on the panel, and forms that are hardly one. @param session its cookie. */
function uploads(session) {
  const size = 5 * MIB - KIB;
  const file = (bytes) =>
    Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="archivo"; filename="a.csv"\r\n\r\n'),
      Buffer.from(bytes),
      Buffer.from('\r\n--x--\r\n'),
    ]);
  const long = fill('-', 70);
  const sent = [
    ['separators', file(fill(`${fill(',', 60_000)}\n`, size))],
    ['rows of separators', file(`Tel,Nota\n${fill('1,,,,,,,,,,,,,,,,,,,,,\n', size - 10)}`)],
    ['line ends', file(fill('\r\n', size))],
    ['quoted cells', file(`Tel\n${fill('"",', size - 10)}`)],
    ['lines of a character', file(`Tel\n${fill('1\n', size - 10)}`)],
    ['accents of Windows-1252', file(Buffer.alloc(size, Buffer.from('Nu\xf1ez,1\n', 'latin1')))],
    ['1,000 long rows', file(`Tel,Nota\n${fill(`1,${fill('a', 4_900)}\n`, size - 10)}`)],
    ['headers of a part', Buffer.from(`--x\r\n${fill('A: b\r\n', size)}`)],
    ['boundaries', Buffer.from(fill('--x\r\n', size))],
    ['what is nearly a boundary', Buffer.from(`--${long}\r\n${fill('-', size)}`), long],
  ];
  return sent.map(([what, body, boundary = 'x']) => ({
    route: 'POST /panel/importar',
    what,
    method: 'POST',
    path: '/panel/importar',
    headers: {
      cookie: session,
      'sec-fetch-site': 'same-origin',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    body,
  }));
}
