import { answerWords } from './answer-words.js';

const words = (text: string) => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return answerWords(text, json);
};

describe('the words of an answer', () => {
  it.each<[text: string, shown: string | null]>([
    ['{"detail":"upstream timed out"}', 'upstream timed out'],
    ['{"error":{"message":"Service temporarily unavailable"}}', 'Service temporarily unavailable'],
    ['{"message":"sin saldo","request":7}', 'sin saldo'],
    ['502 Bad Gateway:\n upstream   timed out\n', '502 Bad Gateway: upstream timed out'],
    ['<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>', '502 Bad Gateway'],
    ['{"detail":"token expirado, renuévelo"}', 'token expirado, renuévelo'],
    ['{"detail":"El número +502 5555-1234 no existe"}', 'El número … no existe'],
    ['{"detail":"50255551234"}', null],
    ['', null],
    ['  \0\u200b ', null],
    ['<br>', null],
    ['{"a":1}', '{"a":1}'],
    ['null', 'null'],
  ])('are what it says: %j', (text, shown) => expect(words(text)).toBe(shown));

  it.each([
    ...['The number +502 5555-1234 is unknown', 'Authorization: Bearer abc.def.ghi is wrong'],
    ...['token=s3cr3t is wrong', '{"detail":"password: hunter2!"}'],
    ...['key whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'mail ana@tienda.example now'],
    ...['see https://user:pw@bridge.example/x?key=1', 'call 50255551234', 'see www.bridge.example now'],
    'see bridge.example/1234 now',
  ])('hide what may be secret or personal: %s', (text) => {
    expect(String(words(text))).not.toMatch(/5555|1234|abc\.def|s3cr3t|hunter2|MfKQ|tienda|bridge|pw@/);
  });

  it('are cut to 200 characters, of an answer of any length', () => {
    const shown = words('falló. '.repeat(10_000))!;
    expect(shown).toHaveLength(200);
    expect(shown.endsWith('…')).toBe(true);
  });
});
