/** What goes wrong while a wave of creates runs: a process is killed, or Redis forgets everything. */
export interface Strike {
  target: 'api' | 'worker' | 'flush';
  /** Milliseconds after the wave's start. */
  afterMs: number;
}

/** What Redis does for a while: it answers nothing, or it ends and comes back empty. */
export type Outage = 'frozen' | 'gone';

/** Creates sent at once, and what happens meanwhile. */
export interface Wave {
  guides: number;
  /** Milliseconds of quiet after it. */
  pauseMs: number;
  strike?: Strike;
  outage?: Outage;
}

export interface Size {
  guides: number;
  kills: number;
  /** Whether there is a Redis to torture as well. */
  hasRedis: boolean;
}

/** A random number from 0 to 1, excluding 1: the same ones for the same seed (mulberry32). */
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

/** Milliseconds in which creates and messages of a wave are under way: a strike falls somewhere inside. */
const UNDER_WAY_MS = 150;

/** Milliseconds between waves, at most. */
const PAUSE_MS = 400;

/** A run: as many kills as asked for, API and worker in turns, each inside of a wave, in an order of chance. */
export function planOf(random: Random, { guides, kills, hasRedis }: Size): Wave[] {
  const targets: (Strike['target'] | Outage)[] = Array.from({ length: kills }, (_, i) =>
    i % 2 === 0 ? 'worker' : 'api',
  );
  if (hasRedis) {
    for (let i = 0; i < Math.max(1, Math.round(kills / 4)); i++) targets.push('flush');
    targets.push('frozen', 'gone');
  }
  shuffle(random, targets);
  // Between two blows a wave in peace: work piles up while a killed worker starts.
  const waves = targets.flatMap((target): Wave[] => [{ ...blow(target), ...timing() }, timing()]);
  share(random, guides, waves);
  return waves;

  function timing() {
    return { guides: 0, pauseMs: Math.floor(random() * PAUSE_MS) };
  }

  function blow(target: Strike['target'] | Outage): Pick<Wave, 'strike' | 'outage'> {
    return target === 'frozen' || target === 'gone'
      ? { outage: target }
      : { strike: { target, afterMs: Math.floor(random() * UNDER_WAY_MS) } };
  }
}

/** Hands out guides over waves, one at least. */
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
