import { SHEETS, type SheetRow } from '../data/sheets.js';
import { PanelBrowser } from '../support/panel.js';
import { useSharedApp } from '../support/use.js';
import { xlsxOf } from '../support/xlsx.js';

/** A sheet's bytes. Cells are between `|`. */
function bytesOf([, as, text]: SheetRow): string | Uint8Array<ArrayBuffer> {
  const cells = text.split('\n').map((line) => line.split('|'));
  if (as === 'xlsx')
    return xlsxOf(
      cells.map((row) => row.map((one) => (/^\d{1,6}(?:\.\d+)?$/.test(one) ? Number(one) : one))),
    );
  const quoted = (cell: string) => (cell.includes(as) && !cell.startsWith('"') ? `"${cell}"` : cell);
  return cells.map((row) => row.map(quoted).join(as)).join('\r\n');
}

describe('sheets as shops bring them', () => {
  const test = useSharedApp();

  it('are read without touching a column: nine of ten good rows are ready, and none is made wrong', async () => {
    expect(SHEETS.length).toBeGreaterThanOrEqual(40);
    const seen: { what: string; ready: number; good: number; first: string | undefined }[] = [];
    for (const sheet of SHEETS) {
      const [what, as, , good] = sheet;
      // What one file teaches counts for no other.
      const merchant = await test.merchant();
      const browser = await PanelBrowser.in(test, merchant);
      const name = as === 'xlsx' ? 'a.xlsx' : 'a.csv';
      const { headers, text } = await browser.upload('/panel/importar', { name, bytes: bytesOf(sheet) });
      const path = headers.get('location');
      if (path === null) {
        seen.push({ what, ready: 0, good, first: text.slice(0, 200) });
        continue;
      }
      await browser.post(`${path}/recogida`, { 'recogida.maps_url': '14.6407,-90.5133' });
      await browser.post(`${path}/crear`, { sin_cobro: 'si' });
      const { body } = await merchant.get('/api/v1/guias?limit=100');
      const made = (body.guias as Record<string, unknown>[]).toReversed();
      const shown = made.map((guia) =>
        [String(guia.telefono).slice(4), guia.destinatario, guia.cod_amount, guia.municipio].join('|'),
      );
      seen.push({ what, ready: made.length, good, first: shown.toSorted()[0] });
    }
    const wrong = seen.filter((one, i) => {
      const [, , , , first] = SHEETS[i]!;
      return one.ready > 0 && one.first !== String(first).replace(/\.50\|/, '.5|');
    });
    const sum = (of: 'ready' | 'good') => seen.reduce((all, one) => all + one[of], 0);
    expect(wrong).toEqual([]);
    expect(seen.filter(({ ready, good }) => ready > good)).toEqual([]);
    if (sum('ready') < 0.9 * sum('good')) expect(seen.filter(({ ready, good }) => ready < good)).toEqual([]);
  });
});
