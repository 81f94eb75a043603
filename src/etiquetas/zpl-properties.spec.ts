import fc from 'fast-check';
import { labelRow } from '../../test/support/label-rows.js';
import { propertyRuns } from '../../test/support/property-runs.js';
import { toLabelContent } from './label-content.js';
import { layOut } from './label-layout.js';
import { toPrintable, ZPL_ALPHABET } from './printable.js';
import { SHEETS } from './sheets.js';
import { measure } from './typeface.js';
import { fieldData, ZplDocument } from './zpl.document.js';

/** Texts in which commands, escapes and changes of the command characters are likely. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('^', '~', '_', '\\', '_5E', '^XA', '^XZ', '^FS', '^FD', '^CC', '~JA', '~DG', '\n', ' '),
      fc.constantFrom('^FS^XZ^XA^FDX^FS', '\u200b', '＾', '～', '\u0302', '\u02c6'),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** What a printer reads from a field: `_` and two hexadecimal digits stand for a byte. */
const printed = (field: string) =>
  /^\^FH_\^FD(.*)\^FS$/su
    .exec(field)![1]!
    .replace(/_([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

const zplOf = async (over: Parameters<typeof labelRow>[0]) => {
  const { label } = SHEETS['100x150'];
  const document = new ZplDocument(label);
  document.add(layOut(toLabelContent(labelRow(over), ZPL_ALPHABET), label, measure));
  return (await document.end()).toString();
};

describe('ZPL', () => {
  it('prints a text as it is, and reads no command in it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = toPrintable(text, ZPL_ALPHABET).replaceAll('\n', ' ');
        const field = fieldData(line);
        expect(field.slice('^FH_^FD'.length, -'^FS'.length)).not.toMatch(/[\^~\p{Cc}]/u);
        expect(printed(field)).toBe(line);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('has the same commands whatever the texts of a guide are', async () => {
    const KNOWN = /^\^(XA|CI28|PW|LL|LH|FT|FO|A0N|FH_|FD|FS|FR|GB|BY|BCN|BQN|PQ1|XZ)/;
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (name, rest) => {
        const zpl = await zplOf({
          ...{ destinatario: name, comercio: name, municipio: name, departamento: name },
          ...{ direccion: rest, referencia: rest, notas: rest, contenido: rest, external_ref: rest },
        });
        const commands = zpl.split('^').slice(1);
        expect(commands.filter((command) => !KNOWN.test(`^${command}`))).toEqual([]);
        const count = (name: string) => commands.filter((command) => command.startsWith(name)).length;
        expect([count('XA'), count('XZ'), count('BCN'), count('BQN')]).toEqual([1, 1, 1, 2]);
        expect(count('FD')).toBe(count('FH_') + 3);
        expect(zpl).not.toContain('~');
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
