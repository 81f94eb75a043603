import type { Transporter } from 'nodemailer';
import { isLoopback } from '../../platform/config/env.js';
import type { MailFrom, SmtpServer } from '../../platform/config/mail.js';
import { TRY_S, type ClaimedCorreo } from '../correos.queries.js';

/** Milliseconds for the connection and for the server's greeting, and without a byte in between. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Hands mails to a mail server, each on a connection of its own. */
export class SmtpClient {
  private transport: Promise<Transporter> | undefined;

  constructor(
    private readonly server: SmtpServer,
    private readonly from: MailFrom,
    /** Of the sender, where MAIL_FROM has none. */
    private readonly name: string,
  ) {}

  /** @param bajaUrl where mails of its kind are ended; undefined for one that cannot be. @throws what `readRefusal` reads. */
  async send(
    { id, para, asunto, texto, html, creado_en }: ClaimedCorreo,
    bajaUrl: string | undefined,
  ): Promise<void> {
    this.transport ??= connectTo(this.server);
    const transport = await this.transport;
    await transport.sendMail({
      from: { name: this.from.name ?? this.name, address: this.from.address },
      to: { name: '', address: para },
      subject: asunto,
      text: texto,
      ...(html !== null && { html }),
      date: creado_en,
      // Closes the connection, too, of a server that says a byte now and then. Its types do not know it.
      ...({ signal: AbortSignal.timeout(TRY_S * 1_000) } as object),
      // The same in each try, by which mailboxes know a repeated mail.
      messageId: `<${id}@${this.from.address.split('@')[1]}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(bajaUrl !== undefined && {
          'List-Unsubscribe': `<${bajaUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
    });
  }
}

/** Nodemailer is loaded with the first mail: most starts send none. */
async function connectTo({ host, port, isSecure, auth }: SmtpServer): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isHere = isLoopback(host);
  return createTransport({
    host,
    port,
    secure: isSecure,
    ...(auth && { auth }),
    // A password is not sent in the clear; nobody stands between us and our own machine, where certificates have no name.
    requireTLS: !isSecure && auth !== undefined && !isHere,
    ...(!isSecure && isHere && { tls: { rejectUnauthorized: false } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
