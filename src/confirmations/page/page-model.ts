import type { MapTiles } from '../../config/map-tiles.js';
import type { Coordinates } from '../../locations/map-link.js';
import type { RecipientGuia } from '../confirmations.service.js';

/** The fields that a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia';

/** What was wrong with a posted form. */
export interface PageError {
  /** Spanish. */
  text: string;
  /** The field to correct; null where it is none of them. */
  field: Field | null;
  /** Where the coordinates seem to be the wrong way round: the point with its axes exchanged. */
  swapped?: Coordinates;
  /** Whether the point exists as it was typed. */
  isPossible?: boolean;
}

/** Everything the page shows. */
export interface PageModel extends RecipientGuia {
  error: PageError | null;
  /** What was just posted; shown again after an error only. */
  posted: Partial<Record<Field, string>>;
  /** Null for a plain grid. */
  tiles: MapTiles | null;
  /** Whether the recipient can also send a location in the chat that the link came in. */
  hasChat: boolean;
}
