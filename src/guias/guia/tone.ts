/** The mood of a name on a page, which gives its colour: a question, on its way, arrived, to be mended, wrong, or none of them. */
export type Tone = 'ask' | 'way' | 'good' | 'care' | 'bad' | 'off';
