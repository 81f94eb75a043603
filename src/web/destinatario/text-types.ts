/** Sentences for recipients about a state of the parcel, or about a failed attempt. */
interface Advice {
  /** The next step, or advice. */
  advice?: string;
  /** The same, while the page takes answers. */
  reply?: string;
  /** A question to the merchant, shown only where the merchant gave a phone for it. */
  ask?: string;
}

export interface EstadoTexts extends Advice {
  /** Title of the page, without a full stop. */
  title: string;
  /** A step of the parcel's progress. */
  step: string;
}

export interface MotivoTexts extends Advice {
  why: string;
}

/** A page that says why there is nothing to show. */
export interface ErrorPageTexts {
  title: string;
  heading: string;
  paragraphs: string[];
}
