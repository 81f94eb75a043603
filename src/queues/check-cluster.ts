import type { RedisAddress } from '../config/redis-address.js';
import { StartupError } from '../errors/startup-error.js';

/** Milliseconds; a node that takes longer counts as away, and the service starts without it. */
const ANSWER_MS = 2_000;

/**
 * Checks that the nodes of a cluster's address run in cluster mode; does nothing for other addresses.
 * @throws StartupError if one does not: it would refuse every command.
 */
export async function checkCluster(address: RedisAddress | undefined): Promise<void> {
  if (address === undefined || !('nodes' in address)) return;
  const { Redis } = await import('ioredis');
  const { nodes, redisOptions } = address;
  const asked = nodes.map(async (node) => {
    const client = new Redis({
      ...node,
      ...redisOptions,
      connectTimeout: ANSWER_MS,
      commandTimeout: ANSWER_MS,
      enableReadyCheck: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    client.on('error', () => undefined);
    try {
      await client.cluster('INFO');
    } catch (error) {
      if (/cluster support disabled/i.test((error as Error).message)) return `${node.host}:${node.port}`;
    } finally {
      client.disconnect();
    }
    return undefined;
  });
  const outside = (await Promise.all(asked)).filter((node) => node !== undefined);
  if (outside.length === 0) return;
  throw new StartupError(
    `REDIS_URL: ${outside.join(', ')} is no node of a Redis Cluster; write redis://… for a single server, or name the cluster's nodes`,
  );
}
