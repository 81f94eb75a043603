import { sheetXml, workbookXml, xlsxOf } from '../../../test/support/xlsx.js';
import { readXlsx } from './read-xlsx.js';

const read = (files: Record<string, Uint8Array>) =>
  readXlsx(Buffer.from(xlsxOf([['Tel'], ['1']], files)), 100);

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

  it('refuses a sheet that is too large once its cells have addresses', async () => {
    const row = `<row>${'<c/>'.repeat(1_000)}</row>`;
    await expect(rowsOf(row.repeat(4_500))).rejects.toMatchObject({
      detail: expect.stringContaining('demasiado grande'),
    });
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
