import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A server on 127.0.0.1 that passes each connection to the test; closed after `use`. */
export async function withTcpServer(
  onSocket: (socket: Socket) => void,
  use: (port: number) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}
