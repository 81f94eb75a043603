import { CHATS } from '../../../../../test/data/chats.js';
import { scoreChats, sharesOf, type ScoredField } from '../../../../../test/support/chat-scores.js';
import { isUnknownPlace } from '../../../../locations/places/places.js';
import { SPOKEN } from '../../../../locations/places/spoken-places.js';

describe('chats as apps copy them', () => {
  let scored: ScoredField[];
  beforeAll(async () => {
    scored = await scoreChats(CHATS);
  });

  it('have no field that is wrong without a mark', () => {
    expect(CHATS.length).toBeGreaterThanOrEqual(120);
    expect(sharesOf(scored).wrong).toEqual([]);
  });

  it('are read: 98 % right or marked and the rest empty, 85 % right, half of what is right without a mark', () => {
    const { right, rightOrMarked, unmarked } = sharesOf(scored);
    expect(rightOrMarked).toBeGreaterThanOrEqual(0.98);
    expect(right).toBeGreaterThanOrEqual(0.85);
    expect(unmarked).toBeGreaterThanOrEqual(0.5);
  });
});

describe('names of places that are spoken', () => {
  it('are 300, each of a place of the table', () => {
    const all = Object.entries(SPOKEN).flatMap(([country, departments]) =>
      Object.entries(departments).flatMap(([departamento, towns]) =>
        Object.entries(towns).map(([municipio, said]) => ({ country, departamento, municipio, said })),
      ),
    );
    expect(all.filter(({ country, ...place }) => isUnknownPlace(country, place))).toEqual([]);
    expect(all.flatMap(({ said }) => said.split(',')).length).toBeGreaterThanOrEqual(300);
  });

  it.each([
    ['San Pedro, 5555 7171', '¿Cuál es?'],
    ['para el Puerto', '¿Cuál es?'],
    ['vivo en San José', '¿Cuál es?'],
  ])('of several towns are asked about: %j', async (text, question) => {
    const fields = (await scoreChats([['GT', text, '', '', '', '', '', '']])).filter(
      ({ campo }) => campo === 'municipio',
    );
    expect(fields).toMatchObject([{ found: '', nota: expect.stringContaining(question) }]);
  });

  it.each([
    ['San Pedro, San Marcos', 'San Pedro Sacatepéquez'],
    ['el Puerto, Izabal', 'Puerto Barrios'],
  ])('are known by their department: %j', async (text, municipio) => {
    const fields = await scoreChats([['GT', text, '', '', '', '', municipio, '']]);
    expect(fields.find(({ campo }) => campo === 'municipio')).toMatchObject({ isRight: true });
  });
});
