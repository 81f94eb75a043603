/** What is struck during a wave of creates: a server or process, or the network between the service and a server. */
type Target = 'api' | 'worker' | Reached;

/** What the service reaches through a network whose weather the run decides. */
export type Reached = 'postgres' | 'redis' | 'provider';

/**
 * Redis away or refusing writes, for a while: `freeze` stops it without ending it, `outage` kills it, and it comes back empty;
 * `full`, `replica` and `lone` as `TestRedis.refuseWrites` takes them.
 */
export const REDIS_AWAY = ['freeze', 'outage', 'full', 'replica', 'lone'] as const;

/** What the network does for a while: `tcp-proxy.ts` says what. The half-open ones name the end that is never told. */
export const WEATHERS = ['slow', 'drip', 'cut', 'half-open-client', 'half-open-server'] as const;

/** Seconds by which the clock of a process is wrong for a while: it steps there, and back. */
export const CLOCK_STEPS = { ahead: 60, behind: -60 } as const;

/**
 * How: `kill` is SIGKILL to a process, and to PostgreSQL an immediate stop; `freeze` stops a process for a while without
 * ending it; `flush` empties Redis.
 */
type How =
  | 'kill'
  | 'freeze'
  | 'flush'
  | keyof typeof CLOCK_STEPS
  | (typeof REDIS_AWAY)[number]
  | (typeof WEATHERS)[number];

export interface Strike {
  target: Target;
  how: How;
  /** ms after the start of the wave. */
  afterMs: number;
}

/** Creates sent at once, and the fault meanwhile. */
export interface Wave {
  guides: number;
  /** ms of pause after it. */
  pauseMs: number;
  strike?: Strike;
}

export interface Size {
  guides: number;
  /** Of API and worker, in equal parts. */
  kills: number;
  /** Immediate stops of PostgreSQL. */
  crashes: number;
  /** Of API and worker, in equal parts. */
  freezes: number;
  /** Times that the clock of API or worker steps, in equal parts. */
  steps: number;
  /** Times that Redis is away or refuses writes, in equal parts. */
  outages: number;
  /** Storms between the service and PostgreSQL, Redis and the provider, in equal parts. */
  storms: number;
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

/** The plan of a run: each fault falls within a wave of its own; they are shuffled. */
export function planOf(random: Random, size: Size): Wave[] {
  const { guides, kills, crashes, freezes, steps, outages, storms, hasRedis } = size;
  const processes = (how: How, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      target: i % 2 === 0 ? ('worker' as const) : ('api' as const),
      how,
    }));
  const faults: Omit<Strike, 'afterMs'>[] = [
    ...processes('kill', kills),
    ...processes('freeze', freezes),
    ...Array.from({ length: crashes }, () => ({ target: 'postgres' as const, how: 'kill' as const })),
  ];
  if (hasRedis) {
    const redis = (how: How) => ({ target: 'redis' as const, how });
    for (let i = 0; i < Math.max(1, Math.round(kills / 4)); i++) faults.push(redis('flush'));
    faults.push(...drawn(random, REDIS_AWAY.map(redis), outages));
  }
  const clocks = (['api', 'worker'] as const).flatMap((target) => [
    { target, how: 'ahead' as const },
    { target, how: 'behind' as const },
  ]);
  faults.push(...drawn(random, clocks, steps));
  const reached: Reached[] = hasRedis ? ['postgres', 'redis', 'provider'] : ['postgres', 'provider'];
  const weathers = reached.flatMap((target) => WEATHERS.map((how) => ({ target, how })));
  faults.push(...drawn(random, weathers, storms));
  shuffle(random, faults);
  const timing = () => ({ guides: 0, pauseMs: Math.floor(random() * PAUSE_MS) });
  // Every second wave is without a fault: work accumulates while a killed worker starts.
  const waves = faults.flatMap((fault): Wave[] => [
    { strike: { ...fault, afterMs: Math.floor(random() * IN_FLIGHT_MS) }, ...timing() },
    timing(),
  ]);
  share(random, guides, waves);
  return waves;
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

/** So many of the list: each once before any of them twice. */
function drawn<T>(random: Random, list: T[], count: number): T[] {
  const all: T[] = [];
  while (all.length < count) {
    const next = list.slice();
    shuffle(random, next);
    all.push(...next);
  }
  return all.slice(0, count);
}

function shuffle(random: Random, list: unknown[]): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
}
