import { OutageWatch } from './outage-watch.js';

type Step = [at: number, mensaje: string, code?: string];
const SUCCESS = 'ok';

function isOutAfter(steps: Step[]): boolean {
  let now = 0;
  const watch = new OutageWatch(() => now * 1_000);
  let isOut = false;
  for (const [at, mensaje, code = 'HTTP 500'] of steps) {
    now = at;
    if (mensaje === SUCCESS) watch.succeeded();
    else isOut = watch.failed(mensaje, code);
  }
  return isOut;
}

describe('a provider', () => {
  const five = ['a', 'b', 'c', 'd', 'e'].map((mensaje, n): Step => [n, mensaje]);

  it.each<[because: string, steps: Step[]]>([
    ['after five failures', five],
    [
      'after five failures of three messages',
      [
        [0, 'a'],
        [0, 'b'],
        [5, 'a'],
        [5, 'b'],
        [59, 'c'],
      ],
    ],
    [
      'if the last success is some seconds old',
      [[0, SUCCESS], ...five.map(([at, id]): Step => [at + 1, id])],
    ],
  ])('is out %s', (_, steps) => expect(isOutAfter(steps)).toBe(true));

  it.each<[because: string, steps: Step[]]>([
    ['after four failures', five.slice(0, 4)],
    ['if it took a message meanwhile', [...five.slice(0, 4), [3, SUCCESS], [9, 'e']]],
    ['if it took a message just before', [[0, SUCCESS], ...five.map(([, id]): Step => [1, id])]],
    [
      'if two messages fail, however often',
      Array.from({ length: 9 }, (_, n): Step => [0, n < 5 ? 'a' : 'b']),
    ],
    ['if the failures are of more than a minute', five.map(([n, id]): Step => [n * 16, id])],
    ['if it asks to go more slowly', five.map(([n, id]): Step => [n, id, 'HTTP 429'])],
    ['if numbers get too many messages', five.map(([n, id]): Step => [n, id, '131056'])],
  ])('is not out %s', (_, steps) => expect(isOutAfter(steps)).toBe(false));
});
