import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { cellFault, cellText, quoteTextFormulas, toNumber, type Separator } from './csv-cells.js';

describe('toNumber', () => {
  it.each<[text: string, separator: Separator, number: number | undefined]>([
    ['14.6349', ',', 14.6349],
    ['14.6349', ';', 14.6349],
    ['14,6349', ';', 14.6349],
    ['14,6349', ',', undefined],
    ['-90,5', ';', -90.5],
    ['+5', ',', 5],
    ['1.234,50', ';', 1234.5],
    ['1.234.567,5', ';', 1234567.5],
    ['1,234.50', ';', 1234.5],
    ['1,234.50', ',', 1234.5],
    ['1.234,50', ',', undefined],
    ['1,234,567', ';', undefined],
    ['12,34,5', ';', undefined],
    ['1 500,00', ';', 1500],
    ['1\u00a0500,00', ';', 1500],
    ['1\u202f234\u202f567.5', ',', 1234567.5],
    ['1 500.00', ',', 1500],
    ['1 500,00', ',', undefined],
    ['1 500', ';', undefined],
    ['15 00,00', ';', undefined],
    ['$40.00', ',', undefined],
    ['Q349.50', ',', undefined],
    ['349.50 GTQ', ',', undefined],
    ['1e3', ',', undefined],
    ['0x10', ',', undefined],
    ['Infinity', ',', undefined],
    ['.5', ',', undefined],
    ['5.', ',', undefined],
    ['١٢', ',', undefined],
  ])('reads %j between %j as %p', (text, separator, number) => {
    expect(toNumber(text, separator)).toBe(number);
  });

  it('reads every number as it was written, with a point or, between semicolons, a comma', () => {
    const decimal = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.nat({ max: 999_999 }));
    fc.assert(
      fc.property(decimal, ([whole, fraction]) => {
        const text = `${whole}.${String(fraction).padStart(6, '0')}`;
        expect(toNumber(text, ',')).toBe(Number(text));
        expect(toNumber(text.replace('.', ','), ';')).toBe(Number(text));
      }),
    );
  });

  it('never gives anything but a number or undefined', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom<Separator>(',', ';'), (text, separator) => {
        expect(['number', 'undefined']).toContain(typeof toNumber(text, separator));
      }),
    );
  });
});

describe('cellText', () => {
  it.each([
    [' Ana ', 'Ana'],
    ['\u00a0', undefined],
    ['', undefined],
    ["'+502 5555", '+502 5555'],
    ["'=1+1", '=1+1'],
    ["'s-Hertogenbosch", "'s-Hertogenbosch"],
    ['="0001042"', '0001042'],
    ['=" Ana "', 'Ana'],
    ['\'="0001042"', '0001042'],
    ['=""', undefined],
    ['="a"&"b"', '="a"&"b"'],
    ['=A1', '=A1'],
    ["'0001042", '0001042'],
    ["'5555 1234", '5555 1234'],
    ["'90s", "'90s"],
    ['\u001f0001042', '0001042'],
    ['\u200e\u202a+502 5555', '+502 5555'],
    ['\ufeff \u0001 ', undefined],
  ])('reads %j as %j', (cell, text) => {
    expect(cellText(cell)).toBe(text);
  });
});

describe('quoteTextFormulas', () => {
  it.each<[text: string, separator: Separator, quoted: string]>([
    ['="01",a\n="02",b', ',', '"=""01""",a\n"=""02""",b'],
    ['a, ="01" \n', ',', 'a,"=""01"""\n'],
    ['="0,1";="2"', ';', '"=""0,1""";"=""2"""'],
    // Not between separators, or CSV already.
    ['a="01"', ',', 'a="01"'],
    ['="01"b,c', ',', '="01"b,c'],
    ['="",a', ',', '="",a'],
    ['"=""01""",a', ',', '"=""01""",a'],
    ['"a,=""01"",b"', ',', '"a,=""01"",b"'],
    ['"a,=",",b"', ',', '"a,=",",b"'],
    ['"a\n=","\nb"', ',', '"a\n=","\nb"'],
  ])('of %j between %j', (text, separator, quoted) => {
    expect(quoteTextFormulas(text, separator)).toBe(quoted);
  });

  it('changes no text that a spreadsheet writes', () => {
    const cells = fc.array(
      fc.array(fc.string({ unit: fc.constantFrom('=', '"', ',', '\n', ' ', 'a', '1') }), {
        minLength: 2,
        maxLength: 4,
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(cells, fc.boolean(), (rows, quoted) => {
        const text = stringify(rows, { quoted });
        expect(quoteTextFormulas(text, ',')).toBe(text);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('cellFault', () => {
  it.each<[campo: string, text: string, separator: Separator, mensaje: RegExp]>([
    ['telefono', '5,02556E+11', ';', /«5,02556E\+11» y se perdieron cifras/],
    ['external_ref', '1.0E+15', ',', /se perdieron cifras/],
    ['cod_amount', '1E+05', ',', /se perdieron cifras/],
    ['cod_amount', '1.500', ';', /de dos maneras/],
    ['cod_amount', '1,500', ';', /de dos maneras/],
    ['cod_amount', 'Q5', ',', /un punto para los decimales/],
    ['lat', 'x', ';', /una coma o un punto/],
    ['recogida.lng', '14,6', ',', /un punto para los decimales/],
    ['municipio', '#N/A', ',', /error de la hoja de cálculo: «#N\/A»/],
    ['telefono', '#¡REF!', ',', /error de la hoja/],
    ['telefono', '########', ',', /error de la hoja/],
  ])('of %s %j between %j says what to do', (campo, text, separator, mensaje) => {
    expect(cellFault(campo, text, separator)).toEqual({
      ...{ campo, codigo: 'formato' },
      mensaje: expect.stringMatching(mensaje),
    });
  });

  it.each<[campo: string, text: string, separator: Separator]>([
    ['telefono', 'no', ','],
    ['notas', '5,02556E+11', ';'],
    ['external_ref', '7E5', ';'],
    ['external_ref', '#12', ';'],
    ['cod_amount', '0.500', ','],
    ['cod_amount', '349,50', ';'],
    ['recogida.lat', '14.634', ';'],
    ['recogida.maps_url', '14,6 -90,5', ','],
  ])('leaves %s %j to the rules of its field', (campo, text, separator) => {
    expect(cellFault(campo, text, separator)).toBeUndefined();
  });
});
