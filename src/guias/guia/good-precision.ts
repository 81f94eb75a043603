/** Metres; a phone's position that may be further off may be another house's, and says nothing of where a parcel was left. */
export const GOOD_PRECISION_M = 100;
