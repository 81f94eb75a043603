import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COLUMNS } from '../../src/guias/lote/csv-header.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { propertyRuns } from '../support/property-runs.js';
import { type Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const LOTE = `${GUIAS}/lote`;
const FILES = resolve(import.meta.dirname, '../data/csv');
const HEADER = 'external_ref,telefono,departamento,municipio,recogida.lat,recogida.lng';
const ROW = '5555 1234,Guatemala,Mixco,14.6349,-90.5069';

describe('POST /api/v1/guias/lote with a CSV file', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  const send = (file: string | Buffer, by = merchant, type = 'text/csv') =>
    test.request(LOTE, {
      method: 'POST',
      headers: { authorization: `Bearer ${by.key}`, 'content-type': type },
      body: Buffer.from(file as string),
    });
  const rows = (count: number, prefix: string) =>
    [HEADER, ...Array.from({ length: count }, (_, n) => `${prefix}-${n},${ROW}`)].join('\n');
  const counts = ({ status, body: { creadas, duplicadas, rechazadas } }: Answer) => [
    ...[status, creadas, duplicadas, rechazadas],
  ];
  const faultsOf = (result: any) => result.errores.map(({ campo, codigo }: any) => `${campo}: ${codigo}`);
  const stored = ({ id } = merchant) =>
    test.database.query<Record<string, any>>(
      'select * from guias where comercio_id = $1 order by external_ref',
      [id],
    );

  describe.each(readdirSync(FILES))('%s', (name) => {
    it('is read as it was written, with a result for each row', async () => {
      const by = await test.merchant();
      const answer = await send(readFileSync(join(FILES, name)), by);
      expect(counts(answer)).toEqual([200, 2, 0, 1]);
      const first = name === 'excel-es-sep.csv' ? 3 : 2;
      const third = first + (name === 'excel-mac.csv' ? 2 : 3);
      expect(answer.body.resultados.map(({ linea, status }: any) => [linea, status])).toEqual([
        ...[
          [first, 201],
          [first + 1, 201],
          [third, 400],
        ],
      ]);
      expect(faultsOf(answer.body.resultados[2])).toEqual(['external_ref: formato', 'telefono: formato']);
      for (const { mensaje } of answer.body.resultados[2].errores)
        expect(mensaje).toMatch(/«5[.,]02556E\+11» y se perdieron cifras/);
      const [one, two] = await stored(by);
      expect(one).toMatchObject({
        ...{ destinatario: 'Ana López', telefono: '+50255551234', municipio: 'Mixco' },
        ...{ direccion: '4a calle 5-10, zona 1', referencia: 'Portón verde; timbre' },
        ...{ contenido: 'Zapatos "talla 38"', notas: null, destino_lat: 14.6407, destino_lng: -90.5133 },
        ...{ recogida_lat: 14.6349, recogida_lng: -90.5069, direccion_confirmada: true },
      });
      expect(Number(one!.cod_amount)).toBe(349.5);
      expect(two).toMatchObject({
        ...{ destinatario: 'Íñigo Núñez', departamento: 'Sacatepéquez', direccion_confirmada: false },
        ...{ contenido: 'Café – 2 lb “molido”' },
        notas: name === 'excel-mac.csv' ? 'Llamar antes' : 'Llamar\nantes',
      });
      expect(Number(two!.cod_amount)).toBe(1234.5);
    });
  });

  it('creates 1,000 guides; sent again, each is a duplicate', async () => {
    const file = rows(1_000, 'mil');
    expect(counts(await send(file))).toEqual([200, 1_000, 0, 0]);
    const again = await send(file);
    expect(counts(again)).toEqual([200, 0, 1_000, 0]);
    expect(again.body.resultados.every(({ duplicada }: any) => duplicada)).toBe(true);
    const made = await test.database.query(`select 1 from guias where external_ref like 'mil-%'`);
    expect(made).toHaveLength(1_000);
  });

  it('refuses a row by itself, as a single create would', async () => {
    const file = `${HEADER},cod_amount\nf-1,x,Guatemala,,95,,1e\nf-2,${ROW},1.500\nf-3,${ROW},5,6\nf-4,${ROW}`;
    const { body } = await send(file);
    expect(body.resultados.map(({ status }: any) => status)).toEqual([400, 400, 400, 201]);
    expect(faultsOf(body.resultados[0]).sort()).toEqual([
      ...['cod_amount: formato', 'municipio: requerido'],
      ...['recogida.lat: fuera_de_rango', 'recogida.lng: incompleto', 'telefono: formato'],
    ]);
    expect(body.resultados[0]).toMatchObject({ linea: 2, external_ref: 'f-1', codigo: 'validacion' });
    expect(faultsOf(body.resultados[1])).toEqual(['cod_amount: formato']);
    expect(faultsOf(body.resultados[2])).toEqual(['columna 8: campo_desconocido']);
  });

  it('warns of text in a column without a name, which it does not read', async () => {
    const { body } = await send(`${HEADER},,\nu-1,${ROW},lost\nu-2,${ROW},,\nu-3,${ROW}, ,also lost`);
    expect(body.resultados).toEqual([
      expect.objectContaining({ status: 201, advertencias: ['columna_sin_nombre'] }),
      expect.not.objectContaining({ advertencias: expect.anything() }),
      expect.objectContaining({ status: 201, advertencias: ['columna_sin_nombre'] }),
    ]);
  });

  it.each<[what: string, file: string, faults: Parameters<typeof expectFaults>[1]]>([
    [
      'unknown headers',
      `${HEADER},extenal_ref,x\na,${ROW}`,
      ['extenal_ref: campo_desconocido', 'x: campo_desconocido'],
    ],
    ['a header that is there twice', `${HEADER},Teléfono\na,${ROW}`, ['telefono: formato']],
    ['1,001 rows', `${HEADER}${`\n,${ROW}`.repeat(1_001)}`, ['filas: fuera_de_rango']],
  ])('is refused as a whole: %s', async (_, file, faults) => {
    const before = await stored();
    expectFaults(await send(file), faults);
    expect(await stored()).toHaveLength(before.length);
  });

  it('gives a reference that stands twice to the earlier row, while other files are written', async () => {
    const files = Array.from({ length: propertyRuns(12) }, (_, n) =>
      [`${HEADER},contenido`, ...['a', 'b', 'a', 'c'].map((ref, i) => `${ref}-${n},${ROW},${i + 2}`)].join(
        '\n',
      ),
    );
    const by = await test.merchant();
    const wrong: unknown[] = [];
    const sendNext = async () => {
      for (let file = files.pop(); file; file = files.pop()) {
        const { body } = await send(file, by);
        const results = body.resultados.map(({ status }: any) => status);
        if (String(results) !== '201,201,200,201') wrong.push(results);
      }
    };
    await Promise.all(Array.from({ length: 6 }, sendNext));
    expect(wrong).toEqual([]);
    const later = await test.database.query(
      `select 1 from guias where comercio_id = $1 and contenido = '4'`,
      [by.id],
    );
    expect(later).toEqual([]);
  });

  it('refuses rows whose reference only fills the field and stands in several', async () => {
    const { body } = await send(`${HEADER}\nN/A,${ROW}\n-,${ROW}\nn/a,${ROW}`, await test.merchant());
    expect(body.resultados.map(({ status }: any) => status)).toEqual([400, 201, 400]);
    expect(faultsOf(body.resultados[0])).toEqual(['external_ref: formato']);
    expect(body.resultados[2].errores[0].mensaje).toContain('«n/a» está en más de una guía');
  });

  it.each<[what: string, file: string | Buffer, detail: RegExp]>([
    ['an Excel workbook', Buffer.from('504b030414000600', 'hex'), /Excel/],
    ['UTF-16', Buffer.from(`\ufeff${HEADER}\n`, 'utf16le'), /UTF-16/],
    ['an open quote', `${HEADER}\na,${ROW}\n"b,${ROW}\n`, /desde la línea 3/],
  ])('is refused as a whole, and created nothing: %s', async (_, file, detail) => {
    const before = await stored();
    const answer = await send(file);
    expectProblem(answer, 'csv_invalido');
    expect(answer.body.detail).toMatch(detail);
    expect(await stored()).toHaveLength(before.length);
  });

  it('takes the charsets that it reads, and 1 MiB, and no query', async () => {
    for (const type of [
      'text/csv; charset=utf-8',
      'text/csv;charset=windows-1252; header=present',
      'Text/CSV',
    ])
      expect(counts(await send(`${HEADER}\n,${ROW}`, merchant, type))).toEqual([200, 1, 0, 0]);
    const file = `${HEADER}\n,${ROW}\n`;
    expect(counts(await send(file.padEnd(1024 * 1024, '\n')))).toEqual([200, 1, 0, 0]);
    expectProblem(await send(file.padEnd(1024 * 1024 + 1)), 'cuerpo_demasiado_grande');
    const headers = { 'content-type': 'text/csv' };
    expectFaults(await merchant.post(`${LOTE}?x=1`, file, headers), ['x: campo_desconocido']);
  });

  it('is taken by no other route', async () => {
    const headers = { 'content-type': 'text/csv' };
    expectProblem(await merchant.post(GUIAS, rows(1, 'x'), headers), 'tipo_no_soportado');
  });

  it.each([
    ['GT', ','],
    ['CO', ';'],
  ] as const)('has a template that a merchant in %s can open, fill and send', async (country, separator) => {
    const by = await test.merchant({ country });
    const answer = await by.get(`${LOTE}/plantilla.csv`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="guias.csv"');
    expect(answer.text.trim().split(separator)).toEqual(COLUMNS);
    const values: Record<string, string> = {
      ...{ telefono: '+50255551234', departamento: 'Guatemala', municipio: 'Mixco' },
      ...{ 'recogida.maps_url': '"14.6349, -90.5069"', external_ref: 'plantilla-1' },
    };
    const row = COLUMNS.map((name) => values[name] ?? '').join(separator);
    expect(counts(await send(`\ufeff${answer.text.trim()}\r\n${row}\r\n`, by))).toEqual([200, 1, 0, 0]);
  });
});
