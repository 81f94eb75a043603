import { merged } from './model.js';
import { newsOf, newsText, seen } from './novedades.js';

const guia = (over: object = {}) => ({
  ...{ guia: '483920175567', estado: 'en_ruta', notas: null, referencia: 'casa azul', nota: null },
  ...{ telefono: '+50255551234', direccion: '5a calle', destino: { lat: 14.6, lng: -90.5, maps_url: null } },
  ...over,
});
// Untyped: the guides of these cases have only the fields that each is about.
const datos = (...guias: object[]): any => ({ caja: [], guias });
const news = ({ guias }: any) => guias.map(newsOf);

describe('what is new of a guide', () => {
  it.each<[what: string, fresh: object, news: string[]]>([
    ['nothing', {}, []],
    ['a note that was written', { notas: 'Toque' }, ['notas']],
    ['a landmark that was taken away', { referencia: null }, ['referencia']],
    ['another place', { destino: { lat: 14.7, lng: -90.5, maps_url: null } }, ['destino']],
    [
      'phone, address and the recipient’s note',
      { nota: 'Con el guardia', telefono: '+50244445678', direccion: '6a calle' },
      ['telefono', 'direccion', 'nota'],
    ],
    ['another state or amount alone', { estado: 'recogido', cobrar: '3.00' }, []],
  ])('is %s', (_, fresh, expected) => {
    expect(news(merged(datos(guia(fresh)), datos(guia())))).toEqual([expected]);
  });

  it('is nothing on a first visit, nor of a guide that comes later', () => {
    expect(news(merged(datos(guia()), null))).toEqual([[]]);
    expect(news(merged(datos(guia({ notas: 'x' })), datos(guia({ guia: '1' }))))).toEqual([[]]);
  });

  it('adds up until the view is opened, and is gone where all is as it was', () => {
    let now = datos(guia());
    for (const fresh of [{ notas: 'a' }, { notas: 'a', nota: 'b' }, { notas: 'c', nota: 'b' }])
      now = merged(datos(guia(fresh)), now);
    expect(news(now)).toEqual([['notas', 'nota']]);
    expect(news(merged(datos(guia()), now))).toEqual([[]]);
    expect(news(seen(now, '483920175567'))).toEqual([[]]);
    expect(news(seen(now, '1'))).toEqual([['notas', 'nota']]);
    expect(news(merged(datos(guia({ notas: 'd', nota: 'b' })), seen(now, '483920175567')))).toEqual([
      ['notas'],
    ]);
  });

  it('is said by names that a driver knows', () => {
    expect(newsText(['nota', 'destino'])).toBe('nota de quien recibe, punto del mapa');
  });
});
