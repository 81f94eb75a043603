import fc from 'fast-check';
import { SendError, type SendFailure } from '../messaging-provider.js';
import { failureOfErrors, refusalOf } from './whatsapp-errors.js';

/** As Meta answers; its own texts may quote the number. */
const metaError = (code: unknown, more: object = {}) => ({
  error: {
    message: `(#${String(code)}) Message failed to send to 50255551234`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: 'Recipient +50255551234 …' },
    fbtrace_id: 'A4O5a8RAgePwbcGSu',
    ...more,
  },
});

const KINDS: [kind: SendFailure, codes: number[]][] = [
  ['transient', [1, 2, 131000, 131016, 131057, 133004, 131056]],
  ['rate', [4, 80007, 130429]],
  ['config', [0, 3, 10, 190, 200, 230, 299, 33, 368, 131005, 131031, 131037, 131042, 131045, 131048]],
  ['config', [132000, 132001, 132007, 132012, 132015, 132016, 133006, 133010]],
  ['permanent', [100, 131008, 131009, 131021, 131026, 131030, 131047, 131049, 131050, 131051, 131062]],
  ['permanent', [130472, 130497, 132005, 135000]],
];
const CODES = KINDS.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const));

const SENTENCE = /^[A-ZÉ][^+]+ \([^)]+\)\. [A-Z][^+]+\.$/;

describe('an error of the Cloud API', () => {
  it.each(CODES)('%i is %s, whatever the HTTP status, in an answer and in a failed status', (code, kind) => {
    for (const status of [400, 401, 404, 429, 500, 503, 504]) {
      expect(refusalOf(status, metaError(code))).toMatchObject({ kind, code: String(code) });
    }
    expect(failureOfErrors([metaError(code).error])).toMatchObject({ kind, code: String(code) });
  });

  it.each(CODES)('%i has a cause of one sentence on what happened and one on what to do', (code) => {
    const { message } = refusalOf(400, metaError(code));
    expect(message).toMatch(SENTENCE);
    expect(message).toContain(` (${code}). `);
    expect(message).not.toContain('5555');
  });

  it.each([
    [131026, 'El número no recibe WhatsApp (131026). Confirme el teléfono con el comercio.'],
    [190, 'El token de WhatsApp venció o no es válido (190). Ponga uno nuevo en WHATSAPP_TOKEN y reinicie.'],
  ])('%i has the cause that the board shows', (code, causa) => {
    expect(refusalOf(400, metaError(code)).message).toBe(causa);
  });

  it.each([
    [199, 'permanent'],
    [300, 'permanent'],
    [999999, 'permanent'],
  ])('%i, which is unknown, is %s on HTTP 400 and in a status', (code, kind) => {
    expect(refusalOf(400, metaError(code))).toMatchObject({ kind, code: String(code) });
    expect(failureOfErrors([metaError(code).error])).toMatchObject({ kind, code: String(code) });
  });

  it('with an unknown code is classified by the HTTP status', () => {
    expect(refusalOf(503, metaError(999999))).toMatchObject({ kind: 'transient', code: '999999' });
    expect(refusalOf(504, metaError(999999))).toMatchObject({ kind: 'transient', code: '999999' });
    expect(refusalOf(401, metaError(999999))).toMatchObject({ kind: 'config', code: '999999' });
  });

  it('100 with subcode 33 means a wrong number id or a token without access to it', () => {
    expect(refusalOf(400, metaError(100, { error_subcode: 33 }))).toMatchObject({
      kind: 'config',
      code: '33',
    });
    expect(refusalOf(400, metaError(100, { error_subcode: 2494010 }))).toMatchObject({
      kind: 'permanent',
      code: '100',
    });
  });

  it('may have its code as text', () => {
    expect(refusalOf(400, metaError('131026'))).toMatchObject({ kind: 'permanent', code: '131026' });
  });
});

describe('the delay', () => {
  it.each([
    [undefined, 6_000],
    [0, 6_000],
    [5_999, 6_000],
    [60_000, 60_000],
  ])('131056 delays this message by six seconds or more (Retry-After %p)', (asked, ms) => {
    expect(refusalOf(400, metaError(131056), asked)).toMatchObject({ kind: 'transient', retryAfterMs: ms });
  });

  it.each([2, 4, 130429])('of %i is what the answer asks for', (code) => {
    expect(refusalOf(400, metaError(code), 90_000).retryAfterMs).toBe(90_000);
    expect(refusalOf(400, metaError(code)).retryAfterMs).toBeUndefined();
  });

  it.each([190, 131026])('of %i is undefined: a person has to act', (code) => {
    expect(refusalOf(400, metaError(code), 90_000).retryAfterMs).toBeUndefined();
  });
});

describe('an answer without a code is classified by its HTTP status', () => {
  it.each<[status: number, kind: SendFailure]>([
    [301, 'config'],
    [302, 'config'],
    [307, 'config'],
    [400, 'permanent'],
    [401, 'config'],
    [403, 'config'],
    [404, 'config'],
    [405, 'permanent'],
    [408, 'transient'],
    [413, 'permanent'],
    [422, 'permanent'],
    [425, 'transient'],
    [429, 'rate'],
    [500, 'transient'],
    [502, 'transient'],
    [503, 'transient'],
    [504, 'unknown'],
  ])('%i is %s', (status, kind) => {
    for (const body of [
      undefined,
      null,
      'x',
      7,
      [],
      {},
      { error: null },
      { error: 'x' },
      metaError(null),
      metaError('x'),
    ]) {
      const error = refusalOf(status, body);
      expect(error).toMatchObject({ kind, code: `HTTP ${status}` });
      expect(error.message).toMatch(SENTENCE);
    }
  });
});

describe('the errors of a failed status', () => {
  it.each([undefined, null, 'x', {}, [], [null], [{}], [{ code: 'x' }], [{ code: 1.5 }]])(
    'are permanent without a code: %j',
    (errors) => {
      const error = failureOfErrors(errors);
      expect(error).toMatchObject({ kind: 'permanent', code: 'sin código' });
      expect(error.message).toMatch(SENTENCE);
    },
  );

  it('are represented by the first known one', () => {
    expect(failureOfErrors([{ code: 999999 }, { code: 131026 }, { code: 190 }]).code).toBe('131026');
  });
});

it('any JSON gives a failure without throwing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 300, max: 599 }), fc.jsonValue(), (status, json) => {
      for (const error of [
        refusalOf(status, json),
        refusalOf(status, { error: json }),
        failureOfErrors([json]),
      ]) {
        expect(error).toBeInstanceOf(SendError);
        expect(error.message.length).toBeLessThan(300);
      }
    }),
  );
});
