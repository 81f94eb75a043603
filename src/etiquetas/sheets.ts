/** Everything is measured in dots of a printer of 203 dpi: 8 to the millimetre. */
export const DOTS_PER_MM = 8;

export const TAMANOS = ['100x150', '100x100', 'a4', 'carta'] as const;
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

/** A sheet of paper that is cut into four labels. */
function fourOn(width: number, height: number): Sheet {
  const [halfWidth, halfHeight] = [Math.floor(width / 2), Math.floor(height / 2)];
  return {
    width,
    height,
    label: { width: halfWidth, height: halfHeight, margin: 48 },
    // Offset by 1 mm from the grid: a reader that sees the whole sheet (zbar) may take aligned QR codes for the finder
    // patterns of a larger one.
    places: [
      [0, 8],
      [halfWidth, 0],
      [8, halfHeight],
      [halfWidth - 8, halfHeight + 8],
    ],
  };
}

export const SHEETS: Record<Tamano, Sheet> = {
  '100x150': { width: 800, height: 1_200, label: { width: 800, height: 1_200, margin: 32 }, places: ONE },
  '100x100': { width: 800, height: 800, label: { width: 800, height: 800, margin: 32 }, places: ONE },
  // 210 × 297 mm.
  a4: fourOn(1_680, 2_376),
  // US Letter: 612 × 792 points.
  carta: fourOn(1_727.2, 2_235.2),
};
