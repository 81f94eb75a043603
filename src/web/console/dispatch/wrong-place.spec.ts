import { wrongPlace } from './wrong-place.js';

describe('a filter by place, in a country without a table of places', () => {
  const places = [{ departamento: 'Atlántida', municipio: 'La Ceiba' }];
  it.each([
    [{ departamento: 'atlantida' }, undefined],
    [{ municipio: 'la ceiba' }, undefined],
    [{ departamento: 'Atlantda' }, 'No hay un departamento «Atlantda». ¿Quiso decir Atlántida?'],
    [{ municipio: 'La Cieba' }, 'No hay un municipio «La Cieba». ¿Quiso decir La Ceiba?'],
    [
      { departamento: 'Atlántida', municipio: 'Choluteca' },
      'No hay un municipio «Choluteca» en Atlántida. Elíjalo de la lista.',
    ],
  ])('is judged by the places of guides: %j', (filter, said) => {
    expect(wrongPlace({ departamento: undefined, municipio: undefined, ...filter }, places, 'HN')).toBe(said);
  });
});
