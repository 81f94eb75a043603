/** A name from a table of codes, at the beginning of a line. */
export const capitalised = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
