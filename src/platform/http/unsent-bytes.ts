import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MIB } from '../config/body-limit.js';

/** Limits of the bytes that wait for clients to read them. */
export interface UnsentLimits {
  /** Bytes, of all connections together. */
  total: number;
  /** ms; a connection whose client has read nothing for so long is closed, unless the client itself sends something. */
  stall: number;
  /** ms; a connection is closed if no write ends for so long, whatever its client sends or reads. */
  slow: number;
  /** ms between checks. */
  check: number;
}

const UNSENT_LIMITS: UnsentLimits = { total: 64 * MIB, stall: 15_000, slow: 45_000, check: 250 };

/** The unsent bytes of a connection, and since when they have not become fewer. */
interface Backlog {
  bytes: number;
  /** `performance.now()` */
  since: number;
}

/**
 * Closes connections of clients that ask and do not read: each after a stall, and the slowest first while the answers of
 * all take too much memory. Without it, answers stay in memory for as long as their clients keep the connection.
 * @param onClosed is called with the number of connections that were closed for memory.
 */
export function limitUnsentBytes(
  server: Server,
  onClosed: (count: number) => void,
  { total, stall, slow, check }: UnsentLimits = UNSENT_LIMITS,
): void {
  const sockets = new Set<Socket>();
  /** Pipelined answers that wait for the one before: their bytes are not in the socket yet. */
  const queued = new WeakMap<Socket, Set<ServerResponse>>();
  const backlogs = new Map<Socket, Backlog>();
  let timer: NodeJS.Timeout | undefined;

  const forget = (socket: Socket) => {
    sockets.delete(socket);
    backlogs.delete(socket);
    if (sockets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const close = (socket: Socket) => {
    socket.destroy();
    forget(socket);
  };
  const unsentOf = (socket: Socket) => {
    let bytes = socket.writableLength;
    for (const response of queued.get(socket) ?? [])
      if (response.socket === null) bytes += response.writableLength;
    return bytes;
  };
  const measure = (socket: Socket, now: number): number => {
    const bytes = unsentOf(socket);
    const before = backlogs.get(socket);
    if (bytes === 0) backlogs.delete(socket);
    else if (!before) {
      backlogs.set(socket, { bytes, since: now });
      // Node knows which part of a write was sent, and closes the socket once two looks at it find the same. After the
      // answer it sets its own timeout.
      socket.setTimeout(stall / 2);
    } else {
      if (bytes < before.bytes) before.since = now;
      before.bytes = bytes;
      if (now - before.since > slow) close(socket);
    }
    return bytes;
  };
  const closeSlowest = (excess: number) => {
    const slowest = [...backlogs].sort(([, a], [, b]) => a.since - b.since);
    let closed = 0;
    for (const [socket, { bytes }] of slowest) {
      if (excess <= 0) break;
      close(socket);
      excess -= bytes;
      closed++;
    }
    onClosed(closed);
  };
  const checkAll = () => {
    const now = performance.now();
    let unsent = 0;
    for (const socket of sockets) unsent += measure(socket, now);
    if (unsent > total) closeSlowest(unsent - total);
  };

  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    timer ??= setInterval(checkAll, check).unref();
    socket.once('close', () => forget(socket));
  });
  server.on('request', ({ socket }, response) => {
    if (response.socket !== null) return;
    const responses = queued.get(socket) ?? new Set();
    queued.set(socket, responses.add(response));
    response.once('close', () => responses.delete(response));
  });
}
