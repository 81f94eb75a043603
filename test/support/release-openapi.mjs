// Keeps openapi.json, without its texts, as what the released version promises; part of a release.
import { readFileSync, writeFileSync } from 'node:fs';

const at = (path) => new URL(`../../${path}`, import.meta.url);
const read = (path) => JSON.parse(readFileSync(at(path), 'utf8'));

const TEXTS = ['description', 'summary', 'example', 'examples', 'externalDocs'];

/** Texts of a schema, and not fields of that name. */
const withoutTexts = (value, isNamed = false) => {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isNamed || !TEXTS.includes(key))
      .map(([key, part]) => [key, withoutTexts(part, ['properties', 'schemas', 'headers'].includes(key))]),
  );
};

const { openapi, paths, webhooks, components } = withoutTexts(read('openapi.json'));
const released = { openapi, 'x-release': read('package.json').version, paths, webhooks, components };
writeFileSync(at('test/data/openapi-v1.json'), `${JSON.stringify(released, null, 1)}\n`);
