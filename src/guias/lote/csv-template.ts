import type { Separator } from './csv-cells.js';
import { COLUMNS } from './csv-header.js';

/** So that Excel reads UTF-8. */
const BOM = '\ufeff';

/** The header row of a file of guides, as spreadsheets of a country open it. @param country ISO 3166. */
export function csvTemplate(country: string): string {
  return `${BOM}${COLUMNS.join(separatorIn(country))}\r\n`;
}

/** Spreadsheets separate cells with semicolons where numbers have decimal commas. */
export function separatorIn(country: string): Separator {
  const { language } = new Intl.Locale('und', { region: country }).maximize();
  return new Intl.NumberFormat(`${language}-${country}`).format(0.5).includes(',') ? ';' : ',';
}
