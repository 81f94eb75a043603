import type { LabelDocument } from './label-document.js';
import type { Mark, TextMark } from './marks.js';
import type { LabelSize } from './sheets.js';

/** One format (`^XA…^XZ`) for each label, for printers of 203 dpi. */
export class ZplDocument implements LabelDocument {
  private readonly formats: string[] = [];

  constructor(private readonly label: LabelSize) {}

  add(label: Mark[]): void {
    const { width, height } = this.label;
    // UTF-8; size of the label, and its origin, which an earlier format may have moved.
    const head = `^XA^CI28^PW${width}^LL${height}^LH0,0`;
    this.formats.push([head, ...label.map(fieldOf), '^PQ1^XZ', ''].join('\n'));
  }

  end(): Promise<Buffer> {
    return Promise.resolve(Buffer.from(this.formats.join('')));
  }
}

/** Printers draw a QR code 10 dots below `^FO`. */
const QR_OFFSET = 10;

/** The printer's own font is as narrow as our regular one, and a fifth narrower than our bold, so bold texts are widened. */
const widthOf = ({ size, isBold }: TextMark) => (isBold ? Math.round(1.15 * size) : size);

function fieldOf(mark: Mark): string {
  switch (mark.kind) {
    case 'text':
      return `^FT${mark.x},${mark.baseline}^A0N,${mark.size},${widthOf(mark)}${mark.isInverse ? '^FR' : ''}${fieldData(mark.text)}`;
    case 'box':
      return `^FO${mark.x},${mark.y}^GB${mark.width},${mark.height},${Math.min(mark.width, mark.height)}^FS`;
    case 'code128':
      // `>;`: two digits to a symbol.
      return `^FO${mark.x},${mark.y}^BY${mark.module}^BCN,${mark.height},N,N,N^FD>;${mark.data}^FS`;
    case 'qr':
      // Error correction; A: the printer finds out the kind of characters, and the smallest code for them.
      return `^FO${mark.x},${mark.y - QR_OFFSET}^BQN,2,${mark.module}^FD${mark.level}A,${mark.data}^FS`;
  }
}

/** A text as the data of a field, with the characters escaped that begin a command or an escape. */
export function fieldData(text: string): string {
  return `^FH_^FD${text.replace(/[\^~_\\]/g, (character) => `_${character.charCodeAt(0).toString(16).toUpperCase()}`)}^FS`;
}
