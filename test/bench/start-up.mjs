// Measures the time from the start of the service to its first answer, in ROLE=all with the embedded
// PostgreSQL.
import { cpuSeconds, memory } from './process-usage.mjs';
import { startService } from './servers.mjs';

/**
 * @param dataDir a filled folder whose PostgreSQL is stopped.
 * @returns for each start the seconds, the CPU seconds of its process, and its megabytes.
 */
export async function startUps(dataDir, times) {
  const found = [];
  // The first start creates what the folder lacks, and does not count.
  for (let i = 0; i <= times; i++) {
    const service = await startService({ DATA_DIR: dataDir }, { folder: dataDir });
    const key = /gk_live_\w+/.exec(service.output)[0];
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/guias`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.text();
    const seconds = (performance.now() - service.began) / 1_000;
    if (response.status !== 200) throw new Error(`the first answer was ${response.status}`);
    if (i > 0) found.push({ seconds, cpu: cpuSeconds(service.pid), memory: memory(service.pid).now });
    await service.stop();
  }
  return found;
}
