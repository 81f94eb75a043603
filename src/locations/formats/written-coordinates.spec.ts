import fc from 'fast-check';
import { readPlainText, readValue } from './written-coordinates.js';

const PIN = { kind: 'coordinates', lat: 14.6407, lng: -90.5133, origin: 'text' };

describe('readPlainText reads', () => {
  it.each([
    ...['14.6407,-90.5133', '14.6407, -90.5133', '14.6407; -90.5133', '14.6407 -90.5133'],
    ...['+14.6407 , -90.5133', '(14.6407, -90.5133)', '14.6407, -90.5133 (Casa de Ana)'],
    ...['14.6407, −90.5133', '14.6407, –90.5133', '14,6407; -90,5133', '14,6407 -90,5133'],
    ...['14.6407°N, 90.5133°W', '14.6407 N 90.5133 W', 'N14.6407,W90.5133', 'N 14.6407, O 90.5133'],
    ...['14.6407 norte, 90.5133 oeste', '14.6407 Norte 90.5133 Oeste', '90.5133°W, 14.6407°N'],
    ...['N 14.6407, E -90.5133', '14,6407 N, 90,5133 O', 'N14,6407 W90,5133'],
  ])('%j', (text) => {
    expect(readPlainText(text)).toEqual(PIN);
  });

  it.each([
    ...[`14°38'26.6"N 90°30'47.0"W`, `14°38'26.6"n 90°30'47.0"w`, `14°38'26.6"N, 90°30'47.0"O`],
    ...[`14º 38´ 26.6´´ N 90º 30´ 47.0´´ O`, `14°38′26.6″N 90°30′47.0″W`, `14°38’26.6”N 90°30’47.0”W`],
    ...[`14°38'26.6''N 90°30'47.0''W`, `14°38'26,6"N 90°30'47,0"O`, `14°38'26.6N 90°30'47.0W`],
    ...[`14 38 26.6 N, 90 30 47.0 W`, `N14°38'26.6" W90°30'47.0"`, `14°38'26.6" -90°30'47.0"`],
    ...[`14°38.4433'N 90°30.7833'W`, `14 38.4433, -90 30.7833`],
  ])('degrees, minutes and seconds from %j', (text) => {
    expect(readPlainText(text)).toMatchObject({
      lat: expect.closeTo(14 + 38 / 60 + 26.6 / 3_600, 5),
      lng: expect.closeTo(-(90 + 30 / 60 + 47 / 3_600), 5),
    });
  });

  it('both hemispheres on both axes', () => {
    const read = ['N E', 'N W', 'S E', 'S O'].map((letters) => {
      const [ns, ew] = letters.split(' ');
      return readPlainText(`14°30'${ns} 90°30'${ew}`);
    });
    expect(read).toMatchObject([
      { lat: 14.5, lng: 90.5 },
      { lat: 14.5, lng: -90.5 },
      { lat: -14.5, lng: 90.5 },
      { lat: -14.5, lng: -90.5 },
    ]);
  });

  it('any angle in whole seconds', () => {
    const seconds = (limit: number) => fc.integer({ min: 1, max: limit * 3_600 });
    const dms = (total: number) =>
      `${Math.floor(total / 3_600)}°${Math.floor(total / 60) % 60}'${total % 60}"`;
    fc.assert(
      fc.property(seconds(90), seconds(180), fc.boolean(), fc.boolean(), (lat, lng, isSouth, isWest) => {
        const text = `${dms(lat)}${isSouth ? 'S' : 'N'} ${dms(lng)}${isWest ? 'O' : 'E'}`;
        expect(readPlainText(text)).toMatchObject({
          lat: expect.closeTo((isSouth ? -lat : lat) / 3_600, 9),
          lng: expect.closeTo((isWest ? -lng : lng) / 3_600, 9),
        });
      }),
    );
  });
});

describe('readPlainText never guesses', () => {
  it.each([
    ['where a decimal comma ends and the next number begins', '14,6407,-90,5133'],
    ['where a decimal comma ends and the next number begins', '14,64 N, 90,51 O'],
    ['whether it is a pair or one number', '14,64'],
    ['whether it is a pair or numbers of a street', '12 14'],
    ['whether it is a pair or numbers of a street', '5 N 10 E'],
    ['which of three are meant', '14.6407, -90.5133, 17'],
    ['what stands between unmarked numbers', '14 38.4 90 30.7'],
    ['what half an angle is', `14°38'26.6"N`],
    ['which axis is which', '14.6407°N, 90.5133°N'],
    ['which axis is which', '14.6407°N, -90.5133'],
    ['what the order of marks means', `14'38°26.6"N 90°30'47.0"W`],
    ['what follows', `14°38'26.6"N 90°30'47.0"W 12`],
    ['in a name', '12 calle 1-25 zona 10'],
    ['in a name', 'Avenida 5 N, casa 3 E'],
    ['in a JSON array, longitude first', '[-90.5133, 14.6407]'],
  ])('%s: %s', (_what, text) => {
    expect(readPlainText(text)).toBeUndefined();
  });

  it.each([
    ...[`14°60'00"N 90°30'47.0"W`, `14°38'60"N 90°30'47.0"W`, `-14°38'26.6"S 90°30'47.0"W`],
    ...['14.6407 N, -90.5133 W', '-14.6407 N, 90.5133 E', `91°00'00"N 90°00'00"W`],
    ...[`14°00'00"N 180°00'01"W`, `0°00'00"N 0°00'00"W`],
  ])('about angles that are out of range or contradictory: %s', (text) => {
    expect(readPlainText(text)).toMatchObject({ kind: 'unreadable' });
  });
});

describe('readValue', () => {
  it.each([
    ...['14.6407,-90.5133', ' 14.6407, -90.5133 ', 'loc:14.6407,-90.5133', 'LOC:14.6407,-90.5133 (You)'],
    ...['14.6407,-90.5133(Casa)', '14.6407,-90.5133 (+502 5555-1234)'],
    ...['14.6407,-90.5133((14.6407, -90.5133))', '14.6407,-90.5133/data=!4m4!2m3'],
    ...['Casa de Ana@14.6407,-90.5133', 'Casa (de Ana)@14.6407,-90.5133(Mixco)'],
    ...['Mercado @ 180@14.6407,-90.5133', 'N14.6407,W90.5133'],
  ])('%j', (text) => {
    expect(readValue(text, 'query')).toMatchObject({ lat: 14.6407, lng: -90.5133, origin: 'query' });
  });

  it('reads a plus code whose + was decoded as a blank', () => {
    expect(readValue('765CWVRM 9F', 'query')).toMatchObject({ origin: 'plus_code' });
  });

  it.each([
    ...['14,68359,-90,77782', '--14.6,90', '14.6,-9051.33', '14.6,-90.5,17', '14.6;-90.5;', 'NaN,NaN'],
    ...['undefined,undefined', 'null, null', '-Infinity,0'],
  ])('reads malformed coordinates as such, not as a name: %s', (text) => {
    expect(readValue(text, 'query')).toEqual({ kind: 'unreadable', reason: 'malformed' });
  });

  it.each([
    'Mixco',
    '12 calle 1-25 zona 10, Guatemala',
    'Km 14.5 Carretera a El Salvador',
    '01010',
    'QGRH+5G Mixco',
  ])('returns undefined for a name: %s', (text) => {
    expect(readValue(text, 'query')).toBeUndefined();
  });
});
