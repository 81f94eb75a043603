import { existsSync } from 'node:fs';

/** A `describe` for tests of a program; where it is missing they are skipped and say why (in CI they fail instead). */
export function describeWithProgram(path: string): (name: string, suite: () => void) => void {
  return (name, suite) => {
    if (existsSync(path) || process.env.CI) describe(name, suite);
    else describe['skip'](`${name} (skipped: no ${path})`, suite);
  };
}
