import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../support/database.js';
import type { HttpStub } from '../support/http-stub.js';
import type { RefusalOfWrites, TestRedis } from '../support/redis.js';
import type { SteppedClock } from '../support/stepped-clock.js';
import type { UrlProxy, Weather } from '../support/tcp-proxy.js';
import { CLOCK_STEPS, type Reached, type Strike } from './plan.js';
import type { PostgresServer } from './postgres-server.js';
import type { Victim } from './victim.js';

/** What is struck. */
export interface Struck {
  postgres: PostgresServer;
  redis?: TestRedis;
  provider: HttpStub;
  api: Victim;
  worker: Victim;
  /** The networks between the service and what it reaches. */
  networks: Partial<Record<Reached, UrlProxy>>;
  /** Of API and worker; absent where clocks cannot be stepped. */
  clocks?: Record<'api' | 'worker', SteppedClock>;
  /** ms of each fault that lasts. */
  outageMs: number;
}

const WEATHER: Record<string, Weather> = {
  slow: { kind: 'slow', ms: 400 },
  // 12 kB a second.
  drip: { kind: 'drip', bytes: 64, everyMs: 5 },
  cut: { kind: 'cut' },
  'half-open-client': { kind: 'half-open', left: 'client' },
  'half-open-server': { kind: 'half-open', left: 'server' },
};

const SENDING = `select g.guia from mensajes m join guias g on g.id = m.guia_id and g.comercio_id = m.comercio_id
  where m.estado in ('enviando', 'incierto')`;

/** Does what a plan says, and remembers which messages a fault fell on. */
export class Faults {
  /** Guide numbers of messages that were being sent when a fault fell, once per fault: the provider may have them. */
  readonly inDoubt: string[] = [];
  /** Where the doubts of a fault that still works began, in the list of the provider's requests. */
  private doubtedFrom: number | undefined;

  constructor(private readonly struck: Struck) {}

  /** Whether creates must be answered while it lasts. */
  static leavesCreates({ target, how }: Strike): boolean {
    return target === 'redis' || isClockStep(how);
  }

  /** Whether clients send all through it. A flush, a kill and a crash are over at once, and a frozen process answers none. */
  static lasts({ target, how }: Strike): boolean {
    return isClockStep(how) || (how !== 'kill' && how !== 'flush' && target !== 'api' && target !== 'worker');
  }

  /** Strikes, waits as long as it lasts, and heals. */
  async strike(strike: Strike): Promise<void> {
    const { struck } = this;
    const { target, how, afterMs } = strike;
    if (target === 'api' || target === 'worker') {
      if (isClockStep(how)) return this.stepClock(struck.clocks![target], CLOCK_STEPS[how]);
      if (how === 'kill') await struck[target].kill(afterMs);
      else await struck[target].freeze(afterMs, () => sleep(struck.outageMs));
      if (target === 'worker') await this.doubtSending();
      return;
    }
    await sleep(afterMs);
    const weather = WEATHER[how];
    if (weather) await this.storm(target, weather);
    else if (target === 'postgres') await this.crash();
    else await this.strikeRedis(how);
  }

  /** Ends the doubts of connections that one end has not forgotten yet, once there are none. */
  review(isOver = false): void {
    const { provider, networks } = this.struck;
    if (this.doubtedFrom === undefined || (!isOver && networks.postgres!.forgotten() > 0)) return;
    this.doubtReceived(provider.requests.slice(this.doubtedFrom));
    this.doubtedFrom = undefined;
  }

  private async stepClock(clock: SteppedClock, seconds: number): Promise<void> {
    clock.set(seconds);
    await sleep(this.struck.outageMs);
    clock.set(0);
  }

  private async crash(): Promise<void> {
    await this.struck.postgres.crash();
    await this.doubtSending();
  }

  private async storm(target: Reached, weather: Weather): Promise<void> {
    const { networks, provider, outageMs } = this.struck;
    const network = networks[target]!;
    const isDoubtful = target !== 'redis';
    if (isDoubtful) await this.doubtSending();
    const from = provider.requests.length;
    network.set(weather);
    await sleep(outageMs);
    network.set({ kind: 'fair' });
    if (!isDoubtful) return;
    // A connection that was forgotten may fail much later, when it is used again.
    if (target === 'postgres' && weather.kind === 'half-open') this.doubtedFrom ??= from;
    else this.doubtReceived(provider.requests.slice(from));
    await this.doubtSending();
  }

  private async strikeRedis(how: Strike['how']): Promise<void> {
    const redis = this.struck.redis!;
    const { outageMs } = this.struck;
    if (how === 'flush') return redis.flushAll();
    if (how === 'freeze') {
      redis.pause();
      await sleep(outageMs);
      redis.resume();
    } else if (how === 'outage') {
      await redis.kill();
      await sleep(outageMs);
      await redis.restart();
    } else {
      await redis.refuseWrites(how as RefusalOfWrites);
      await sleep(outageMs);
      await redis.takeWrites();
    }
  }

  private async doubtSending(): Promise<void> {
    const rows = await (this.struck.postgres as TestDatabase).query<{ guia: string }>(SENDING);
    this.inDoubt.push(...rows.map(({ guia }) => guia));
  }

  private doubtReceived(requests: HttpStub['requests']): void {
    this.inDoubt.push(...requests.map(({ json }) => json.guia as string));
  }
}

function isClockStep(how: Strike['how']): how is keyof typeof CLOCK_STEPS {
  return how in CLOCK_STEPS;
}
