import Sequencer from '@jest/test-sequencer';

/** The ordeals first, which take longest; Jest, which starts the largest files first, would begin them last. */
export default class OrdealsFirst extends Sequencer {
  sort(tests) {
    const isOrdeal = ({ path }) => path.includes('/test/torture/');
    const sorted = super.sort(tests);
    return [...sorted.filter(isOrdeal), ...sorted.filter((test) => !isOrdeal(test))];
  }
}
