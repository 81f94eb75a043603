import { readMailFrom, readSmtpUrl } from './mail.js';

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, isSecure: false, auth: undefined }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, isSecure: true, auth: undefined }],
    [
      'smtps://ana%40x.example:p%3A%2Fw@[::1]:2465',
      { host: '::1', port: 2465, isSecure: true, auth: { user: 'ana@x.example', pass: 'p:/w' } },
    ],
  ])('%s', (text, server) => expect(readSmtpUrl(text)).toEqual(server));
});

describe('MAIL_FROM', () => {
  it.each([
    ['a@b.example', { address: 'a@b.example', name: undefined }],
    ['Mensajería Colibrí <a@b.example>', { address: 'a@b.example', name: 'Mensajería Colibrí' }],
    ['"Colibrí, S.A." <a@b.example>', { address: 'a@b.example', name: 'Colibrí, S.A.' }],
  ])('%s', (text, from) => expect(readMailFrom(text)).toEqual(from));
});
