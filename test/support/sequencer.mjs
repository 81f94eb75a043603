import { readFileSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/**
 * The ordeals first, which take longest; Jest, which starts the longest or the largest files first, would begin them last.
 * Then the other slow files, so that the run ends with many short ones and no worker waits for one alone. Then files with
 * an app of their own, unit tests, and at last those of the shared app: no worker has to open it twice, and
 * nothing that replaces clocks runs beside it.
 */
export default class OrderOfFiles extends Sequencer {
  sort(tests) {
    const turns = new Map(tests.map((test) => [test, turnOf(test)]));
    return super.sort(tests).toSorted((a, b) => turns.get(a) - turns.get(b));
  }
}

function turnOf({ path }) {
  if (path.includes('/test/torture/')) return 0;
  if (/\/test\/(?:smoke|browser|embedded|hostile|clients|postman)\//.test(path)) return 1;
  if (/\b(?:s|useS)haredApp\(/.test(readFileSync(path, 'utf8'))) return 4;
  return path.includes('/src/') ? 3 : 2;
}
