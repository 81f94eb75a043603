import type { RecipientGuia } from '../confirmations.service.js';

/** The fields that a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia';

/** What was wrong with a posted form. */
export interface PageError {
  /** Spanish. */
  text: string;
  /** The field to correct; null where it is none of them. */
  field: Field | null;
}

/** Everything the page shows. */
export interface PageModel extends RecipientGuia {
  error: PageError | null;
  /** What was just posted; shown again after an error only. */
  posted: Partial<Record<Field, string>>;
  /** Map tiles, as Leaflet takes them; null for a plain grid. The attribution may contain links. */
  tiles: { url: string; attribution: string } | null;
  /** Whether the recipient can also send a location in the chat that the link came in. */
  hasChat: boolean;
}
