import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config/env.js';
import { StartupError } from '../../platform/errors/startup-error.js';

/**
 * Tries PORT and HOST before anything is started or made in DATA_DIR. A worker whose port is taken goes on without it.
 * @throws StartupError
 */
export async function checkListenAddress(config: Config): Promise<void> {
  // A connection that is left open would keep the server from closing.
  const server = createServer((socket) => socket.destroy()).listen(config.port, config.host);
  try {
    await once(server, 'listening');
    await new Promise((closed) => server.close(closed));
  } catch (error) {
    if (!isOptionalPort(config, error)) throw listenFault(config, error);
  }
}

/** Whether a port is taken that the service can do without: a worker needs its port only for health checks. */
export function isOptionalPort({ role }: Config, error: unknown): boolean {
  return role === 'worker' && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/** A StartupError that says what to do where the service cannot listen; any other error unchanged. */
export function listenFault({ port, host }: Config, error: unknown): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartupError(
        `PORT: ${port} is taken; stop what listens there or set PORT to another (0 takes a free one)`,
      );
    case 'EACCES':
      return new StartupError(`PORT: ${port} is not allowed for this user; set PORT to 1024 or more`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(
        `HOST: ${host} is no address of this machine; set HOST to 127.0.0.1 or 0.0.0.0`,
      );
    default:
      return error;
  }
}
