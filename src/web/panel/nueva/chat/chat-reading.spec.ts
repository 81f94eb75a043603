import { CHAT_CASES, type ChatCase } from '../../../../../test/support/chat-cases.js';
import { readChat } from './chat-reading.js';
import { placesByKey, type PlacesByKey } from '../../../../locations/places/places.js';
import { folded, MAX_CHAT } from './chat-text.js';

const CURRENCIES = { GT: 'GTQ', MX: 'MXN', SV: 'USD', HN: 'HNL', NI: 'NIO', CR: 'CRC', PA: 'PAB', DO: 'DOP' };

/** Characters that are given to regular expressions meanwhile, by which the work is counted. */
function scanned(work: () => void): number {
  const exec = Reflect.get(RegExp.prototype, 'exec');
  let count = 0;
  const spy = jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const missed = this.sticky ? 1 : String(text).length - from;
    count += match ? match.index + match[0].length - from : missed;
    return match;
  });
  work();
  spy.mockRestore();
  return count;
}

const places = new Map<string, PlacesByKey>();

const read = ({ text, country }: Pick<ChatCase, 'text' | 'country'>) =>
  readChat(text, { country, currency: CURRENCIES[country], places: places.get(country)! });

/** What differs from a person's reading: fields that are wrong, missing or too many. */
function wrongFields(one: ChatCase) {
  const reading = read(one) as Record<string, { valor: string; nota?: string }>;
  const names = new Set([...Object.keys(reading), ...Object.keys(one.fields)]);
  return [...names].flatMap((name) => {
    const [found, expected] = [reading[name], one.fields[name]];
    if (found && expected !== undefined && folded(found.valor) === folded(expected).replaceAll('\u00a0', ' '))
      return [];
    return [{ name, found: found?.valor, expected, nota: found?.nota }];
  });
}

describe('the text of a chat', () => {
  beforeAll(async () => {
    for (const country of Object.keys(CURRENCIES)) places.set(country, await placesByKey(country));
  });

  it.each(Object.entries(CHAT_CASES))('has no field that is wrong without a note: %s', (_, one) => {
    expect(wrongFields(one).filter(({ found, nota }) => found !== undefined && nota === undefined)).toEqual(
      [],
    );
  });

  it('is read as a person reads it, in nine of ten fields', () => {
    const all = Object.entries(CHAT_CASES).flatMap(([title, one]) =>
      wrongFields(one).map((wrong) => ({ title, ...wrong })),
    );
    const fields = Object.values(CHAT_CASES).reduce((sum, one) => sum + Object.keys(one.fields).length, 0);
    if (all.length > fields / 10) expect(all).toEqual([]);
    expect(Object.keys(CHAT_CASES).length).toBeGreaterThanOrEqual(30);
  });

  it.each([
    ['a phone without a digit', 'tel 5555-010', 'telefono', 'Tiene 7 dígitos; en Guatemala son 8.'],
    ['two phones', 'tel 5555 0101 o 4444 3131', 'telefono', 'Hay más de un teléfono'],
    ['an amount with two readings', 'total Q1.500', 'cod_amount', '¿Son Q 1,500.00 o Q 1.50?'],
    ['an amount that is asked about', 'son Q349.50 verdad?', 'cod_amount', 'El cliente lo preguntó'],
    ['another currency', 'total $45', 'cod_amount', 'Está en otra moneda'],
    ['an amount and that of shipping', 'son Q1,500.00 y envio Q25', 'cod_amount', 'Habla del envío aparte'],
    ['an amount without shipping', 'total 1500 mas envio', 'cod_amount', 'Habla del envío aparte'],
    ['the price of shipping alone', 'son 25 de envio', 'cod_amount', 'Es el precio del envío'],
    ['an amount that is not to be collected', 'sin cobro', 'cod_amount', '¿No se cobra nada?'],
    ['two amounts', 'Q100 o Q120', 'cod_amount', 'Hay más de un monto'],
    ['a place in another country', '40.4168, -3.7038', 'maps_url', 'Queda lejos de su país'],
    ['a town of no department', 'Municipio: Mixko', 'municipio', '¿Es Mixco, Guatemala?'],
  ])('says why a field is to be looked at: %s', (_, text, name, nota) => {
    const reading = read({ text, country: 'GT' }) as Record<string, { nota?: string }>;
    expect(reading[name]?.nota?.replaceAll('\u00a0', ' ')).toContain(nota);
  });

  it.each([
    ['an amount with shipping', 'total 1500 envío incluido', { cod_amount: '1500' }],
    ['an amount with free shipping', 'son Q1500 envío gratis', { cod_amount: '1500' }],
    ['an amount that includes it', 'total Q1,500.00 incluye envío', { cod_amount: '1500' }],
    ['named coordinates', 'Lat: 14.6407 Lng: -90.5133', { maps_url: '14.6407, -90.5133' }],
    [
      'named coordinates in two lines',
      'Latitud: 14,6407\nLongitud: -90,5133',
      { maps_url: '14.6407, -90.5133' },
    ],
  ])('is read without a doubt: %s', (_, text, expected) => {
    const reading = Object.entries(read({ text, country: 'GT' })).filter(([, field]) => field !== undefined);
    expect(Object.fromEntries(reading.map(([name, { valor }]) => [name, valor]))).toEqual(expected);
    expect(reading.filter(([, { nota }]) => nota !== undefined)).toEqual([]);
  });

  it('takes the price of the goods, whichever stands first', () => {
    for (const text of ['envio 25 y son 1500', 'son 1500 y envio 25'])
      expect(read({ text, country: 'GT' }).cod_amount).toEqual({
        valor: '1500',
        nota: 'Habla del envío aparte. ¿Cuánto se cobra en total?',
      });
  });

  it.each([
    ['sin cobro', undefined],
    ['ya pagado', undefined],
    ['Ana Coy\nsin cobro', 'Ana Coy'],
  ])('takes no word about the payment for a name: %j', (text, name) => {
    expect(read({ text, country: 'GT' }).nombre?.valor).toBe(name);
  });

  it.each([
    ...['1', '1 ', 'a ', 'san ', '\n', 'Q1.500 ', 'https://', 'soy ', ': ', '14.123,', '123456 '],
    ...['55 5512 ', '(502) ', '+52 1 55 1234 5678 o ', 'calle ', 'de la ', 'maps.google.com/?q=1,2 '],
    ...['San Juan ', 'Guadalajara, Jalisco ', 'municipio: ', 'depto: jalisco\nmunicipio: zapopanx\n'],
    ...['nombre: a\n', 'total ', 'para don ', 'soy ana ', '. ', '[12/11/25, 9:14:03 a. m.] K: '],
    ...['llamar antes de ', 'quiero un ', 'a 2 cuadras ', 'lat: 14.123 ', '15 con envio ', 'é', '😀', '"'],
    ...['Q', '$', '1,'],
  ])('takes work in line with its length: %j over and over', (part) => {
    const work = (length: number) =>
      scanned(() => read({ text: part.repeat(length).slice(0, length), country: 'MX' }));
    expect(work(MAX_CHAT)).toBeLessThan(5 * work(MAX_CHAT / 4));
    expect(work(MAX_CHAT)).toBeLessThan(100 * MAX_CHAT);
    expect(work(2 * MAX_CHAT)).toBe(work(MAX_CHAT));
  });
});
