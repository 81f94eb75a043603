import fc from 'fast-check';
import * as body from '../../../../test/support/whatsapp-bodies.js';
import { readWhatsappEvents, type WhatsappEvent } from './webhook-events.js';

const { PHONE_NUMBER_ID, BSUID, HIDDEN_PHONE, webhookBody } = body;
const MESSAGE_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const OURS = 'wamid.HBgLNTAyNTU1NTEyMzQVAgARGBI1NEE1';
const PIN = { latitude: 14.6407, longitude: -90.5133 };
const ANA = { telefono: '+50255551234', usuario: BSUID };

const read = (json: unknown) => {
  const found = [...readWhatsappEvents(json, PHONE_NUMBER_ID)];
  const events = found.filter((event) => event !== null);
  return { events, ignored: found.length - events.length };
};
const readMessage = (message: body.CloudMessage) => read(webhookBody({ messages: [message] })).events[0];
const readStatus = (status: body.CloudMessage) => read(webhookBody({ statuses: [status] })).events[0];
const IGNORED = { events: [], ignored: 1 };
/** The last millisecond of a second, ISO 8601. */
const endOf = (seconds: unknown) => new Date(Number(seconds) * 1_000 + 999).toISOString();

describe('an event of a recipient', () => {
  it.each<[what: string, message: body.CloudMessage, event: Partial<WhatsappEvent>]>([
    [
      'a pin by the picker',
      body.location(PIN, { answers: OURS }),
      { kind: 'location', answers: OURS, lat: 14.6407, lng: -90.5133 },
    ],
    [
      'a pin sent freely',
      body.location({ ...PIN, name: 'Casa', address: 'Calle Ángel 1' }),
      { kind: 'location', answers: null, lat: 14.6407, lng: -90.5133 },
    ],
    [
      'a quick reply',
      body.quickReply(`ubicacion:${MESSAGE_ID}`, OURS),
      { kind: 'button', answers: OURS, payload: `ubicacion:${MESSAGE_ID}` },
    ],
    ['a button', body.buttonReply('guia:1', OURS), { kind: 'button', answers: OURS, payload: 'guia:1' }],
    [
      'a choice from a list',
      body.listReply('guia:2', OURS),
      { kind: 'button', answers: OURS, payload: 'guia:2' },
    ],
    ['a text', body.text('Baja, por favor 🙏'), { kind: 'text', answers: null, text: 'Baja, por favor 🙏' }],
    ['a text that answers', body.text('Sí', { answers: OURS }), { kind: 'text', answers: OURS, text: 'Sí' }],
    ['a caption', body.image({}, 'Mi casa'), { kind: 'text', answers: null, text: 'Mi casa' }],
    ...body.WORDLESS.map(([what, make]): [string, body.CloudMessage, Partial<WhatsappEvent>] => [
      what,
      make({ answers: OURS }),
      { kind: 'other', answers: OURS },
    ]),
    ['no type', { ...body.text('x'), type: undefined }, { kind: 'other', answers: null }],
    ['a text without a text', { ...body.text('x'), text: undefined }, { kind: 'other', answers: null }],
    ['a text of nothing that can be stored', body.text('\0\ud83d'), { kind: 'other', answers: null }],
  ])('is read: %s', (_what, message, event) => {
    expect(read(webhookBody({ messages: [message] }))).toEqual({
      events: [{ id: message.id, from: ANA, sentAt: endOf(message.timestamp), ...event }],
      ignored: 0,
    });
  });

  it.each<[what: string, message: body.CloudMessage]>([
    ['a reaction', body.reaction(OURS)],
    ['a changed number', { ...body.text('x'), type: 'system', system: { type: 'user_changed_number' } }],
    ['a chat that was opened', { ...body.text('x'), type: 'request_welcome' }],
    ['a message that was deleted', { ...body.text('x'), type: 'revoke' }],
    ['a form', { ...body.buttonReply('x', OURS), interactive: { type: 'nfm_reply', nfm_reply: {} } }],
    ['a message without an id', { ...body.text('x'), id: undefined }],
    ['an id with a control character', { ...body.text('x'), id: 'wamid.\0' }],
    ['an id with half a surrogate pair', { ...body.text('x'), id: 'wamid.\ud83d' }],
    ['an id that is too long', { ...body.text('x'), id: 'x'.repeat(513) }],
    ['a payload that is too long', body.quickReply('x'.repeat(513), OURS)],
    ['a payload that is no text', { ...body.quickReply('x', OURS), button: { payload: { a: 1 } } }],
  ])('is ignored and counted: %s', (_what, message) => {
    expect(read(webhookBody({ messages: [message] }))).toEqual(IGNORED);
  });

  it.each<[timestamp: unknown, sentAt: string | null]>([
    ['1795273445', '2026-11-21T15:04:05.999Z'],
    [1795273445, '2026-11-21T15:04:05.999Z'],
    [undefined, null],
    ['', null],
    ['hoy', null],
    ['-1', null],
    ['1795273445123', null],
    [1.5, null],
    [null, null],
    [{}, null],
  ])('of the second %j was sent at %j', (timestamp, sentAt) =>
    expect(readMessage({ ...body.text('x'), timestamp })).toMatchObject({ sentAt }),
  );

  it('is the same with and without escaped non-ASCII characters', () => {
    const json = webhookBody({ messages: [body.text('¿Dónde? á é ñ 📍 https://maps.app.goo.gl/x')] });
    const escaped = body.metaJson(json);
    expect(escaped).toMatch(/^[\x20-\x7e]+$/);
    expect(read(JSON.parse(escaped))).toEqual(read(json));
  });
});

