import type { LabelSize } from './sheets.js';

/** Greatest heights of the texts of a label, in dots, and what stands beside them. */
export interface Plan {
  municipio: number;
  departamento: number;
  destinatario: number;
  telefono: number;
  remitente: number;
  /** Whether the landmark stands in large letters; else it is one of the details. */
  hasLandmark: boolean;
  hasAttempts: boolean;
  /** Lines that each of the other details keeps, if it has as many. */
  detailLines: number;
}

/** Sizes that depend on how high a label is, in dots. */
export interface Shape {
  /** A module of the guide's QR code, and of the map's. */
  guiaModule: number;
  mapModule: number;
  numero: number;
  aviso: { height: number; size: number };
  /** Height of the amount due, and of that below a warning. */
  amount: number;
  amountBelowWarning: number;
  /** Of the municipality, largest first; the department stands beside it down to `leastBeside`. */
  municipio: number[];
  leastBeside: number;
  departamento: number[];
  /** Of the landmark in large letters, largest first. */
  referencia: number[];
  coordenadas: number;
  /** Of the band of an unconfirmed place: one line, or two. */
  unconfirmed: number[];
  attempts: number;
  /** The roomiest first. A label uses the first that leaves the other parts their least height. */
  plans: Plan[];
}

/** Greatest heights of the texts beside the municipality's. */
const ROOMY = { departamento: 48, destinatario: 62, telefono: 47, remitente: 48 };
const TIGHT = { departamento: 48, destinatario: 48, telefono: 38, remitente: 48 };
/** One line each. */
const TIGHTEST = { departamento: 24, destinatario: 24, telefono: 38, remitente: 24 };

const WITH_ALL = { hasLandmark: true, hasAttempts: true, detailLines: 3 };
const WITH_ATTEMPTS = { hasLandmark: false, hasAttempts: true, detailLines: 3 };
const WITH_LANDMARK = { hasLandmark: true, hasAttempts: false, detailLines: 3 };
const WITH_NONE = { hasLandmark: false, hasAttempts: false, detailLines: 1 };

/** Codes in modules of different sizes: on a sheet of four, a reader (zbar) may take those of equal size for parts of one. */
const TALL: Shape = {
  guiaModule: 8,
  mapModule: 7,
  numero: 62,
  aviso: { height: 80, size: 54 },
  amount: 110,
  amountBelowWarning: 96,
  municipio: [120, 104, 88, 80, 72, 64, 56, 48, 40, 36, 32, 28, 24, 22, 20],
  leastBeside: 80,
  departamento: [40, 36, 32, 28, 24, 22, 20],
  referencia: [52, 48, 44, 40, 36, 32],
  coordenadas: 38,
  unconfirmed: [62, 44],
  attempts: 100,
  plans: [
    { municipio: 141, ...ROOMY, ...WITH_ALL },
    { municipio: 104, ...ROOMY, ...WITH_ALL },
    { municipio: 87, ...ROOMY, ...WITH_ATTEMPTS },
    { municipio: 66, ...ROOMY, ...WITH_NONE },
    { municipio: 58, ...TIGHT, ...WITH_NONE },
  ],
};

const SQUARE: Shape = {
  guiaModule: 6,
  mapModule: 6,
  numero: 66,
  aviso: { height: 56, size: 46 },
  amount: 60,
  amountBelowWarning: 48,
  municipio: [72, 64, 56, 48, 40, 36, 32, 28, 24, 22, 20],
  leastBeside: 48,
  departamento: [32, 28, 24, 22, 20],
  referencia: [36, 32, 28],
  coordenadas: 28,
  unconfirmed: [44],
  attempts: 44,
  plans: [
    { municipio: 87, ...ROOMY, ...WITH_ALL },
    { municipio: 66, ...ROOMY, ...WITH_ALL },
    { municipio: 66, ...ROOMY, ...WITH_ATTEMPTS },
    { municipio: 66, ...ROOMY, ...WITH_LANDMARK },
    { municipio: 66, ...ROOMY, ...WITH_NONE },
    { municipio: 58, ...TIGHT, remitente: 24, ...WITH_NONE },
    { municipio: 48, ...TIGHTEST, ...WITH_NONE },
  ],
};

export const shapeOf = ({ width, height }: LabelSize): Shape => (height > width ? TALL : SQUARE);
