import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server got it. */
export interface ReceivedMail {
  /** From the envelope. */
  para: string[];
  /** By their names in lower case, unfolded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  raw: string;
}

/** An answer in place of "250 OK": at which command, and what it says. */
export interface MailRefusal {
  at: 'rcpt' | 'data';
  code: number;
  says: string;
}

export interface MailServer {
  url: string;
  mails: ReceivedMail[];
  /** Mails for an address. */
  to(address: string): ReceivedMail[];
  /** Queues refusals of mails for an address. */
  refuse(address: string, ...refusals: MailRefusal[]): void;
  close(): Promise<void>;
}

/** A mail server on loopback that keeps what it gets. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, MailRefusal[]>();
  const refusalOf = (address: string, at: MailRefusal['at']) => {
    const waiting = refusals.get(address) ?? [];
    return waiting[0]?.at === at ? waiting.shift() : undefined;
  };
  const fault = ({ code, says }: MailRefusal) => Object.assign(new Error(says), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onRcptTo({ address }, _session, done) {
      const refusal = refusalOf(address, 'rcpt');
      done(refusal && fault(refusal));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const para = session.envelope.rcptTo.map(({ address }) => address);
        const refusal = refusalOf(para[0]!, 'data');
        if (!refusal) mails.push(readMail(Buffer.concat(chunks).toString(), para));
        done(refusal && fault(refusal));
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    mails,
    to: (address) => mails.filter(({ para }) => para.includes(address)),
    refuse: (address, ...more) => void refusals.set(address, [...(refusals.get(address) ?? []), ...more]),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A mail as it came. @param para from the envelope. */
export function readMail(raw: string, para: string[]): ReceivedMail {
  const { headers, body } = divided(raw);
  const [, boundary] = /boundary="?([^";\s]+)/.exec(headers['content-type'] ?? '') ?? [];
  const parts = body.split(`--${boundary}`).map((part) => divided(part.trimStart()));
  const partOf = (type: string) => {
    const part = parts.find((one) => one.headers['content-type']?.startsWith(type));
    return part ? decoded(part.body, part.headers['content-transfer-encoding']) : '';
  };
  return { para, headers, text: partOf('text/plain'), html: partOf('text/html'), raw };
}

function divided(text: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  return { headers: Object.fromEntries(headers) as Record<string, string>, body: body.join('\r\n\r\n') };
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