describe('the sender', () => {
  it.each<[what: string, parts: body.MessageParts, contacts: unknown[] | undefined, from: unknown]>([
    ['phone and user id', {}, undefined, ANA],
    ['a user id alone', HIDDEN_PHONE, undefined, { telefono: null, usuario: BSUID }],
    [
      'a user id in the contact alone',
      { from: undefined, from_user_id: undefined },
      [{ user_id: BSUID }],
      { telefono: null, usuario: BSUID },
    ],
    ['a phone in the contact alone', { from: undefined }, [{ wa_id: body.SENDER }], ANA],
    ['a phone without a contact', { from_user_id: undefined }, [], { telefono: ANA.telefono, usuario: null }],
    [
      'a phone from before user ids',
      { from_user_id: undefined },
      [{ wa_id: '50255551234' }],
      { telefono: ANA.telefono, usuario: '50255551234' },
    ],
    ['a phone with +', { from: '+50255551234' }, undefined, ANA],
    [
      'a Mexican whose wa_id has a 1',
      { from: '525512345678', from_user_id: undefined },
      [{ wa_id: '5215512345678' }],
      { telefono: '+525512345678', usuario: '5215512345678' },
    ],
    ['an odd phone', { from: 'ana' }, [{}], { telefono: null, usuario: BSUID }],
    ['an odd user id', { from_user_id: 'x'.repeat(201) }, [{}], { telefono: ANA.telefono, usuario: null }],
  ])('is identified: %s', (_what, parts, contacts, from) => {
    const messages = [body.location(PIN, parts)];
    const [event] = read(webhookBody({ messages, ...(contacts && { contacts }) })).events;
    expect(event).toMatchObject({ kind: 'location', from });
  });

  it('must be identified', () => {
    const messages = [body.location(PIN, { from: undefined, from_user_id: undefined })];
    expect(read(webhookBody({ messages, contacts: [{}] }))).toEqual(IGNORED);
  });

  it('is never another person of the same webhook', () => {
    const messages = [
      body.text('uno', { from: '50255550001', from_user_id: undefined }),
      body.text('dos', { from: undefined, from_user_id: 'GT.2' }),
      body.text('tres', { from: '50255550003', from_user_id: undefined }),
    ];
    const contacts = [
      { wa_id: '50255550002', user_id: 'GT.2' },
      null,
      'x',
      {},
      { wa_id: '50255550001', user_id: 'GT.1' },
    ];
    const senders = read(webhookBody({ messages, contacts })).events.map(
      (event) => 'from' in event && event.from,
    );
    expect(senders).toEqual([
      { telefono: '+50255550001', usuario: 'GT.1' },
      { telefono: '+50255550002', usuario: 'GT.2' },
      { telefono: '+50255550003', usuario: null },
    ]);
    const one = read(webhookBody({ messages: messages.slice(0, 2), contacts: contacts.slice(0, 1) }))
      .events[0];
    expect(one).toMatchObject({ from: { telefono: '+50255550001', usuario: null } });
  });
});

