import { strToU8, zipSync } from 'fflate';

type Cell = string | number;

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const columnOf = (n: number) => String.fromCharCode(65 + n);

/** A sheet of these rows, each as its XML. */
export const sheetXml = (rows: string) =>
  strToU8(
    `<?xml version="1.0"?><worksheet xmlns="${MAIN}" xmlns:x="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`,
  );

/** A workbook of sheets, each with its name, its relation, `rId1` or `rId2`, and further attributes. */
export const workbookXml = (sheets: [name: string, id: string, more?: string][]) =>
  strToU8(
    workbookOf(
      sheets.map(
        ([name, id, more = ''], i) => `<sheet name="${name}" sheetId="${i + 1}" ${more} r:id="${id}"/>`,
      ),
    ),
  );

const workbookOf = (sheets: string[]) =>
  `<?xml version="1.0"?><workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${sheets.join('')}</sheets></workbook>`;

/** A sheet whose second cell is as far away as a sheet goes. */
export const FAR_SHEET = sheetXml(
  '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
);

/** An Excel file with one sheet. @param more further files in it. */
export function xlsxOf(rows: Cell[][], more: Record<string, Uint8Array> = {}): Uint8Array<ArrayBuffer> {
  const cells = rows.map((row, r) => {
    const inside = row.map((cell, c) => {
      const at = `${columnOf(c)}${r + 1}`;
      return typeof cell === 'number'
        ? `<c r="${at}"><v>${cell}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    });
    return `<row r="${r + 1}">${inside.join('')}</row>`;
  });
  const files = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="Pedidos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${cells.join('')}</sheetData></worksheet>`,
  };
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0"?>${text}`)]);
  return Uint8Array.from(zipSync({ ...Object.fromEntries(bytes), ...more }));
}
