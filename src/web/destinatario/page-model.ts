import type { MapTiles } from '../../platform/config/map-tiles.js';
import type { Coordinates } from '../../locations/reading.js';
import type { RecipientGuia } from '../../confirmations/confirmations.service.js';
import type { Field } from './fault-texts.js';
import type { PageTexts } from './texts.js';

export interface PageError {
  /** In the language of the page. */
  text: string;
  /** The field to correct; null where it is none of them. */
  field: Field | null;
  /** Where the coordinates seem to be the wrong way round, or to lack a sign: the point that is probably meant. */
  meant?: Coordinates;
  /** Whether the point exists as it was typed, so that it can be meant. */
  isPossible?: boolean;
  /** A question whether the place is taken: because it is imprecise, or because another one was saved since. */
  asks?: 'precision' | 'change';
}

/** Fields that the page sends beside those that a person fills in. */
type HiddenField = 'precision_m' | 'precision_aceptada' | 'version' | 'tal_cual';

export interface PageModel extends RecipientGuia {
  /** In the language of the page. */
  texts: PageTexts;
  error: PageError | null;
  /** The posted values, which are shown again after an error. */
  posted: Partial<Record<Field | HiddenField, string>>;
  /** Null for a plain grid. */
  tiles: MapTiles | null;
  /** Whether the recipient can also send a location in the chat that the link came in. */
  hasChat: boolean;
}
