// Writes clients/guias.postman_collection.json, or the file that is named, from openapi.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { postmanCollection } from './collection.mjs';

const at = (path) => new URL(`../../${path}`, import.meta.url);
const document = JSON.parse(readFileSync(at('openapi.json'), 'utf8'));
writeFileSync(
  process.argv[2] ?? at('clients/guias.postman_collection.json'),
  `${JSON.stringify(postmanCollection(document), null, 2)}\n`,
);
