import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Starts something on a free port: on another one where somebody takes it in between. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      return await start(await freePort());
    } catch (error) {
      if (tries === 3) throw error;
    }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
