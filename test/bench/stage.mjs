// Starts one PostgreSQL and, for each size, fills both databases and starts the servers that are compared.
import { fillBareDatabase, bareKey } from './bare-database.mjs';
import { startCluster } from './cluster.mjs';
import { MERCHANT } from './guides.mjs';
import { memory } from './process-usage.mjs';
import { runCommand, startBareServer, startService } from './servers.mjs';
import { fillServiceDatabase } from './service-database.mjs';
import { query } from './stores.mjs';

/**
 * @param options.settings of PostgreSQL
 * @param options.bareRows how many guides the bare servers have at most
 * @param options.flags of the service's Node
 */
export async function openStage(sizes, { settings = [], bareRows = Infinity, flags = [] } = {}) {
  const cluster = await startCluster(settings);
  const stages = [];
  for (const rows of sizes) {
    // The largest size uses the embedded database's own name, so that the start-up bench finds it.
    const serviceUrl = rows === Math.max(...sizes) ? cluster.url : await cluster.database(`guias_${rows}`);
    const bareUrl = await cluster.database(`bare_${rows}`);
    const began = performance.now();
    const [merchant] = await Promise.all([
      fillServiceDatabase(serviceUrl, rows),
      fillBareDatabase(bareUrl, Math.min(rows, bareRows)),
    ]);
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.error(`${rows.toLocaleString('en')} rows: both databases filled in ${seconds} s`);
    stages.push({ rows, serviceUrl, bareUrl, merchant });
  }
  // Write dirty pages now, not during a measurement.
  await query(cluster.url, 'checkpoint');
  for (const stage of stages) stage.servers = await startServers(stage, cluster.dataDir, flags);
  return { cluster, stages };
}

async function startServers({ serviceUrl, bareUrl, merchant }, folder, flags) {
  const database = { DATABASE_URL: serviceUrl };
  const { api_key: key } = await runCommand(['keys', 'create', '--merchant', merchant], database);
  const env = { ...database, ROLE: 'api' };
  const service = await startService(env, { folder, flags });
  const plain = await startBareServer(bareUrl, 'plain', { folder });
  const text = await startBareServer(bareUrl, 'text', { folder });
  const batch = await startBareServer(bareUrl, 'batch', { folder });
  const withKey = (server, itsKey) => ({
    ...server,
    key: itsKey,
    memoryAtStart: memory(server.pid).now,
  });
  return {
    service: withKey(service, key),
    plain: withKey(plain, bareKey(MERCHANT)),
    text: withKey(text, bareKey(MERCHANT)),
    batch: withKey(batch, bareKey(MERCHANT)),
  };
}
