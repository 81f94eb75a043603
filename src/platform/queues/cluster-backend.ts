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
 * BullMQ's Redis backend on a cluster. BullMQ cannot create a cluster client from options, and does not close one that it is
 * given, so both are done here.
 *
 * The hash tag keeps all keys of a queue in one slot, as BullMQ's scripts need. Each queue has its own slot, because no
 * script touches two queues (flows would; the service has none). With three masters that share the slots equally, the two
 * busiest queues, of messages and of webhooks, are on different ones.
 */
export const createClusterBackend: BackendFactory<RedisQueueBackend> = (name, options, more) => {
  const { nodes, ...clusterOptions } = options.connection as ClusterConnection;
  const connection = new Cluster(nodes, clusterOptions);
  const onCluster: typeof options & KeyPrefixOptions = { ...options, connection, prefix: `{guias-${name}}` };
  const backend = createRedisBackend(name, onCluster, more);
  // The client's own errors do not say why every node failed, for example a wrong password.
  connection.on('node error', (error: Error) => backend.emit('error', error));
  const close = backend.close.bind(backend);
  backend.close = (force) => close(force).finally(() => connection.disconnect());
  return backend;
};
