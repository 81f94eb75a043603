import fc from 'fast-check';
import * as body from '../../../../test/support/whatsapp-bodies.js';
import { readWhatsappEvents } from './webhook-events.js';

const { PHONE_NUMBER_ID, webhookBatch } = body;
const OURS = 'wamid.HBgLNTAyNTU1NTEyMzQVAgARGBI1NEE1';
const PIN = { latitude: 14.6407, longitude: -90.5133 };
const IGNORED = { events: [], ignored: 1 };

/** A webhook to be damaged: `any`, because a type would refuse the damage. */
type Bent = any;

const read = (json: unknown) => {
  const found = [...readWhatsappEvents(json, PHONE_NUMBER_ID)];
  const events = found.filter((event) => event !== null);
  return { events, ignored: found.length - events.length };
};

describe('a webhook', () => {
  const pin = () => body.location(PIN);

  it('may have several entries, changes, messages and statuses', () => {
    const messages = [pin(), body.text('a'), body.reaction(OURS), body.text('b'), pin()];
    const statuses = [body.status('sent', OURS), body.status('read', OURS), body.status('deleted', OURS)];
    const json = webhookBatch([
      [{ messages: messages.slice(0, 3) }, { statuses: statuses.slice(0, 1) }],
      [{ messages: messages.slice(3), statuses: statuses.slice(1) }],
      [],
    ]);
    const { events, ignored } = read(json);
    expect(events.map(({ id }) => id)).toEqual([
      messages[0]!.id,
      messages[1]!.id,
      `${OURS}:sent`,
      messages[3]!.id,
      messages[4]!.id,
      `${OURS}:read`,
    ]);
    expect(ignored).toBe(3);
  });

  it('for another number is ignored', () => {
    const messages = [pin()];
    expect(read(webhookBatch([[{ messages, phoneNumberId: '999' }, { messages }]]))).toMatchObject({
      events: [{ id: messages[0]!.id }],
      ignored: 1,
    });
  });

  it('keeps its valid parts', () => {
    const json: Bent = webhookBatch([[{ messages: [pin()] }]]);
    const [change] = json.entry[0].changes;
    change.value.messages.push(null, 7, 'x', [], {});
    change.value.statuses = { id: OURS };
    json.entry[0].changes.push(null, 7, { value: null }, { value: { metadata: null } });
    json.entry.unshift(null, 'x', {}, { changes: 'x' });
    expect(read(json)).toMatchObject({ events: [{ kind: 'location' }], ignored: 5 + 4 + 4 });
  });

  it('with errors or without content is ignored', () => {
    const json: Bent = webhookBatch([[{}, {}]]);
    json.entry[0].changes[0].value.errors = [{ code: 130429 }, { code: 131000 }];
    expect(read(json)).toEqual({ events: [], ignored: 3 });
  });

  it.each([undefined, null, 'x', 7, true, [], {}, { entry: null }, { entry: {} }])(
    'of invalid shape is ignored: %j',
    (json) => {
      expect(read(json)).toEqual(IGNORED);
    },
  );
});

describe('reading', () => {
  const whole = webhookBatch([
    [
      { messages: [body.location(PIN, { answers: OURS }), body.text('x'), body.quickReply('x', OURS)] },
      { messages: [body.listReply('x', OURS), body.buttonReply('x', OURS)] },
      { statuses: [body.failed(OURS, 131026), body.status('sent', OURS)] },
    ],
  ]);

  /** Paths to everything in a JSON value. */
  function paths(value: unknown, path: string[] = []): string[][] {
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return [path, ...inner.flatMap(([key, part]) => paths(part, [...path, key]))];
  }

  function replaceAt(value: Bent, [key, ...rest]: string[], by: unknown): unknown {
    if (key === undefined) return by;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    copy[key] = replaceAt(copy[key], rest, by);
    return copy;
  }

  function expectSound(json: unknown) {
    const { events, ignored } = read(json);
    expect(ignored).toBeGreaterThanOrEqual(0);
    for (const event of events) {
      expect(event.id).toMatch(/^[^\p{C}]{1,520}$/u);
      if (event.kind === 'location') {
        expect(Math.abs(event.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(event.lng)).toBeLessThanOrEqual(180);
      }
      if (event.kind !== 'status') expect(event.from.telefono ?? event.from.usuario).not.toBeNull();
    }
  }

  it('never throws on any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), expectSound));
  });

  it('never throws on a webhook with any part replaced by any JSON', () => {
    fc.assert(
      fc.property(fc.constantFrom(...paths(whole)), fc.jsonValue(), (path, by) =>
        expectSound(JSON.parse(JSON.stringify(replaceAt(whole, path, by)))),
      ),
      { numRuns: 500 },
    );
  });
});
