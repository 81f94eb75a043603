import { nearestName } from './nearest-name.js';

describe('nearestName', () => {
  it.each<[written: string, known: string[], nearest: string]>([
    ['lon', ['lat', 'lng', 'nombre'], 'lng'],
    ['guia', ['guias'], 'guias'],
    ['guiass', ['guias'], 'guias'],
    ['Guias', ['guias'], 'guias'],
    ['guais', ['guias'], 'guias'],
    ['evento', ['eventos'], 'eventos'],
    ['extenal_ref', ['external_ref', 'referencia'], 'external_ref'],
    ['recogida_lon', ['recogida.lat', 'recogida.lng'], 'recogida.lng'],
  ])('suggests for %s of %j: %s', (written, known, nearest) => {
    expect(nearestName(written, known)).toBe(nearest);
  });

  it.each<[written: string, known: string]>([
    ['bar', 'lat'],
    ['foo', 'modo'],
    ['x', 'lat'],
    ['', 'lat'],
    ['precio', 'direccion'],
  ])('does not suggest for %s: %s', (written, known) => {
    expect(nearestName(written, [known])).toBeUndefined();
  });
});
