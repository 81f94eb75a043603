import { setImmediate as nextTurn } from 'node:timers/promises';
import { strToU8 } from 'fflate';
import { sheetXml, workbookXml, xlsxOf } from '../../../../test/support/xlsx.js';
import { readXlsx } from './read-xlsx.js';

const read = (files: Record<string, Uint8Array>) =>
  readXlsx(Buffer.from(xlsxOf([['Tel'], ['1']], files)), {
    comercioId: 'a merchant',
    signal: new AbortController().signal,
  });

/** The cells below the header, of a sheet with these rows. */
async function rowsOf(rows: string, start = '<c t="inlineStr"><is><t>Tel</t></is></c>'): Promise<string[][]> {
  const table = await read({ 'xl/worksheets/sheet1.xml': sheetXml(`<row>${start}</row>${rows}`) });
  return table.rows.map(({ cells }) => cells);
}

describe('readXlsx', () => {
  it.each([
    ['an error', '<c r="A2" t="e"><v>#N/A</v></c><c r="B2"><v>1</v></c>', ['#N/A', '1']],
    [
      'an error of a formula',
      '<c r="A2"><v>1</v></c><c r="B2" s="0" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      ['1', '#DIV/0!'],
    ],
    ['an error with single quotes', "<c t='e' r='A2'><v>#REF!</v></c><c r='B2'><v>1</v></c>", ['#REF!', '1']],
    ['an error without a value', '<c r="A2" t="e"/><c r="B2"><v>1</v></c>', ['#N/A', '1']],
    [
      'a formula that nobody calculated',
      '<c r="A2"><f>B2*2</f><v/></c><c r="B2"><v>1</v></c>',
      ['#SIN CALCULAR', '1'],
    ],
    [
      'such a formula without a value',
      '<c r="A2" t="str"><f>B2</f></c><c r="B2"><v>1</v></c>',
      ['#SIN CALCULAR', '1'],
    ],
    [
      'a formula that makes an empty text',
      '<c r="A2" t="str"><f>IF(1,"")</f><v></v></c><c r="B2"><v>1</v></c>',
      ['', '1'],
    ],
    [
      'a formula with its value',
      '<c r="A2"><f>1+1</f><v>2</v></c><c r="B2" t="str"><f>"a"</f><v>a</v></c>',
      ['2', 'a'],
    ],
    [
      'cells without addresses',
      '<c><v>1</v></c><c/><c t="inlineStr"><is><t>a</t></is></c><c t="e"><v>#NUM!</v></c>',
      ['1', '', 'a', '#NUM!'],
    ],
    [
      'some without addresses',
      '<c r="B2"><v>1</v></c><c><v>2</v></c><c r="AA2"><v>3</v></c><c><v>4</v></c>',
      ['', '1', '2', ...Array<string>(23).fill(''), '3', '4'],
    ],
    ['cells with a prefix', '<x:c t="e"><x:v>#N/A</x:v></x:c><x:c><x:v>1</x:v></x:c>', ['#N/A', '1']],
  ])('reads %s', async (_, cells, expected) => {
    const prefix = cells.startsWith('<x:') ? 'x:' : '';
    const [row = []] = await rowsOf(`<${prefix}row r="2">${cells}</${prefix}row>`);
    expect(row).toEqual(expected);
  });

  it('leaves out rows at the end whose formulas show errors alone', async () => {
    const error = (r: number) => `<row r="${r}"><c r="A${r}" t="e"><v>#N/A</v></c></row>`;
    const rows = await rowsOf(`${error(2)}<row r="3"><c r="A3"><v>1</v></c></row>${error(4)}${error(5)}`);
    expect(rows).toEqual([['#N/A'], ['1']]);
  });

  it.each([
    ['rows', '<row><c><v>1</v></c></row>'.repeat(5_001), 'filas'],
    ['columns', `<row>${'<c><v>1</v></c>'.repeat(151)}</row>`, 'columnas'],
    ['a column', '<row><c r="XFD2"><v>1</v></c></row>', 'columnas'],
    ['a text', `<row><c t="str"><v>${'a'.repeat(5_001)}</v></c></row>`, 'caracteres'],
    ['a text of entities', `<row><c t="str"><v>${'&#x10ffff;'.repeat(2_501)}</v></c></row>`, 'caracteres'],
    ['texts together', `<row><c t="str"><v>${'a'.repeat(5_000)}</v></c></row>`.repeat(1_001), 'MB de texto'],
  ])('refuses a sheet with %s beyond the limit, and names it', async (_, rows, named) => {
    await expect(rowsOf(rows)).rejects.toMatchObject({
      codigo: 'validacion',
      errores: [{ campo: 'archivo', mensaje: expect.stringContaining(named) }],
    });
  });

  it('counts a shared text once for each cell, and one that no cell shows not at all', async () => {
    const shared = (text: string) => strToU8(`<sst><si><t>${text}</t></si><si><t>Ana</t></si></sst>`);
    const sheet = (cells: string) => sheetXml(`<row><c><v>1</v></c></row><row>${cells}</row>`);
    const files = (text: string, cells: string) => ({
      'xl/sharedStrings.xml': shared(text),
      'xl/worksheets/sheet1.xml': sheet(cells),
    });
    const far = 'a'.repeat(1_000_000);
    const { rows } = await read(files(far, '<c t="s"><v>1</v></c>'));
    expect(rows).toEqual([{ linea: 2, cells: ['Ana'] }]);
    await expect(read(files(far, '<c t="s"><v>0</v></c>'))).rejects.toMatchObject({ codigo: 'validacion' });
    const many = '<c t="s"><v>0</v></c>'.repeat(10);
    await expect(
      read({
        'xl/sharedStrings.xml': shared('b'.repeat(5_000)),
        'xl/worksheets/sheet1.xml': sheetXml(`<row>${many}</row>`.repeat(101)),
      }),
    ).rejects.toMatchObject({ errores: [{ mensaje: expect.stringContaining('MB de texto') }] });
  });

  it('ends the worker of an upload that is given up, so that the next of its merchant is read', async () => {
    const given = new AbortController();
    const file = Buffer.from(xlsxOf([['Tel'], ['1']]));
    const first = readXlsx(file, { comercioId: 'a merchant', signal: given.signal });
    await nextTurn();
    given.abort();
    await expect(first).rejects.toMatchObject({ codigo: 'no_disponible' });
    expect(process.getActiveResourcesInfo()).not.toContain('MessagePort');
    const { rows } = await read({});
    expect(rows).toEqual([{ linea: 2, cells: ['1'] }]);
  });

  it('reads a linked cell by its link to a map, of a formula too, and counts hidden rows', async () => {
    const map = 'https://maps.google.com/?q=14.6407,-90.5133&amp;z=1';
    const text = (at: string, shown: string) => `<c r="${at}" t="str"><v>${shown}</v></c>`;
    const rows =
      `<row r="1">${text('A1', 'Tel')}</row><row r="2" hidden="1">${text('A2', 'ver mapa')}${text('B2', 'ver tienda')}</row>` +
      `<row r="3"><c r="A3" t="str"><f>HYPERLINK("${map}","ver mapa")</f><v>ver mapa</v></c>${text('B3', '5555 1234')}</row>`;
    const sheet = `<worksheet xmlns:r="r"><sheetData>${rows}</sheetData><hyperlinks><hyperlink ref="A2" r:id="rId1"/><hyperlink ref="B2" r:id="rId2"/><hyperlink ref="B3" r:id="rId1"/></hyperlinks></worksheet>`;
    const links = `<Relationships><Relationship Id="rId1" Target="${map}" TargetMode="External"/><Relationship Id="rId2" Target="https://tienda.example/blusa"/></Relationships>`;
    const table = await read({
      'xl/worksheets/sheet1.xml': strToU8(sheet),
      'xl/worksheets/_rels/sheet1.xml.rels': strToU8(links),
    });
    const link = 'https://maps.google.com/?q=14.6407,-90.5133&z=1';
    expect(table.rows).toEqual([
      { linea: 2, cells: [link, 'ver tienda'] },
      { linea: 3, cells: [link, '5555 1234'] },
    ]);
    expect(table.sheet).toMatchObject({ hidden: 1 });
  });

  it('takes a cell in the last row, and passes over empty ones in the last column', async () => {
    const rows =
      '<row r="2"><c r="A2"><v>1</v></c><c r="XFD2" s="1"/></row><row r="1048576"><c r="A1048576"><v>2</v></c></row>';
    const table = await read({
      'xl/worksheets/sheet1.xml': sheetXml(`<row><c t="str"><v>Tel</v></c></row>${rows}`),
    });
    expect(table.rows).toEqual([
      { linea: 2, cells: ['1'] },
      { linea: 1_048_576, cells: ['2'] },
    ]);
  });

  it('reads dates by their formats, and shared texts of several runs', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-540A]d&quot; de &quot;mmm;@"/><numFmt numFmtId="165" formatCode="&quot;Q&quot;#,##0.00"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const cells =
      '<c s="0"><v>45000</v></c><c s="1"><v>45000</v></c><c s="2"><v>45000.5</v></c><c s="3"><v>45000.5</v></c>';
    const more =
      '<c t="s"><v>0</v></c><c t="b"><v>1</v></c><c><v>5.0255551234E10</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>';
    const { rows } = await read({
      'xl/styles.xml': strToU8(styles),
      'xl/sharedStrings.xml': strToU8(
        '<sst><si><r><t>Añ</t></r><r><t xml:space="preserve">a &amp; b_x000A_</t></r><rPh><t>x</t></rPh></si></sst>',
      ),
      'xl/worksheets/sheet1.xml': sheetXml(`<row><c><v>1</v></c></row><row>${cells}${more}</row>`),
    });
    expect(rows[0]!.cells).toEqual([
      ...['45000', '2023-03-15', '2023-03-15T12:00:00.000Z', '45000.5'],
      ...['Aña & b\n', 'true', '50255551234', 'ab'],
    ]);
  });

  it('reads the first visible sheet, and says its name and how many there are', async () => {
    const table = await read({
      'xl/workbook.xml': workbookXml([
        ['Listas', 'rId1', 'state="veryHidden"'],
        ['Pedidos &amp; más', 'rId2'],
        ['Otra', 'rId1'],
      ]),
      'xl/worksheets/sheet2.xml': sheetXml('<row><c><v>1</v></c></row><row><c><v>2</v></c></row>'),
    });
    expect(table).toMatchObject({
      header: ['1'],
      rows: [{ cells: ['2'] }],
      sheet: { name: 'Pedidos & más', of: 3 },
    });
  });
});
