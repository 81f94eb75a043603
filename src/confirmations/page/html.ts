/** Text that is markup already: made by `html` alone. */
export class Html {
  constructor(readonly markup: string) {}

  toString(): string {
    return this.markup;
  }
}

/** What a template may hold; `null` and `false` are nothing at all. */
type Value = string | Html | readonly Html[] | null | false;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of markup: whatever is put into it is text, unless it came from this function. Attributes need double quotes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(toMarkup)));
}

function toMarkup(value: Value): string {
  if (value === null || value === false) return '';
  if (typeof value === 'object' && !(value instanceof Html)) return value.map(toMarkup).join('');
  return value instanceof Html
    ? value.markup
    : value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
