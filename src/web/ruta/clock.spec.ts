import { dated, happenedAt } from './clock.js';

const HOUR = 3_600_000;
const CONTACT = Date.parse('2026-01-01T08:00:00.000Z');

/** An instant so many hours after the last contact. */
const at = (hours: number) => CONTACT + hours * HOUR;
const iso = (hours: number) => new Date(at(hours)).toISOString();

/**
 * @param was hours that the phone's clock was ahead at the last contact. @param said when the action was, by the offset of
 *   that contact, in hours. @param marca hours that surely had passed.
 */
const action = (was: number, said: number, marca: number) => ({
  evento: { ref: 'r', ocurrido_en: iso(said) },
  reloj: { desfase: -was * HOUR, contacto: CONTACT, marca: marca * HOUR },
});
const happened = (one: Parameters<typeof happenedAt>[0], is: number, now: number) =>
  (happenedAt(one, { desfase: -is * HOUR, now: at(now) }) - CONTACT) / HOUR;

describe('an action that waited on a phone', () => {
  it.each([
    ['whose clock was right', 0, 0, 1, 1, 2, 1],
    ['whose clock stayed wrong', 3, 3, 1, 1, 2, 1],
    ['3 h ahead, put right before it', 3, 0, -2, 1, 2, 1],
    ['3 h ahead, put right before it, asleep since the contact', 3, 0, -2, 0, 2, 1],
    ['3 h ahead, put right after it', 3, 0, 1, 1, 2, 1],
    ['3 h behind, put right before it', -3, 0, 4, 1, 2, 1],
    ['3 h behind, put right after it', -3, 0, 1, 1, 2, 1],
    ['right, put 3 h ahead before it', 0, 3, 4, 1, 2, 1],
    ['right, put 3 h behind before it', 0, -3, -2, 1, 2, 1],
    ['right, put 3 h ahead after it', 0, 3, 1, 1, 2, 1],
    ['where both are possible, by the offset then', 1, 0, 3, 0.5, 9, 3],
    ['where the mark excludes one', 3, 0, 1, 3.5, 9, 4],
    ['where neither is, the nearer to what is possible: before it', 3, 0, -5, 1, 2, -2],
    ['where neither is, the nearer to what is possible: after it', -3, 0, 9, 1, 2, 6],
    ['whose contacts differ by a slow network alone', 0.005, 0, 1, 1.001, 2, 1],
  ])('happened when it was done: %s', (_, was, is, said, marca, now, expected) => {
    expect(happened(action(was, said, marca), is, now)).toBe(expected);
  });

  it('of an earlier page, without the mark, happened when it says', () => {
    const { reloj: _, ...earlier } = action(3, -2, 0);
    expect(happened(earlier, 0, 2)).toBe(-2);
    expect(dated([earlier], 0, at(2))[0]).toBe(earlier);
  });

  it('is dated once, with the others in their order where both times are possible', () => {
    const [waits, changed] = [action(1, 2, 0), action(1, 1.1, 0)];
    const once = dated([waits, changed], 0, at(5));
    expect(once).toEqual([
      { evento: { ref: 'r', ocurrido_en: iso(2) } },
      { evento: { ref: 'r', ocurrido_en: iso(2.1) } },
    ]);
    expect(dated(once, 9 * HOUR, at(6))).toEqual(once);
  });
});
