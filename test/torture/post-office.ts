import { setTimeout as sleep } from 'node:timers/promises';
import type { SMTPServer, SMTPServerOptions, SMTPServerSession } from 'smtp-server';
import { readMail, type ReceivedMail } from '../support/mail-server.js';

/** ms until a slow server answers. */
const SLOW_MS = 100;

/** What a server may do at each step; at the last one it has taken the mail. `dies` ends the sender. */
const FAULTS = {
  connect: ['later', 'never', 'cut', 'dies'],
  mail: ['later', 'never', 'cut', 'dies'],
  rcpt: ['later', 'never', 'cut', 'dies', 'slow'],
  data: ['later', 'never', 'cut', 'dies', 'slow'],
  taken: ['cut', 'dies', 'slow'],
} as const;

type Step = keyof typeof FAULTS;

export interface MailFault {
  step: Step;
  kind: 'later' | 'never' | 'cut' | 'dies' | 'slow';
}

export const ALL_MAIL_FAULTS: MailFault[] = Object.entries(FAULTS).flatMap(([step, kinds]) =>
  kinds.map((kind) => ({ step: step as Step, kind })),
);

/** A mail that a server took, and whether it could say so. */
export interface TakenMail extends ReceivedMail {
  id: string;
  isTold: boolean;
}

/** What refusals quote: nothing of it may be kept. */
const QUOTED = '+50255551234 https://guias.example.com/panel/entrar/ guias.example.com/panel/entrar/abc';

/** How a mail server behaves that keeps what it takes, and fails once each time it is told to. */
export class PostOffice {
  readonly taken: TakenMail[] = [];
  /** The next fault. */
  fault: MailFault | undefined;
  /** Ends the sender. */
  onDeath: () => Promise<void> = () => Promise.resolve();

  /** For `startMailServer`; smtp-server calls each as its own method. */
  options(): SMTPServerOptions {
    // eslint-disable-next-line @typescript-eslint/no-this-alias
    const office = this;
    return {
      closeTimeout: 1,
      onConnect(this: SMTPServer, session, done) {
        void office.at('connect', this, session).then(done);
      },
      onMailFrom(this: SMTPServer, _, session, done) {
        void office.at('mail', this, session).then(done);
      },
      onRcptTo(this: SMTPServer, _, session, done) {
        void office.at('rcpt', this, session).then(done);
      },
      onData(this: SMTPServer, stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => void office.take(Buffer.concat(chunks).toString(), this, session).then(done));
      },
    };
  }

  private async take(
    raw: string,
    server: SMTPServer,
    session: SMTPServerSession,
  ): Promise<Error | undefined> {
    const refusal = await this.at('data', server, session);
    if (refusal) return refusal;
    const mail = readMail(
      raw,
      session.envelope.rcptTo.map(({ address }) => address),
    );
    const taken = { ...mail, id: mail.headers['message-id']!.slice(1, 37), isTold: false };
    this.taken.push(taken);
    await this.at('taken', server, session);
    taken.isTold = true;
    return undefined;
  }

  /** @returns what is answered instead; nothing comes back where the connection is cut. */
  private async at(step: Step, server: SMTPServer, session: SMTPServerSession): Promise<Error | undefined> {
    if (this.fault?.step !== step) return undefined;
    const { kind } = this.fault;
    this.fault = undefined;
    if (kind === 'slow') {
      await sleep(SLOW_MS);
      return undefined;
    }
    if (kind === 'dies') await this.onDeath();
    if (kind === 'dies' || kind === 'cut') {
      for (const one of server.connections) if (one.session === session) one._socket.destroy();
      return new Promise(() => undefined);
    }
    const [para] = session.envelope.rcptTo;
    const responseCode = kind === 'later' ? 451 : 550;
    return Object.assign(new Error(`5.1.1 <${para?.address}> ${QUOTED}`), { responseCode });
  }
}
