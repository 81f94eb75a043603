/** The texts of a form's fields. */
export type Form = Partial<Record<string, string>>;

/** The texts of a parsed body; none of any other body. */
export function textsOf(sent: unknown): Form {
  if (typeof sent !== 'object' || sent === null) return {};
  const texts = Object.entries(sent).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Form;
}

/** A query's texts; the first of a repeated one. */
export function firstTexts(query: unknown): Form {
  const entries = Object.entries(query as Record<string, unknown>);
  return textsOf(
    Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])),
  );
}
