/** The next token; `member` and `item` also allow the end of an empty object or list. */
type Expected = 'value' | 'item' | 'name' | 'member' | 'colon' | 'rest';

const BLANK = /[ \t\n\r]*/y;
const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Of a string: all but the quote, the backslash and control characters. */
const CHARACTERS = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The index at which a text stops being JSON; its length if it ends too early; undefined if it is JSON. Call it for what
 * `JSON.parse` refused, whose message names a place only for some faults. Takes one pass and no recursion.
 */
export function findJsonFault(text: string): number | undefined {
  const closers: string[] = [];
  let expected = 'value' as Expected;
  let at = 0;
  const open = (closer: string, next: Expected) => {
    closers.push(closer);
    expected = next;
    at++;
  };
  for (;;) {
    at = endOf(BLANK, text, at)!;
    const char = text[at];
    const closer = closers.at(-1);
    if (expected === 'rest' && closer === undefined) return char === undefined ? undefined : at;
    const mayClose = expected === 'rest' || expected === 'item' || expected === 'member';
    if (mayClose && char === closer) {
      closers.pop();
      expected = 'rest';
      at++;
    } else if (expected === 'rest' || expected === 'colon') {
      if (char !== (expected === 'rest' ? ',' : ':')) return at;
      expected = expected === 'rest' && closer === '}' ? 'name' : 'value';
      at++;
    } else if (char === '"') {
      const end = endOfString(text, at);
      if (text[end] !== '"') return end;
      expected = expected === 'name' || expected === 'member' ? 'colon' : 'rest';
      at = end + 1;
    } else if (expected === 'name' || expected === 'member') return at;
    else if (char === '{') open('}', 'member');
    else if (char === '[') open(']', 'item');
    else {
      const end = endOf(LITERAL, text, at);
      if (end === undefined) return at;
      expected = 'rest';
      at = end;
    }
  }
}

/** The index of the quote that ends a string, or of what a string cannot contain. */
function endOfString(text: string, start: number): number {
  let at = endOf(CHARACTERS, text, start + 1)!;
  for (let escaped; text[at] === '\\'; at = endOf(CHARACTERS, text, escaped)!) {
    escaped = endOf(ESCAPE, text, at);
    if (escaped === undefined) break;
  }
  return at;
}

/** Where a match of a sticky expression that begins at `at` ends. */
function endOf(sticky: RegExp, text: string, at: number): number | undefined {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** Lines and columns count from 1; a column is a UTF-16 unit, as in most editors. */
export function placeOf(index: number, text: string): string {
  let line = 1;
  let start = 0;
  for (let end; (end = text.indexOf('\n', start)) >= 0 && end < index; start = end + 1) line++;
  return `línea ${line}, columna ${index - start + 1}`;
}
