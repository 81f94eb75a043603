import { existsSync } from 'node:fs';

type Block = jest.It | jest.Describe;

/**
 * `it` or `describe` for tests that need a program. Where it is missing they are skipped, with the reason in their title;
 * with CI=true they run all the same, and fail.
 * @param missing such as `no curl`; undefined where nothing is missing.
 */
export function unlessMissing<B extends Block>(block: B, missing: string | undefined): B {
  return unless(block, process.env.CI ? undefined : missing);
}

/** A `describe` for tests of the program at this path. */
export const describeWithProgram = (path: string) =>
  unlessMissing(describe, existsSync(path) ? undefined : `no ${path}`);

/**
 * `it` or `describe` for tests that need a certain user. For others they are skipped, also with CI=true, with the reason in
 * their title. The reporter `skipped.reporter.mjs` prints the titles.
 * @param reason such as `not root`; undefined for a user who can run them.
 */
export function unless<B extends Block>(block: B, reason: string | undefined): B {
  if (reason === undefined) return block;
  const skip = (title: string, ...rest: [body: () => void]) =>
    block['skip'](`${title} (skipped: ${reason})`, ...rest);
  return skip as unknown as B;
}
