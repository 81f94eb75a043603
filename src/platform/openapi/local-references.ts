/** A value of a JSON document. */
type Json = unknown;

/**
 * A plugin of Swagger UI: resolves references of this document alone. Its own resolver reads the whole document each time
 * an operation is opened, which takes most of that time. The browser gets its source, so it may refer to nothing outside of
 * itself.
 */
export function localReferences() {
  /** @param path of a part of the document. @returns the part with all that it refers to. */
  const resolveSubtree = (document: Json, path: string[]) => {
    const at = (keys: string[]) =>
      keys.reduce<Json>((part, key) => (part as Record<string, Json> | undefined)?.[key], document);
    const resolve = (value: Json, within: string[]): Json => {
      if (Array.isArray(value)) return value.map((one) => resolve(one, within));
      if (typeof value !== 'object' || value === null) return value;
      const { $ref: reference, allOf, ...own } = value as Record<string, Json>;
      // Beside a description a reference stands alone in `allOf`, of which examples show nothing.
      const [only, ...others] = Array.isArray(allOf) ? (allOf as Record<string, Json>[]) : [];
      const isReference = others.length === 0 && typeof only?.$ref === 'string';
      if (allOf !== undefined && !isReference) own.allOf = allOf;
      const $ref = isReference ? only.$ref : reference;
      // A schema that contains itself is shown as a reference.
      if (typeof $ref === 'string' && within.includes($ref)) return value;
      const target = typeof $ref === 'string' && resolve(at($ref.split('/').slice(1)), [...within, $ref]);
      const entries = Object.entries(own).map(([key, one]) => [key, resolve(one, within)] as const);
      return { ...(target as object), ...Object.fromEntries(entries) };
    };
    return Promise.resolve({ errors: [], spec: resolve(at(path), []) });
  };
  return { fn: { resolveSubtree } };
}
