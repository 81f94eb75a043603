import {
  createRedisBackend,
  type BackendFactory,
  type KeyPrefixOptions,
  type RedisQueueBackend,
} from 'bullmq';
import { Cluster, type ClusterOptions } from 'ioredis';
import type { ClusterAddress } from '../config/redis-address.js';

/** Connection options of a queue or worker on a Redis Cluster. */
export interface ClusterConnection extends ClusterOptions {
  readonly nodes: ClusterAddress['nodes'];
}

/**
 * BullMQ's Redis backend on a cluster. BullMQ makes no cluster's client from options, and leaves open the one that it is
 * given: so this makes and closes it.
 *
 * The hash tag keeps all keys of a queue in one slot, as BullMQ's scripts need. Each queue has its own slot, because no
 * script touches two queues (flows would; the service has none). Of three masters with equal parts of the slots, the
 * queues of messages and of webhooks, the busiest, then have one each.
 */
export const createClusterBackend: BackendFactory<RedisQueueBackend> = (name, options, more) => {
  const { nodes, ...clusterOptions } = options.connection as ClusterConnection;
  const connection = new Cluster(nodes, clusterOptions);
  const onCluster: typeof options & KeyPrefixOptions = { ...options, connection, prefix: `{guias-${name}}` };
  const backend = createRedisBackend(name, onCluster, more);
  // The client's own errors do not say why no node would do, as for a wrong password.
  connection.on('node error', (error: Error) => backend.emit('error', error));
  const close = backend.close.bind(backend);
  backend.close = (force) => close(force).finally(() => connection.disconnect());
  return backend;
};
