import 'reflect-metadata';
import { gzipSync } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { AppError } from '../../platform/errors/app-error.js';
import { COLUMNS, readHeader, readSeparator } from './csv-header.js';
import { readCsv, readCsvTable } from './csv-rows.js';
import { separatorIn } from './csv-template.js';
import { checkCharset, decodeCsv } from './csv-text.js';

describe('decodeCsv', () => {
  it.each<[what: string, bytes: Buffer, text: string]>([
    ['UTF-8', Buffer.from('Peñón'), 'Peñón'],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffPeñón'), 'Peñón'],
    ['Windows-1252', Buffer.from('Peñón', 'latin1'), 'Peñón'],
    ['what ISO 8859-1 has not', Buffer.from([0x93, 0x80, 0x94, 0x96, 0x9f]), '“€”–Ÿ'],
    ['É before a closing quote in Windows-1252', Buffer.from([0x43, 0xc9, 0x94, 0xf1]), 'CÉ”ñ'],
    ['every kind of line break', Buffer.from('a\r\nb\rc\n\rd'), 'a\nb\nc\n\nd'],
  ])('reads %s', async (_, bytes, text) => {
    expect(await decodeCsv(bytes)).toBe(text);
  });

  it.each<[what: RegExp, bytes: Buffer]>([
    [/Parece estar en Mac Roman/, Buffer.from('nombre\nMu\x96oz,San Jos\x8e', 'latin1')],
    [/Parece estar en DOS/, Buffer.from('nombre\nMu\xa4oz,San Jos\x82', 'latin1')],
    [/UTF-16/, Buffer.from('nombre\n', 'utf16le')],
    [/UTF-16/, Buffer.from('nombre\n', 'utf16le').swap16()],
    [/gzip/, gzipSync('nombre\n')],
    [/PDF/, Buffer.from('%PDF-1.7')],
    [/imagen/, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    [/No es un texto/, Buffer.from('\u0001\u0000\u0002')],
    [/página web/, Buffer.from(' <HTML><body>')],
    [/página web/, Buffer.from('<?xml version="1.0"?><Workbook>')],
  ])('names what it refuses: %p', async (what, bytes) => {
    await expect(decodeCsv(bytes)).rejects.toEqual(
      expect.objectContaining({ codigo: 'csv_invalido', detail: expect.stringMatching(what) }),
    );
  });

  it('returns a text or csv_invalido, whatever the bytes', () => {
    return fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        try {
          expect(await decodeCsv(Buffer.from(bytes))).not.toContain('\r');
        } catch (error) {
          expect((error as AppError).codigo).toBe('csv_invalido');
        }
      }),
    );
  });
});

