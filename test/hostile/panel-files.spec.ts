import { strToU8 } from 'fflate';
import { PanelBrowser } from '../support/panel.js';
import { sheetXml, xlsxOf } from '../support/xlsx.js';
import { useTestApp } from '../support/use.js';

const MIB = 1024 * 1024;
const SIZE = 5 * MIB - 1024;

const fill = (line: string, size = SIZE) => line.repeat(Math.floor(size / line.length));

/** One text of 1 MB that 2,300 cells show: some KiB as a file. */
const SHARED = xlsxOf([['Tel'], ['1']], {
  'xl/sharedStrings.xml': strToU8(`<sst><si><t>${'a'.repeat(1_000_000)}</t></si></sst>`),
  'xl/worksheets/sheet1.xml': sheetXml(`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(23)),
});

describe('files of the panel that are made to harm', () => {
  const test = useTestApp();
  let browser: PanelBrowser;

  beforeAll(async () => {
    browser = await PanelBrowser.in(test, await test.merchant());
  });

  /** Turns of the event loop that others have until the answer, which the upload itself needs a few dozen of. */
  async function turnsDuring(
    work: () => Promise<{ status: number }>,
  ): Promise<[status: number, turns: number]> {
    let turns = 0;
    let probe = setImmediate(function count() {
      turns++;
      probe = setImmediate(count);
    });
    const { status } = await work();
    clearImmediate(probe);
    return [status, turns];
  }

  it('refuses one text that thousands of cells show, and reads the next file', async () => {
    const { status, text } = await browser.upload('/panel/importar', { name: 'a.xlsx', bytes: SHARED });
    expect([status, text]).toEqual([422, expect.stringContaining('5,000 caracteres')]);
    const next = await browser.upload('/panel/importar', { name: 'b.xlsx', bytes: xlsxOf([['Tel'], ['1']]) });
    expect(next.status).toBe(303);
  });

  it.each([
    ['separators alone', fill(`${','.repeat(60_000)}\n`)],
    ['rows of separators', `Tel,Nota\n${fill(`1${','.repeat(21)}\n`)}`],
    ['line ends', fill('\r\n')],
    ['quoted cells', `Tel\n${fill('"",')}`],
    ['lines of a character', `Tel\n${fill('1\n')}`],
  ])('refuses a CSV file of %s, and lets others run meanwhile', async (_, bytes) => {
    const sent = await turnsDuring(() =>
      browser.upload('/panel/importar', { name: 'a.csv', bytes: bytes.slice(0, SIZE) }),
    );
    expect(sent).toEqual([422, expect.any(Number)]);
    expect(sent[1]).toBeGreaterThan(100);
  });

  it.each([
    ['headers of a part', `--x\r\n${fill('A: b\r\n')}`, 'x'],
    ['headers of many parts', fill('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'), 'x'],
    ['boundaries', fill('--x\r\n'), 'x'],
    ['what is nearly a boundary', `--${'-'.repeat(70)}\r\n${fill('-')}`, '-'.repeat(70)],
  ])('refuses a form of %s', async (_, body, boundary) => {
    const { status } = await browser.send(
      '/panel/importar',
      strToU8(body),
      `multipart/form-data; boundary=${boundary}`,
    );
    expect(status).toBe(400);
  });
});
