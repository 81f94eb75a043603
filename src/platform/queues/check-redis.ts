import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from '../config/redis-address.js';
import { StartupError } from '../errors/startup-error.js';
import { redisRefusal } from './redis-refusal.js';

/** Milliseconds; a Redis that takes longer counts as away, and the service starts without it. */
const ANSWER_MS = 2_000;

/** Options that leave ioredis a single attempt. */
const ONCE = {
  lazyConnect: true,
  connectTimeout: ANSWER_MS,
  commandTimeout: ANSWER_MS,
  sentinelCommandTimeout: ANSWER_MS,
  enableReadyCheck: false,
  maxRetriesPerRequest: 0,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
} satisfies RedisOptions;

/** Writes what the queues and the counts of requests write, and leaves nothing. */
const TRY = `
  redis.call('hset', KEYS[1], 'a', '1') redis.call('hincrby', KEYS[1], 'a', 1) redis.call('del', KEYS[1])
  redis.call('zadd', KEYS[1], 1, 'a') redis.call('zrem', KEYS[1], 'a')
  redis.call('rpush', KEYS[1], 'a') redis.call('lpop', KEYS[1])
  redis.call('xadd', KEYS[1], '*', 'a', '1') redis.call('del', KEYS[1])
  redis.call('set', KEYS[1], '1', 'PX', 1000) redis.call('del', KEYS[1])`;

/** Begin as the keys of the queues, and of the counts of requests. */
const KEYS = ['bull:prueba', 'guias-solicitudes:prueba'];

/**
 * Checks that Redis does for us what it will be asked. One that is away or busy passes.
 * @throws StartupError where it refuses, which waiting does not heal.
 */
export async function checkRedis(address: RedisAddress): Promise<void> {
  if ('nodes' in address) return checkCluster(address.nodes, address.redisOptions);
  const client = 'url' in address ? new Redis(address.url, ONCE) : new Redis({ ...address, ...ONCE });
  const { host, port, tls, sentinels } = client.options;
  const errors = await errorsOf(client, async () => {
    for (const key of KEYS) await client.eval(TRY, 1, key);
    await client.bzpopmin(KEYS[0]!, 0.01);
  });
  await refuse(errors, sentinels ? undefined : { host: host!, port: port!, isTls: !!tls });
}

async function checkCluster(
  nodes: { host: string; port: number }[],
  redisOptions: RedisOptions,
): Promise<void> {
  const outside: string[] = [];
  await Promise.all(
    nodes.map(async (node) => {
      const client = new Redis({ ...node, ...redisOptions, ...ONCE });
      const errors = await errorsOf(client, () => client.cluster('INFO'));
      if (errors.some(({ message }) => /cluster support disabled/i.test(message)))
        outside.push(`${node.host}:${node.port}`);
      else await refuse(errors, { ...node, isTls: !!redisOptions.tls });
    }),
  );
  if (outside.length > 0)
    throw new StartupError(
      `REDIS_URL: ${outside.join(', ')} is no node of a Redis Cluster; write redis://… for a single server, or name the cluster's nodes`,
    );
}

/** The errors of a connection and of what is tried on it. ioredis tells of a wrong password or database only by events. */
async function errorsOf(client: Redis, attempt: () => Promise<unknown>): Promise<Error[]> {
  const errors: Error[] = [];
  client.on('error', (error: Error) => errors.push(error));
  try {
    await client.connect();
    await attempt();
  } catch (error) {
    errors.push(error as Error);
  } finally {
    client.disconnect();
  }
  return errors;
}

/** @param server which may speak TLS where we do not, or the reverse: then it only hangs up. */
async function refuse(errors: Error[], server?: Server): Promise<void> {
  const refusal = errors.map(redisRefusal).find((one) => one !== undefined);
  if (refusal) throw new StartupError(`REDIS_URL: ${refusal.remedy}`);
  if (errors.length === 0 || !server || !(await answers({ ...server, isTls: !server.isTls }))) return;
  throw new StartupError(
    server.isTls
      ? 'REDIS_URL: Redis does not speak TLS there; write redis:// in place of rediss://'
      : 'REDIS_URL: Redis speaks TLS there; write rediss:// in place of redis://',
  );
}

interface Server {
  host: string;
  port: number;
  isTls: boolean;
}

/** Whether a server completes a TLS handshake, with whatever certificate; or answers a plain command. */
function answers({ host, port, isTls }: Server): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = isTls ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(ANSWER_MS, () => settle(false));
    socket.once(isTls ? 'secureConnect' : 'data', () => settle(true));
    for (const event of ['error', 'close']) socket.once(event, () => settle(false));
    if (!isTls) socket.write('PING\r\n');
  });
}
