/** A fault during a wave of creates: a process is killed, or Redis is flushed. */
export interface Strike {
  target: 'api' | 'worker' | 'flush';
  /** ms after the start of the wave. */
  afterMs: number;
}

/** A fault of Redis: it does not answer, or it is killed and comes back empty. */
export type Outage = 'frozen' | 'gone';

/** Creates sent at once, and the fault meanwhile. */
export interface Wave {
  guides: number;
  /** ms of pause after it. */
  pauseMs: number;
  strike?: Strike;
  outage?: Outage;
}

export interface Size {
  guides: number;
  kills: number;
  /** Whether the queues are in Redis. */
  hasRedis: boolean;
}

/** Random numbers from 0 to 1, excluding 1; the same for the same seed (mulberry32). */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** ms in which the creates and messages of a wave are in flight; a strike falls within. */
const IN_FLIGHT_MS = 150;

/** ms; longest pause between waves. */
const PAUSE_MS = 400;

/** The plan of a run: kills of API and worker in equal parts, each within a wave, and Redis's faults, shuffled. */
export function planOf(random: Random, { guides, kills, hasRedis }: Size): Wave[] {
  const targets: (Strike['target'] | Outage)[] = Array.from({ length: kills }, (_, i) =>
    i % 2 === 0 ? 'worker' : 'api',
  );
  if (hasRedis) {
    for (let i = 0; i < Math.max(1, Math.round(kills / 4)); i++) targets.push('flush');
    targets.push('frozen', 'gone');
  }
  shuffle(random, targets);
  // Every second wave is without a fault: work accumulates while a killed worker starts.
  const waves = targets.flatMap((target): Wave[] => [{ ...fault(target), ...timing() }, timing()]);
  share(random, guides, waves);
  return waves;

  function timing() {
    return { guides: 0, pauseMs: Math.floor(random() * PAUSE_MS) };
  }

  function fault(target: Strike['target'] | Outage): Pick<Wave, 'strike' | 'outage'> {
    return target === 'frozen' || target === 'gone'
      ? { outage: target }
      : { strike: { target, afterMs: Math.floor(random() * IN_FLIGHT_MS) } };
  }
}

/** Distributes guides over waves, at least one each. */
function share(random: Random, guides: number, waves: Wave[]): void {
  const weights = waves.map(() => 0.2 + random());
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let left = guides;
  waves.forEach((wave, i) => {
    wave.guides = i === waves.length - 1 ? left : Math.max(1, Math.floor((guides * weights[i]!) / total));
    left -= wave.guides;
  });
}

function shuffle(random: Random, list: unknown[]): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}
