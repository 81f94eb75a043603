import { readFileSync } from 'node:fs';
import { GUIDES, toDescription } from './guides.js';

describe('a guide', () => {
  it.each<[what: string, markdown: string, description: string]>([
    ['gives a heading an id', '## Limits and retries', '<h2 id="limits-and-retries">Limits and retries</h2>'],
    ['leaves marks out of the id', '### `ref`, ¿y más?', '<h3 id="ref-y-más">`ref`, ¿y más?</h3>'],
    ['leaves a comment of a program', '# npm start', '# npm start'],
    ['leads to another guide', 'see [the API](api.md#listar).', 'see [the API](/api/docs/guias/api#listar).'],
    ['leads to a part of itself', '[here](#list)', '[here](#list)'],
    ['leads to other sites', '[there](https://example.com/a.md)', '[there](https://example.com/a.md)'],
    ['does not lead to files that are not served', '[a](../CHANGELOG.md), [b](operations.md#x)', 'a, b'],
  ])('%s', (_, markdown, description) => {
    expect(toDescription(markdown)).toBe(description);
  });

  it.each(Object.keys(GUIDES))('%s links to parts that exist', (guide) => {
    const textOf = (name: string) => toDescription(readFileSync(`docs/${name}.md`, 'utf8'));
    const links = [...textOf(guide).matchAll(/\]\((?:\/api\/docs\/guias\/([\w-]+))?(?:#([^)]+))?\)/g)];
    const dead = links.filter(
      ([, other = guide, part]) => part !== undefined && !textOf(other).includes(` id="${part}"`),
    );
    expect(dead.map(([link]) => link)).toEqual([]);
  });
});
