/** The mood of a name on a page, which gives its colour: done, wrong, under way, or none of them. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain';
