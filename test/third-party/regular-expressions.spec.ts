import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkSync } from 'recheck';
import ts from 'typescript';

const SRC = resolve(import.meta.dirname, '../../src');

/**
 * In steps, not in time, which would depend on the machine. An input of 20,000 characters may take 100 million steps:
 * fewer than a quadratic expression takes, and more than a bounded repetition. `maxNFASize` keeps its default: at 3,000 the
 * check takes a quarter of the CPU, and misses 19 of 50 quadratic variants of our own expressions.
 */
const LIMITS = {
  ...{ timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null },
  ...{ maxAttackStringSize: 20_000, attackLimit: 100_000_000, incubationLimit: 5_000, maxIteration: 2 },
  ...{ maxInitialGenerationSize: 100, maxGenerationSize: 50, mutationSize: 5, crossoverSize: 5 },
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(tsx?|js)$/.test(name) && !name.endsWith('.spec.ts'))
  .map((name) => ({ name, literals: literalsIn(join(SRC, name)) }));

/** The regular expressions that a file writes as literals. */
function literalsIn(file: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return [...found];
}

describe('regular expressions', () => {
  it.each(files.filter(({ literals }) => literals.length > 0))(
    'take linear time on any input: $name',
    ({ literals }) => {
      const slow = literals.filter((literal) => {
        const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal)!;
        return checkSync(source, flags, LIMITS).status === 'vulnerable';
      });
      expect(slow).toEqual([]);
    },
  );

  it('are built from parts only where no part repeats without a limit', () => {
    const built = files.filter(({ name }) => readFileSync(join(SRC, name), 'utf8').includes('new RegExp('));
    expect(built.map(({ name }) => name).sort()).toEqual([
      'auth/keys/api-key.ts',
      'locations/pasted-text.ts',
      'notifications/inbound/denials.ts',
      // Reads the log of its own PostgreSQL.
      'platform/database/embedded-postgres/launch.ts',
      'platform/validation/instant.ts',
      // A whole heading.
      'web/panel/importar/headings.ts',
      // Up to the closing quote.
      'web/panel/importar/xlsx-xml.js',
      // Senders of up to 40 characters.
      'web/panel/nueva/chat/chat-text.ts',
    ]);
  });
});
