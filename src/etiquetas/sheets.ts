/** Everything is measured in dots of a printer of 203 dpi: 8 to the millimetre. */
export const DOTS_PER_MM = 8;

export const TAMANOS = ['100x150', '100x100', 'a4'] as const;
export type Tamano = (typeof TAMANOS)[number];

export interface LabelSize {
  width: number;
  height: number;
  /** Free on every side: required by the codes, and printers cannot print to the edge of a sheet. */
  margin: number;
}

export interface Sheet {
  width: number;
  height: number;
  label: LabelSize;
  /** Where each label of a page begins. */
  places: readonly (readonly [x: number, y: number])[];
}

const ONE = [[0, 0]] as const;

/** 210 × 297 mm hold four labels of 105 × 148.5 mm. */
const A4 = { width: 1_680, height: 2_376 };
const [HALF_WIDTH, HALF_HEIGHT] = [A4.width / 2, A4.height / 2];

export const SHEETS: Record<Tamano, Sheet> = {
  '100x150': { width: 800, height: 1_200, label: { width: 800, height: 1_200, margin: 32 }, places: ONE },
  '100x100': { width: 800, height: 800, label: { width: 800, height: 800, margin: 32 }, places: ONE },
  a4: {
    ...A4,
    label: { width: HALF_WIDTH, height: HALF_HEIGHT, margin: 48 },
    // Offset by 1 mm from the grid: a reader that sees the whole sheet (zbar) may take aligned QR codes for the finder
    // patterns of a larger one.
    places: [
      [0, 8],
      [HALF_WIDTH, 0],
      [8, HALF_HEIGHT],
      [HALF_WIDTH - 8, HALF_HEIGHT + 8],
    ],
  },
};