describe('coordinates', () => {
  it.each<[latitude: unknown, longitude: unknown, lat: number, lng: number]>([
    [14.6407, -90.5133, 14.6407, -90.5133],
    ['14.6407', '-90.5133', 14.6407, -90.5133],
    [49.234939575195, 6.9993596076965, 49.234939575195, 6.9993596076965],
    [90, -180, 90, -180],
    [0, 1e-7, 0, 1e-7],
    [15, 0, 15, 0],
  ])('are read: %j, %j', (latitude, longitude, lat, lng) => {
    expect(readMessage(body.location({ latitude, longitude }))).toMatchObject({ lat, lng });
  });

  it('keep every digit', () => {
    const sign = fc.constantFrom(-1, 1);
    const degrees = (limit: number) =>
      fc.tuple(fc.double({ min: 1e-3, max: limit, noNaN: true }), sign).map(([size, side]) => size * side);
    fc.assert(
      fc.property(degrees(90), degrees(180), (lat, lng) => {
        expect(readMessage(body.location({ latitude: lat, longitude: lng }))).toMatchObject({ lat, lng });
      }),
    );
  });

  it.each<[latitude: unknown, longitufrom: unknown]>([
    [0, 0],
    [-0, 0],
    ['0.0', '-0'],
    [90.0000001, 0],
    [-90.5133, 180.1],
    [1e30, 1],
    [NaN, 1],
    [Infinity, 1],
    ['14.6e0', '1'],
    ['0x10', '1'],
    ['14,6', '-90,5'],
    ['14.6,-90.5', ''],
    ['', ''],
    [null, null],
    [undefined, -90.5],
    [true, true],
    [[14.6], [-90.5]],
    [{}, {}],
  ])('outside the ranges are no place: %p, %p', (latitude, longitude) => {
    expect(readMessage(body.location({ latitude, longitude }))).toMatchObject({ kind: 'other' });
  });

  it.each([undefined, null, 'x', 7, []])('are no place where the location is %j', (location) => {
    expect(readMessage({ ...body.location(PIN), location })).toMatchObject({ kind: 'other' });
  });
});

describe('texts', () => {
  it.each<[what: string, written: string, kept: string]>([
    ['NUL', 'a\0b', 'ab'],
    ['half a surrogate pair', 'a\ud83db\udccd', 'ab'],
    ['line breaks, kept', 'a\nb', 'a\nb'],
    ['4,096 characters', 'x'.repeat(4_096), 'x'.repeat(4_096)],
    ['more', 'x'.repeat(4_097), 'x'.repeat(4_096)],
    ['4,096 characters of two units', '📍'.repeat(4_096), '📍'.repeat(4_096)],
    ['more of them', `x${'📍'.repeat(4_096)}`, `x${'📍'.repeat(4_095)}`],
    ['a novel', 'á'.repeat(2_000_000), 'á'.repeat(4_096)],
  ])('with %s', (_what, written, kept) => {
    expect(readMessage(body.text(written))).toMatchObject({ text: kept });
  });
});

describe('a status', () => {
  it.each([
    ['sent', 'aceptado'],
    ['delivered', 'entregado'],
    ['read', 'leido'],
  ])('%s is %s', (status, estado) => {
    expect(readStatus(body.status(status, OURS, { biz_opaque_callback_data: MESSAGE_ID }))).toEqual({
      ...{ kind: 'status', id: `${OURS}:${status}`, proveedorId: OURS, mensajeId: MESSAGE_ID, estado },
      ...{ failure: null, usuario: BSUID },
    });
  });

  it('failed has its cause as plain data', () => {
    const event = readStatus(body.failed(OURS, 131026, { biz_opaque_callback_data: MESSAGE_ID }));
    expect(event).toMatchObject({ estado: 'fallido', mensajeId: MESSAGE_ID, usuario: null });
    const { failure } = event as Extract<WhatsappEvent, { kind: 'status' }>;
    expect(Object.keys(failure!)).toEqual(['kind', 'message', 'code']);
    expect(failure).toMatchObject({ kind: 'permanent', code: '131026' });
  });

  it.each([undefined, null, '', 'otra cosa', 7, {}, `${MESSAGE_ID}0`, `x${MESSAGE_ID}`, `${MESSAGE_ID}\n`])(
    'without our id (%j) is matched by its id of WhatsApp',
    (ours) => {
      const status = { ...body.status('read', OURS), biz_opaque_callback_data: ours };
      expect(readStatus(status)).toMatchObject({ proveedorId: OURS, mensajeId: null });
    },
  );

  it.each(['deleted', 'warning', 'accepted', 'played', 'SENT', '', 'constructor', '__proto__'])(
    'named %j is ignored',
    (name) => {
      expect(read(webhookBody({ statuses: [body.status(name, OURS)] }))).toEqual(IGNORED);
    },
  );
});
