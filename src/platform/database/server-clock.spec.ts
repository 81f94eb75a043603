import fc from 'fast-check';
import { ServerClock } from './server-clock.js';

/** A server whose clock differs by `offset`, over a link with the given delays; all in milliseconds. */
class Stage {
  now = 1_000;
  offset = 0;
  delays = { there: 0, back: 0 };
  exchanges = 0;
  readonly clock = new ServerClock(() => {
    this.exchanges++;
    this.now += this.delays.there;
    const serverMs = this.now + this.offset;
    this.now += this.delays.back;
    return Promise.resolve(serverMs);
  });

  constructor() {
    jest.spyOn(performance, 'now').mockImplementation(() => this.now);
  }
}

describe('ServerClock', () => {
  afterEach(() => jest.restoreAllMocks());

  it('asks the server once, and again in the background after a minute', async () => {
    const stage = new Stage();
    stage.offset = 5_000;
    expect(await stage.clock.serverMs(2_000)).toBe(7_000);
    expect(await stage.clock.serverMs(2_500)).toBe(7_500);
    expect(stage.exchanges).toBe(1);
    stage.now += 60_001;
    expect(await stage.clock.serverMs(3_000)).toBe(8_000);
    expect(stage.exchanges).toBe(2);
  });

  it('is early by at most the way back, and more precise after a faster exchange', async () => {
    const stage = new Stage();
    stage.delays = { there: 10, back: 40 };
    expect(await stage.clock.serverMs(2_000)).toBe(1_960);
    stage.delays = { there: 1, back: 2 };
    await stage.clock.measure();
    expect(await stage.clock.serverMs(2_000)).toBe(1_998);
    stage.delays = { there: 30, back: 30 };
    await stage.clock.measure();
    expect(await stage.clock.serverMs(2_000)).toBe(1_998);
  });

  it.each([-3_600_000, 3_600_000])('follows a server whose clock is set by %d ms', async (step) => {
    const stage = new Stage();
    stage.delays = { there: 1, back: 1 };
    await stage.clock.serverMs(0);
    stage.offset = step;
    await stage.clock.measure();
    expect(await stage.clock.serverMs(0)).toBe(step - 1);
  });

  it('drops a measurement of a server that was replaced while it was in flight', async () => {
    const answers: ((serverMs: number) => void)[] = [];
    const clock = new ServerClock(() => new Promise((answer) => answers.push(answer)));
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const time = clock.serverMs(1_000);
    clock.forget();
    answers[0]!(50_000);
    await new Promise(setImmediate);
    answers[1]?.(7_000);
    expect(await time).toBe(7_000);
  });

  it('fails where the server has never answered', async () => {
    const clock = new ServerClock(() => Promise.reject(new Error('away')));
    await expect(clock.serverMs(0)).rejects.toThrow('away');
  });

  it('is never late after a measurement, whatever the delays and however the server clock was set', async () => {
    const exchange = fc.record({
      there: fc.nat(5_000),
      back: fc.nat(5_000),
      step: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -9e6, max: 9e6 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(exchange, { minLength: 1 }), async (exchanges) => {
        const stage = new Stage();
        for (const { there, back, step } of exchanges) {
          stage.offset += step;
          stage.delays = { there, back };
          await stage.clock.measure();
          const error = (await stage.clock.serverMs(0)) - stage.offset;
          // A step smaller than the exchange took cannot be told from a slow link.
          if (exchanges.every((other) => other.step === 0)) expect(error).toBeLessThanOrEqual(0);
          expect(error).toBeGreaterThanOrEqual(-(there + back));
          expect(error).toBeLessThanOrEqual(there + back);
        }
      }),
    );
  });
});
