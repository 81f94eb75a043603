import { createServer, type AddressInfo, type Server } from 'node:net';
import { clientFor, SCRAM_ALONE } from './connection.js';

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const authentication = (kind: number, rest = '') => {
  const code = Buffer.alloc(4);
  code.writeUInt32BE(kind);
  return message('R', Buffer.concat([code, Buffer.from(rest, 'latin1')]));
};
const CLEARTEXT = authentication(3);
const NOTICE = message('N', Buffer.from('SNOTICE\0\0'));

describe('a client of the embedded server', () => {
  let server: Server;
  let sent: string;
  let answers: Buffer[];

  beforeEach(async () => {
    sent = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        sent += chunk.toString('latin1');
        for (const answer of answers.splice(0)) socket.write(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it.each<[what: string, ...answers: Buffer[]]>([
    ['asks for it in clear text', CLEARTEXT],
    ['asks for it in clear text after a notice', Buffer.concat([NOTICE, CLEARTEXT])],
    ['asks for it in clear text byte by byte', ...[...CLEARTEXT].map((byte) => Buffer.from([byte]))],
    ['asks for it as MD5', authentication(5, 'salt')],
    ['lets it in without a proof', Buffer.concat([authentication(0), message('Z', Buffer.from('I'))])],
    ['asks for another kind of proof', authentication(7)],
  ])('never sends its password to a server that %s', async (_what, ...given) => {
    answers = given;
    const { port } = server.address() as AddressInfo;
    const client = clientFor(`postgres://app:s3cr3t@127.0.0.1:${port}/guias?${SCRAM_ALONE}`, {
      connectionTimeoutMillis: 5_000,
    });
    client.on('error', () => undefined);
    await expect(client.connect()).rejects.toThrow('did not prove by SCRAM');
    expect(sent).toContain('guias');
    expect(sent).not.toMatch(/s3cr3t|md5/);
  });
});
