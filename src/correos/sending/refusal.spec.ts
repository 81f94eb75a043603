import { readRefusal, retryDelay } from './refusal.js';

const of = (code: string, command?: string, response?: string) => ({
  code,
  command,
  ...(response !== undefined && { response, responseCode: Number(response.slice(0, 3)) }),
});

describe('a try that failed', () => {
  it.each([
    [
      'is over where the address is refused',
      of('EENVELOPE', 'RCPT TO', '550 <a@b.example> unknown'),
      [true, true, '550 … unknown'],
    ],
    ['is over where the mail is refused', of('EMESSAGE', 'DATA', '554 spam'), [true, true, '554 spam']],
    [
      'is repeated while the mailbox is full',
      of('EENVELOPE', 'RCPT TO', '452 full'),
      [false, true, '452 full'],
    ],
    [
      'is repeated where the sender is refused',
      of('EENVELOPE', 'MAIL FROM', '550 relaying denied'),
      [false, false, '550 relaying denied'],
    ],
    [
      'is repeated where the server does not relay for us',
      of('EENVELOPE', 'RCPT TO', '554 5.7.1 Relay access denied'),
      [false, false, '554 5.7.1 Relay access denied'],
    ],
    [
      'is repeated where the server wants a password first',
      of('EENVELOPE', 'RCPT TO', '530 5.7.0 authentication required'),
      [false, false, '530 5.7.0 authentication required'],
    ],
    [
      'is repeated with another password',
      of('EAUTH', 'AUTH PLAIN', '535 user@b.example c2VjcmV0'),
      [false, false, 'El servidor de correo no acepta el usuario o la contraseña de SMTP_URL.'],
    ],
    [
      'is repeated where nobody listens',
      of('ESOCKET', 'CONN'),
      [false, false, 'No hubo conexión con el servidor de correo (ESOCKET).'],
    ],
    [
      'is repeated after anything else',
      undefined,
      [false, false, 'No hubo conexión con el servidor de correo (desconocido).'],
    ],
  ])('%s', (_, error, [isPermanent, isOfAddress, causa]) => {
    expect(readRefusal(error)).toMatchObject({ isPermanent, isOfAddress, causa });
  });

  it('quotes 200 characters of the server, without links and phones', () => {
    const { causa } = readRefusal(
      of(
        'EMESSAGE',
        'DATA',
        `554 call +50255551234 see https://x.example/1 x.example/panel/entrar/abc ${'x'.repeat(500)}`,
      ),
    );
    expect(causa).toMatch(/^554 call … see … … x+…$/);
    expect(causa).toHaveLength(200);
  });
});

describe('the next try of a mail', () => {
  it('comes up to seven times, over about a day', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((tries) =>
      retryDelay({ tries, clase: 'aviso', ageMs: 0 }, 0.5)!,
    );
    expect(delays.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(22.6, 1);
    expect(retryDelay({ tries: 8, clase: 'aviso', ageMs: 0 })).toBeUndefined();
  });

  it('does not come after the link in it has ended', () => {
    expect(retryDelay({ tries: 2, clase: 'entrada', ageMs: 10_000 }, 0.5)).toBe(60_000);
    expect(retryDelay({ tries: 4, clase: 'entrada', ageMs: 400_000 }, 0.5)).toBeUndefined();
  });
});
