import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addImport } from '../../src/commands/import-guias.command.js';
import { runCommand } from '../support/run-command.js';
import { APP_SECRET } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const HEADER = 'external_ref;telefono;departamento;municipio;recogida.lat;recogida.lng';
const ROW = '5555 1234;Guatemala;Mixco;14,6349;-90,5069';

describe('guias guias import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guias-import-'));
  const path = join(folder, 'pedidos.csv');
  const refusedPath = join(folder, 'pedidos.rechazadas.csv');
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  afterAll(() => rmSync(folder, { recursive: true }));

  const importFile = (file: string, text?: string, id = merchant.id) => {
    if (text !== undefined) writeFileSync(file, text);
    return runCommand('import', addImport, [file, '--merchant', id], {
      DATABASE_URL: test.database.url,
      APP_SECRET,
    });
  };
  const none = {
    ...{ duplicates: 0, refused: 0, without_external_ref: 0, with_unread_text: 0, refused_file: null },
    old_refused_file: null,
  };

  it('creates the guides of a file longer than a batch; again, they exist', async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) => `imp-${n};${ROW}`);
    const text = [HEADER, ...rows].join('\r\n');
    expect(await importFile(path, text)).toEqual({ ...none, rows: 1_200, created: 1_200 });
    expect(await importFile(path)).toEqual({ ...none, rows: 1_200, created: 0, duplicates: 1_200 });
    const { guias } = (await merchant.get('/api/v1/guias?external_ref=imp-1199')).body;
    expect(guias).toMatchObject([{ telefono: '+50255551234', municipio: 'Mixco' }]);
  });

  it('writes refused rows with their reasons; corrected, that file can be imported', async () => {
    const text = `${HEADER};notas\nr-0;${ROW};\nr-1;${ROW.replace('5555 1234', '+50')};"=1;2"\nr-2;${ROW}\n;${ROW}`;
    expect(await importFile(path, text)).toEqual({
      ...{ rows: 4, created: 3, duplicates: 0, refused: 1, without_external_ref: 1 },
      with_unread_text: 0,
      ...{ refused_file: refusedPath, old_refused_file: null },
    });
    const refused = readFileSync(refusedPath, 'utf8');
    const lines = refused.split('\r\n');
    expect(lines[0]).toBe(`\ufeff${HEADER};notas;motivo`);
    expect(lines[1]).toMatch(/^r-1;'\+50;Guatemala;Mixco;14,6349;'-90,5069;"'=1;2";.*Línea 3: .*telefono: /);
    expect(lines.slice(2)).toEqual(['']);
    const corrected = refused.replace("'+50;", "'+50255554321;");
    expect(await importFile(refusedPath, corrected)).toMatchObject({ rows: 1, created: 1, refused: 0 });
    const { guias } = (await merchant.get('/api/v1/guias?external_ref=r-1')).body;
    expect(guias).toMatchObject([{ telefono: '+50255554321', notas: '=1;2' }]);
  });

  it('counts rows with text in a column without a name, which it does not read', async () => {
    const text = `${HEADER};\nu-0;${ROW};lost\nu-1;${ROW};`;
    expect(await importFile(path, text)).toMatchObject({ rows: 2, created: 2, with_unread_text: 1 });
  });

  it('names the refused rows of an earlier import as old when no row is refused any more', async () => {
    writeFileSync(refusedPath, 'old');
    expect(await importFile(path, `${HEADER}\nclean-1;${ROW}`)).toMatchObject({
      ...{ created: 1, refused_file: null, old_refused_file: refusedPath },
    });
    expect(readFileSync(refusedPath, 'utf8')).toBe('old');
  });

  it.each<[what: string, file: string, text: string | undefined, id: string | undefined, message: RegExp]>([
    ['a file that does not exist', join(folder, 'no.csv'), undefined, undefined, /cannot be read \(ENOENT\)/],
    ['an unknown merchant', path, HEADER, '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', /--merchant: no merchant/],
    ['no merchant id', path, HEADER, 'x', /--merchant: no merchant/],
    ['an unknown column', path, 'telefno\n1', undefined, /telefno: .*`telefono`/],
    ['no CSV', path, 'telefono\n"', undefined, /línea 2/],
  ])('says in one line what is wrong with %s', async (_, file, text, id, message) => {
    await expect(importFile(file, text, id)).rejects.toThrow(message);
  });
});
