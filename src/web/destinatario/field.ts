/** The fields that a person fills in. */
export type Field = 'maps_url' | 'lat' | 'lng' | 'referencia' | 'nota' | 'texto';
