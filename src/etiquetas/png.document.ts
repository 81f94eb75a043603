import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { boxesOf } from './codes.js';
import { glyphSpans, type Span } from './glyph-spans.js';
import type { LabelDocument } from './label-document.js';
import type { Box, Mark, TextMark } from './marks.js';
import { DOTS_PER_MM, type Sheet } from './sheets.js';
import { bold, regular } from './typeface.js';

const WHITE = 255;
const BLACK = 0;

/** An image of one page with the printer's own dots: black or white, nothing between. */
export class PngDocument implements LabelDocument {
  /** As PNG has them: each row begins with a byte for its filter (none), then one for each dot. */
  private readonly rows: Buffer;
  private readonly stride: number;
  private readonly width: number;
  private readonly height: number;
  private readonly spans = new Map<string, Span[]>();

  constructor(sheet: Sheet) {
    [this.width, this.height] = [Math.round(sheet.width), Math.round(sheet.height)];
    this.stride = this.width + 1;
    this.rows = Buffer.alloc(this.stride * this.height, WHITE);
    for (let y = 0; y < this.height; y++) this.rows[y * this.stride] = 0;
  }

  add(label: Mark[]): void {
    for (const mark of label) {
      if (mark.kind === 'text') this.write(mark);
      else for (const box of mark.kind === 'box' ? [mark] : boxesOf(mark)) this.fillBox(box);
    }
  }

  private fillBox({ x, y, width, height }: Box): void {
    for (let row = y; row < y + height; row++) this.fill(row, x, x + width, BLACK);
  }

  private write({ text, x, baseline, size, isBold, isInverse }: TextMark): void {
    const { font } = isBold ? bold : regular;
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(text);
    let pen = x;
    for (const [i, glyph] of glyphs.entries()) {
      const { xAdvance, xOffset, yOffset } = positions[i]!;
      const left = Math.round(pen + xOffset * scale);
      const base = baseline - Math.round(yOffset * scale);
      const key = `${glyph.id} ${size} ${isBold}`;
      const spans = this.spans.get(key) ?? glyphSpans(glyph.path.commands, scale);
      this.spans.set(key, spans);
      for (const { row, from, to } of spans)
        this.fill(base + row, left + from, left + to, isInverse ? WHITE : BLACK);
      pen += xAdvance * scale;
    }
  }

  /** Colours the dots of a row from `from`, up to but without `to`, as far as they lie on the page. */
  private fill(row: number, from: number, to: number, colour: number): void {
    if (row < 0 || row >= this.height) return;
    const start = row * this.stride + 1;
    this.rows.fill(colour, start + Math.max(0, from), start + Math.min(to, this.width));
  }

  async end(): Promise<Buffer> {
    const { width, height } = this;
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.writeUInt8(8, 8); // Bits to a dot; the zeros after it: grey, and the only known compression and filters.
    const density = Buffer.alloc(9);
    density.writeUInt32BE(DOTS_PER_MM * 1_000, 0);
    density.writeUInt32BE(DOTS_PER_MM * 1_000, 4);
    density.writeUInt8(1, 8); // To the metre.
    return Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', header),
      chunk('pHYs', density),
      chunk('IDAT', await promisify(deflate)(this.rows)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
