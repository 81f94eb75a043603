import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { loadConfig } from '../platform/config/env.js';
import { KeyLimits } from './key-limits.js';
import { WINDOW_S } from './rate-limiter.js';
import { RequestCounts } from './request-counts.js';

const LIMIT = 5;

describe('KeyLimits', () => {
  let counts: RequestCounts;
  let limits: KeyLimits;
  const headers = new Map<string, string>();
  const reply = {
    header: (name: string, value: string) => headers.set(name, value),
  } as unknown as FastifyReply;
  const request = { credential: { keyId: 'key' } } as FastifyRequest;

  beforeEach(() => {
    jest.useFakeTimers();
    const config = loadConfig({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
    counts = new RequestCounts(config, pino({ level: 'silent' }));
    limits = new KeyLimits(config, counts);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  const arrive = async () => limits.count({ keyId: 'key' }, reply);
  const arrivals = async (count: number) => {
    for (let n = 0; n < count; n++) await arrive();
  };
  const chargeTooMuch = () =>
    expect(limits.charge(request, reply, LIMIT)).rejects.toMatchObject({ codigo: 'demasiadas_solicitudes' });
  const left = () => /r=(\d+)/.exec(headers.get('RateLimit')!)?.[1];

  it('counts the arrival alone of what is refused', async () => {
    await arrivals(2);
    await chargeTooMuch();
    expect(left()).toBe(String(LIMIT - 2));
    await arrivals(LIMIT - 2);
    await expect(arrive()).rejects.toThrow();
  });

  it.each([0, 1, LIMIT - 1])(
    'keeps the limit of a window that begins before the refund, with %d requests in it',
    async (already) => {
      await arrivals(2);
      jest.advanceTimersByTime(WINDOW_S * 1_000 - 10);
      const add = counts.add.bind(counts);
      jest.spyOn(counts, 'add').mockImplementation(async (key, points) => {
        if (points < 0) {
          jest.advanceTimersByTime(20);
          for (let n = 0; n < already; n++) await add(key, 1);
        }
        return add(key, points);
      });
      await chargeTooMuch();
      expect(left()).toBe(String(LIMIT - already));
      await arrivals(LIMIT - already);
      await expect(arrive()).rejects.toThrow();
    },
  );
});
