import { join } from 'node:path';
import type { DemoKeys } from '../../auth/demo-merchant.js';
import type { BoardUser } from '../../platform/config/board-users.js';
import type { Config } from '../../platform/config/env.js';
import { GOING_LIVE, missingForLive } from '../../platform/config/going-live.js';

/** Name in DATA_DIR of the generated password of the queue board. */
export const BOARD_PASSWORD = 'board-password';

/** Printed once the service listens. It shows only passwords and keys that the service itself generated. */
export function banner(
  config: Config,
  port: number,
  boardUsers: readonly BoardUser[] | undefined,
  demoKeys: DemoKeys | undefined,
): string {
  const isThisMachine = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host);
  const base = `http://${isThisMachine ? 'localhost' : config.host}:${port}`;
  const lines =
    config.role === 'worker'
      ? ['Guías worker is ready', '', `Health      ${base}/readyz`]
      : [
          'Guías is ready',
          '',
          `API         ${base}/api/v1/guias`,
          `Swagger UI  ${base}/api/docs`,
          `Panel       ${base}/panel`,
          ...(boardUsers
            ? [
                `Queue board ${base}/admin/queues  ${generatedUser(config, boardUsers)}`,
                `Support     ${base}/admin`,
                `Start here  ${base}/admin/puesta-en-marcha`,
              ]
            : []),
          ...(demoKeys?.live ? [`Demo key    ${demoKeys.live}`] : []),
          ...(demoKeys?.test ? [`Test key    ${demoKeys.test}`] : []),
        ];
  const missing = missingForLive(config).map((name) => GOING_LIVE[name]);
  if (missing.length > 0) lines.push('', 'Not ready for live guides:', ...missing.map((line) => `  ${line}`));
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

function generatedUser(
  config: Pick<Config, 'isLocal' | 'boardUsers' | 'dataDir'>,
  boardUsers: readonly BoardUser[],
): string {
  if (config.boardUsers) return '';
  const { name, password } = boardUsers[0]!;
  return `${name} / ${config.isLocal ? password : `password in ${join(config.dataDir, BOARD_PASSWORD)}`}`;
}