/** Turns of the event loop that others have while it is worked. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let probe = setImmediate(function count() {
    turns++;
    probe = setImmediate(count);
  });
  await work().catch(() => undefined);
  clearImmediate(probe);
  return turns;
}

describe('a file of 5 MiB', () => {
  const SIZE = 5 * 1024 * 1024;

  it.each<[what: string, line: string | Buffer]>([
    ['UTF-8', 'Núñez,1\n'],
    ['Windows-1252', Buffer.from('N\xfa\xf1ez,1\n', 'latin1')],
    ['line ends', '\r\n'],
  ])('lets others run while it is decoded: %s', async (_, line) => {
    expect(await turnsDuring(() => decodeCsv(Buffer.alloc(SIZE, line)))).toBeGreaterThan(70);
  });

  it.each([
    ['cells in quotes', '"",'],
    ['separators alone', ','],
    ['lines of a character', '1\n'],
    ['rows of separators', `1${','.repeat(60)}\n`],
    ['long rows', `1,${'a'.repeat(4_900)}\n`],
    ['line ends', '\r\n'],
  ])('lets others run while it is read: %s', async (_, line) => {
    const file = Buffer.concat([Buffer.from('guia\n'), Buffer.alloc(SIZE, line)]);
    expect(await turnsDuring(() => readCsvTable(file, 5_000))).toBeGreaterThan(70);
  });
});

describe('checkCharset', () => {
  it.each([
    ...[
      undefined,
      'text/csv',
      'text/csv; charset=utf-8',
      'text/csv;charset=UTF8',
      'text/csv; charset="utf-8"',
    ],
    ...[
      'text/csv; charset=windows-1252; header=present',
      'text/csv; charset=ISO-8859-1',
      'text/csv; charset=',
    ],
  ])('takes %p', (type) => {
    expect(() => checkCharset(type)).not.toThrow();
  });

  it.each(['ibm850', 'IBM437', 'macintosh', 'utf-16le', '"cp850"', 'iso-8859-15', 'shift_jis', 'utf-80'])(
    'refuses %s by name',
    (charset) => {
      expect(() => checkCharset(`text/csv; header=present; charset=${charset}`)).toThrow(
        expect.objectContaining({
          codigo: 'csv_invalido',
          detail: expect.stringContaining(`«${charset.replaceAll('"', '')}»`),
        }),
      );
    },
  );
});

describe('readSeparator', () => {
  it.each([
    ['a,b\n1;2;3', ',', 0],
    ['a;b\n1,2,3', ';', 0],
    ['\n\na;b\n', ';', 0],
    ['a', ',', 0],
    ['sep=;\na,b', ';', 6],
    ['', ',', 0],
  ])('of %j', (text, separator, start) => {
    expect(readSeparator(text)).toEqual({ separator, start });
  });
});

describe('readHeader', () => {
  it('finds each column, whatever its case and accents', () => {
    const written = COLUMNS.map((name) => ` ${name.toUpperCase().replace('O', 'Ó')} `);
    expect(readHeader(written)).toEqual(COLUMNS);
  });

  it('tells empty headers from those to be ignored', () => {
    expect(readHeader(['telefono', ' ', 'Motivo'], ['motivo'])).toEqual(['telefono', '', undefined]);
  });

  const detailOf = (cells: string[]) => {
    try {
      readHeader(cells);
    } catch (error) {
      const { codigo, detail, errores } = error as AppError;
      return [codigo, errores?.[0]?.mensaje ?? detail];
    }
    return undefined;
  };

  it('lists the known names where none is near an unknown one', () => {
    expect(detailOf(['precio'])).toEqual([
      'validacion',
      expect.stringMatching(/Las columnas son: .*`telefono`.*`recogida\.lat`/),
    ]);
  });

  it.each(['\t', '|'])('refuses columns separated by %j, and says what separates them', (separator) => {
    expect(detailOf([`telefono${separator}nombre`])).toEqual([
      'csv_invalido',
      'Separe las columnas con coma o punto y coma.',
    ]);
  });

  it('refuses more columns than a guide has fields and 20 more, with that fault alone', () => {
    const empty = Array<string>(520_000).fill('');
    for (const name of ['lat', 'telefono', 'x'.repeat(8)])
      expect(() => readHeader([...empty, ...Array<string>(130_000).fill(name)])).toThrow(
        expect.objectContaining({
          codigo: 'validacion',
          errores: [expect.objectContaining({ campo: 'columnas', codigo: 'fuera_de_rango' })],
        }),
      );
  });

  it('refuses more empty columns than a spreadsheet has', () => {
    expect(() => readHeader(['telefono', ...Array<string>(16_384).fill('')])).toThrow(
      expect.objectContaining({ errores: [expect.objectContaining({ campo: 'columnas' })] }),
    );
  });

  it('does not count columns without a name at the end, which spreadsheets add', () => {
    expect(readHeader(['telefono', ...Array<string>(16_000).fill('')])).toHaveLength(16_001);
  });

  it('names a column that is there twice once, however often it is there', () => {
    expect(() => readHeader(['telefono', 'notas', 'telefono', 'telefono'])).toThrow(
      expect.objectContaining({ errores: [expect.objectContaining({ campo: 'telefono' })] }),
    );
  });

  it('refuses names that every object has', () => {
    expect(() => readHeader(['constructor', '__proto__'])).toThrow(AppError);
  });
});

describe('separatorIn', () => {
  it.each([
    ['GT', ','],
    ['MX', ','],
    ['CO', ';'],
    ['AR', ';'],
    ['ES', ';'],
    ['BR', ';'],
    ['US', ','],
  ])('%s is %j', (country, separator) => {
    expect(separatorIn(country)).toBe(separator);
  });
});

describe('readCsv', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'ñ', ' ', ',', ';', '"', '\n', '+', "'", 'é') });
  const cellsOf = fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 20 });

  it.each([
    ...[
      'telefono,notas5555 1234,x',
      'telefono,notas5555,x5556,y',
      '"telefono","notas""5555","x"',
      'telefono,"notas"5,6',
    ],
    ...[
      'telefono,notas\\n5555,x',
      'sep=;telefono;notas5555;x',
      'telefono,notas,5555,x',
      '\ntelefono,notas5,6\n',
    ],
    ...['telefono,notas' + '5555,'.repeat(200_000), 'telefono,notas,="01"'],
  ])('tells a file without line breaks by one error: %.40s', async (text) => {
    await expect(readCsv(Buffer.from(text), 10)).rejects.toMatchObject({
      codigo: 'csv_invalido',
      detail: expect.stringContaining('`--data-binary`'),
      errores: undefined,
    });
  });

  it.each(['telefono,notas', '"telefono";"notas"', '\nTeléfono, notas ,,\n', 'telefono'])(
    'tells a header alone by the missing rows: %j',
    async (text) => {
      await expect(readCsv(Buffer.from(text), 10)).rejects.toMatchObject({ errores: [{ campo: 'filas' }] });
    },
  );

  it('joins the accents of short cells of the header alone', async () => {
    const joined = jest.spyOn(String.prototype, 'normalize');
    try {
      const long = `a${'\u0301\u0323'.repeat(200_000)}`;
      for (const text of [long, `${long}\n1`, `telefono,${long}\n1,2`])
        await readCsv(Buffer.from(text), 10).catch(() => {});
      expect(joined.mock.contexts.some((text) => String(text).length > 100)).toBe(false);
    } finally {
      joined.mockRestore();
    }
  });

  it('reads ="0001042" with and without quotes as 0001042, in the header too', async () => {
    const { rows } = await readCsv(
      Buffer.from('="external_ref",nombre\n="0001042",a\n"=""0001043""",="b"\n\x1f0001044,\x02c\n'),
      10,
    );
    expect(rows.map(({ input }) => input)).toMatchObject([
      { external_ref: '0001042', nombre: 'a' },
      { external_ref: '0001043', nombre: 'b' },
      { external_ref: '0001044', nombre: 'c' },
    ]);
  });

  it('reads ="…" without quotes wherever a row stands in a long file', async () => {
    const file = ['external_ref', ...Array.from({ length: 5_000 }, (_, n) => `="${n + 1}"`)].join('\n');
    const { rows } = await readCsv(Buffer.from(file), 5_000);
    expect(rows.map(({ input }) => (input as { external_ref: string }).external_ref)).toEqual(
      Array.from({ length: 5_000 }, (_, n) => String(n + 1)),
    );
  });

  it('refuses rows whose reference fills the field and stands in several, as that', async () => {
    const refs = ['N/A', '-', 'p-1', '-', 'N/A', 's/n', '0', 'p-1', '', '', '0'];
    const { rows } = await readCsv(Buffer.from(`external_ref,notas\n${refs.join(',x\n')},x`), 20);
    const refused = rows.filter(({ faults }) => faults!.length > 0);
    expect(refused.map(({ input }) => (input as { external_ref: string }).external_ref)).toEqual([
      ...['N/A', '-', '-', 'N/A', '0', '0'],
    ]);
    expect(refused[0]!.faults).toEqual([
      {
        campo: 'external_ref',
        codigo: 'formato',
        mensaje: expect.stringMatching(/^«N\/A» está en más de una/),
      },
    ]);
  });

  it.each([
    ...['LÃ³pez', 'NuÃ±ez', 'Ã\u0081lvarez', 'Ã‰rika', 'Ã“scar', 'PeÃƒÂ±a', 'Mar\u00c3\u00ada'],
    ...['L\ufffdpez', '7Âª', 'Mixcoâ€“Guatemala'],
  ])('refuses the damaged accents of %s, and names the word', async (word) => {
    const { rows } = await readCsv(Buffer.from(`telefono,nombre\n55551234,Ana ${word} Paz\n`), 10);
    expect(rows[0]!.faults).toEqual([
      { campo: 'nombre', codigo: 'formato', mensaje: expect.stringContaining(`«${word}»`) },
    ]);
  });

  it.each([
    ...['João', 'NÃO', 'Ângela', '7ª', 'Nº 5', 'MÂNIO', 'São Tomé', 'Ãlvaro', '¡Ya! ½ ³'],
    ...['CORAÇÃO “grande”', '“Ã” 12'],
  ])('takes %s as it is', async (name) => {
    const { rows } = await readCsv(Buffer.from(`telefono,nombre\n55551234,${name}\n`), 10);
    expect(rows[0]!.faults).toEqual([]);
  });

  it('leaves out rows of characters that nobody sees, as at the end of a file of DOS', async () => {
    const text = 'telefono,nombre\n\u200b,\u00a0\n55551234,Ana\n\x1a';
    const { rows } = await readCsv(Buffer.from(text), 10);
    expect(rows.map(({ posicion, cells }) => [posicion.linea, cells])).toEqual([[3, ['55551234', 'Ana']]]);
  });

  it.each<[what: string, file: string, faults: string[][]]>([
    [
      'refuses a row in which a separator without quotes moved the cells after it',
      'telefono,cod_amount,notas,maps_url\n1,350.00,a,\n2,1,500.00,b,\n3,4.00,c,',
      [[], ['columna 5'], []],
    ],
    [
      'refuses it also where every row is like that',
      'telefono,cod_amount,notas,maps_url\n1,1,500.00,,\n2,2,350.00,,',
      [['columna 5'], ['columna 5']],
    ],
    [
      'takes rows that end with separators, all or some',
      'telefono,cod_amount\n1,350.00,\n2,4.00\n3,5.00,,',
      [[], [], []],
    ],
    ['takes rows without their last empty cells', 'telefono,notas,maps_url\n1,a,\n2\n3,b', [[], [], []]],
  ])('%s', async (_what, file, faults) => {
    const { rows } = await readCsv(Buffer.from(file), 10);
    expect(rows.map((row) => row.faults!.map(({ campo }) => campo))).toEqual(faults);
  });

  it('names the first cell of a row that has no column, and none after it', async () => {
    const { rows } = await readCsv(Buffer.from(`notas\na${',x'.repeat(1_000)}\n`), 10);
    expect(rows[0]!.faults!.map(({ campo }) => campo)).toEqual(['columna 2']);
  });

  it('reads what a spreadsheet writes, each row at its line', async () => {
    await fc.assert(
      fc.asyncProperty(
        cellsOf,
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('utf8', 'latin1') as fc.Arbitrary<BufferEncoding>,
        async (cells, delimiter, lineBreak, encoding) => {
          const header = ['notas', 'direccion'];
          const text = stringify([header, ...cells], {
            delimiter,
            record_delimiter: lineBreak,
            quoted: true,
          });
          const isKept = (row: string[]) => row.some((cell) => cell.trim() !== '');
          const expected: unknown[] = [];
          let linea = 2;
          for (const row of cells) {
            if (isKept(row)) expected.push({ linea, cells: row });
            linea += row.join('').split('\n').length;
          }
          const reading = readCsv(Buffer.from(text, encoding), 100);
          if (expected.length === 0) return expect(reading).rejects.toThrow(AppError);
          const { rows } = await reading;
          expect(rows.map(({ posicion, cells: read }) => ({ linea: posicion.linea, cells: read }))).toEqual(
            expected,
          );
        },
      ),
    );
  });

  it.each([
    [
      'a row that has lost its line breaks',
      `telefono,notas\n55551234,${'a,'.repeat(40_000)}`,
      'csv_invalido',
      /^La línea 2 /,
    ],
    ['a header that has', `telefono${'o'.repeat(70_000)}\n1`, 'csv_invalido', /^La línea 1 /],
    ['a header of as many columns', `telefono,${','.repeat(70_000)}\n1`, 'validacion', /./],
    ['a quote that is not closed', `telefono,notas\n1,"${'a\n'.repeat(70_000)}`, 'csv_invalido', /comillas/],
  ])('refuses %s before it reads the whole', async (_what, text, codigo, detail) => {
    await expect(readCsv(Buffer.from(text), 1_000)).rejects.toMatchObject({
      codigo,
      detail: expect.stringMatching(detail),
    });
  });

  it('ends in rows or in an error for the merchant, whatever the text', async () => {
    const characters = fc.string({ unit: fc.constantFrom(...'ab,;"\n\r\'=0 ', '\ufeff', 'ñ', '\0') });
    await fc.assert(
      fc.asyncProperty(characters, async (text) => {
        const error = await readCsv(Buffer.from(`telefono,notas\n${text}`), 5).catch(
          (thrown: unknown) => thrown,
        );
        if (error instanceof Error)
          expect(['csv_invalido', 'validacion']).toContain((error as AppError).codigo);
      }),
    );
  });
});
