import { placesByKey } from '../../../../locations/places/places.js';
import { readChat } from './chat-reading.js';

async function read(text: string) {
  const { maps_url, telefono } = readChat(text, {
    country: 'GT',
    currency: 'GTQ',
    places: await placesByKey('GT'),
  });
  return [maps_url?.valor, telefono?.valor];
}

describe('the map link of a chat', () => {
  it.each([
    ['https://maps.app.goo.gl/\nAbC123\nson Q350', 'https://maps.app.goo.gl/AbC123'],
    ['https://maps.google.com/?q=14.6407,\n-90.5133', 'https://maps.google.com/?q=14.6407,-90.5133'],
    ['https://maps.google.com/?q=\n14.6407,-90.5133', 'https://maps.google.com/?q=14.6407,-90.5133'],
    ['https://maps.google.com/\n?q=14.6407,-90.5133', '14.6407, -90.5133'],
    ['maps.google.com/?q=14.6407,\n  -90.5133', 'maps.google.com/?q=14.6407,-90.5133'],
    [
      'https://www.google.com/maps/@14.6407,-90.\n5133,17z',
      'https://www.google.com/maps/@14.6407,-90.5133,17z',
    ],
    [
      'https://waze.com/ul?ll=14.6407,\n-90.5133&navigate=yes',
      'https://waze.com/ul?ll=14.6407,-90.5133&navigate=yes',
    ],
  ])('is one, though a line break cuts it: %j', async (text, link) => {
    expect(await read(`Marta Xol 5555 7171\n${text}\nMixco`)).toEqual([link, '5555 7171']);
  });

  it.each([
    ['https://maps.app.goo.gl/AbC123', 'https://maps.app.goo.gl/AbC123'],
    ['https://maps.app.goo.gl/AbC123/', 'https://maps.app.goo.gl/AbC123/'],
    ['https://maps.app.goo.gl/', undefined],
    ['https://maps.google.com/?q=14.6407,-90.5133', 'https://maps.google.com/?q=14.6407,-90.5133'],
    ['https://maps.google.com/?q=14.6407,-90.5133,', 'https://maps.google.com/?q=14.6407,-90.5133'],
    ['https://maps.google.com/?q=14.6407,-90.5133.', 'https://maps.google.com/?q=14.6407,-90.5133'],
  ])('takes no phone or place from the next line: %j', async (text, link) => {
    for (const next of ['5555 7171\nMixco', 'Mixco 5555 7171', '55557171', '5555-7171 Mixco'])
      expect([next, (await read(`${text}\n${next}`)).map((one) => one?.replace(/[.,]$/, ''))]).toEqual([
        next,
        [link, expect.stringMatching(/^5555[ -]?7171$/)],
      ]);
  });
});
