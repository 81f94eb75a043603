/** How large the parts of a JSON text may be. */
export interface JsonLimits {
  /** Lists and objects inside one another. */
  levels: number;
  /** Names in one object. */
  names: number;
}

const [QUOTE, BACKSLASH, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\:[]{}');

/**
 * The limit that a JSON text exceeds; undefined if none. One pass over its bytes, before anything is made of them: parsing
 * a megabyte of brackets or of names takes a second. The text may be wrong in any other way.
 */
export function excessOf(json: Uint8Array, { levels, names }: JsonLimits): keyof JsonLimits | undefined {
  /** The names so far of each open list or object. */
  const open: number[] = [];
  let isText = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isText) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isText = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        isText = true;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (open.push(0) > levels) return 'levels';
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open.pop();
        break;
      case COLON:
        if (open.length > 0 && ++open[open.length - 1]! > names) return 'names';
    }
  }
  return undefined;
}
