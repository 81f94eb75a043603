export interface TextStyle {
  /** Of the letters' em square, in dots. */
  size: number;
  isBold: boolean;
}

export interface TextMark extends TextStyle {
  kind: 'text';
  x: number;
  baseline: number;
  text: string;
  /** White, on a black box. */
  isInverse: boolean;
}

/** A filled rectangle. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A shape to draw, in dots from the label's upper left corner; later marks cover earlier ones. */
export type Mark =
  | TextMark
  | ({ kind: 'box' } & Box)
  | { kind: 'code128'; x: number; y: number; height: number; module: number; data: string }
  | {
      kind: 'qr';
      x: number;
      y: number;
      module: number;
      data: string;
      version: 1 | 3;
      /** Of error correction: the highest, or the lowest. */
      level: 'H' | 'L';
    };

export type Measure = (text: string, style: TextStyle) => number;
