import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../../test/support/eventually.js';
import { limitUnsentBytes, type UnsentLimits } from './unsent-bytes.js';

const MIB = 1024 * 1024;

/** More than the system's buffers of a connection take. */
const LARGE = Buffer.alloc(24 * MIB, 'x');

const NEVER = 3_600_000;

describe('limitUnsentBytes', () => {
  let server: Server;
  let accepted: Socket[];
  let clients: Socket[];
  let closed: number;

  const start = async (
    limits: UnsentLimits,
    answer: RequestListener = (_, response) => response.end(LARGE),
  ) => {
    accepted = [];
    clients = [];
    closed = 0;
    server = createServer(answer);
    server.on('connection', (socket) => accepted.push(socket));
    limitUnsentBytes(server, (count) => (closed += count), limits);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  const port = () => (server.address() as AddressInfo).port;
  /** Asks, and never reads. */
  const ask = (requests = 1) => {
    const socket = connect(port(), '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
    clients.push(socket);
  };
  const open = () => accepted.filter(({ destroyed }) => !destroyed);
  const unsent = () => open().reduce((sum, { writableLength }) => sum + writableLength, 0);

  afterEach(async () => {
    for (const socket of clients) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('closes connections while all together have more unsent bytes than the limit, those that wait longest first', async () => {
    await start({ total: 3 * LARGE.length, stall: NEVER, slow: NEVER, check: 20 });
    for (let n = 0; n < 3; n++) ask();
    await eventually(() => expect(unsent()).toBeGreaterThan(2 * LARGE.length));
    const first = [...accepted];
    for (let n = 0; n < 8; n++) ask();
    await eventually(() => expect([accepted.length, closed]).toEqual([11, expect.any(Number)]));
    await eventually(() => expect(unsent()).toBeLessThanOrEqual(3 * LARGE.length));
    await eventually(() => expect(first.every(({ destroyed }) => destroyed)).toBe(true));
    expect(closed).toBe(11 - open().length);
  });

  it('lets a client that reads have the whole answer beside those that do not', async () => {
    await start({ total: 3 * LARGE.length, stall: NEVER, slow: NEVER, check: 20 });
    for (let n = 0; n < 8; n++) ask();
    await eventually(() => expect(closed).toBeGreaterThan(0));
    const response = await fetch(`http://127.0.0.1:${port()}/`, { headers: { connection: 'close' } });
    expect((await buffer(response.body!)).length).toBe(LARGE.length);
  });

  it.each([
    { stall: 100, slow: NEVER },
    { stall: NEVER, slow: 100 },
  ])(
    'closes a connection whose client has stopped reading, also if it goes on to send: %j',
    async (limits) => {
      await start({ total: Infinity, check: 20, ...limits });
      ask();
      await eventually(() => expect([accepted.length, open().length]).toEqual([1, 0]));
      expect(closed).toBe(0);
    },
  );

  it('leaves a connection alone whose answer is not ready yet', async () => {
    let respond: (() => void) | undefined;
    await start(
      { total: 0, stall: 2, slow: 1, check: 5 },
      (_, response) => (respond = () => response.end('done')),
    );
    const answer = fetch(`http://127.0.0.1:${port()}/`);
    await eventually(() => expect(respond).toBeDefined());
    await new Promise((resolve) => setTimeout(resolve, 50));
    respond!();
    expect(await (await answer).text()).toBe('done');
  });

  it('counts pipelined answers that wait for the one before', async () => {
    const part = Buffer.alloc(MIB);
    let requests = 0;
    // The first answer never ends, so that the others stay behind it.
    await start({ total: 8 * MIB, stall: NEVER, slow: NEVER, check: 20 }, (_, response) => {
      if (requests++ > 0) response.end(part);
    });
    ask(5);
    await eventually(() => expect(requests).toBe(5));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([open().length, closed]).toEqual([1, 0]);
    requests = 0;
    ask(20);
    await eventually(() => expect(closed).toBeGreaterThan(0));
  });
});
