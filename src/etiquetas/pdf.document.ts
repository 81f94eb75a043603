import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { boxesOf } from './codes.js';
import type { LabelDocument } from './label-document.js';
import type { Box, Mark } from './marks.js';
import { DOTS_PER_MM, type Sheet } from './sheets.js';
import { FONT_FILES } from './typeface.js';

/** A dot in points. */
const DOT = 72 / 25.4 / DOTS_PER_MM;

export class PdfDocument implements LabelDocument {
  private readonly pdf;
  private readonly bytes: Promise<Buffer>;
  private count = 0;

  /** @param createdAt the document's only date, so that the same labels make the same bytes. */
  constructor(
    private readonly sheet: Sheet,
    createdAt: Date,
  ) {
    const { width, height } = sheet;
    this.pdf = new PDFDocument({
      autoFirstPage: false,
      size: [width * DOT, height * DOT],
      margin: 0,
      font: FONT_FILES.regular,
      lang: 'es',
      info: { Title: 'Etiquetas', CreationDate: createdAt },
    });
    this.bytes = buffer(this.pdf);
  }

  add(label: Mark[]): void {
    const { places, width, height } = this.sheet;
    const [x, y] = places[this.count % places.length]!;
    if (this.count % places.length === 0) {
      this.pdf.addPage();
      this.pdf.scale(DOT);
      // Cutting lines.
      if (places.length > 1)
        this.fill([
          { x: width / 2, y: 0, width: 1, height },
          { x: 0, y: height / 2, width, height: 1 },
        ]);
    }
    this.count++;
    this.pdf.save().translate(x, y);
    for (const mark of label) this.draw(mark);
    this.pdf.restore();
  }

  private draw(mark: Mark): void {
    if (mark.kind === 'text') this.write(mark);
    else this.fill(mark.kind === 'box' ? [mark] : boxesOf(mark));
  }

  private write({ text, x, baseline, size, isBold, isInverse }: Extract<Mark, { kind: 'text' }>): void {
    this.pdf
      .font(isBold ? FONT_FILES.bold : FONT_FILES.regular)
      .fontSize(size)
      .fillColor(isInverse ? 'white' : 'black')
      .text(text, x, baseline, { lineBreak: false, baseline: 'alphabetic' });
  }

  /** One path for all boxes, because viewers show a line between adjacent paths. */
  private fill(boxes: Box[]): void {
    for (const { x, y, width, height } of boxes) this.pdf.rect(x, y, width, height);
    this.pdf.fill('black');
  }

  end(): Promise<Buffer> {
    this.pdf.end();
    return this.bytes;
  }
}
