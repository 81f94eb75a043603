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

  it('compares no name that differs too much in length, and 50 letters of a long one', () => {
    let reads = 0;
    const known = new Proxy(Object('telefono') as object, {
      get: (text, key) => {
        reads++;
        return (text as Record<PropertyKey, unknown>)[key];
      },
    }) as unknown as string;
    const readsOf = (name: string) => {
      reads = 0;
      nearestName(name, [known]);
      return reads;
    };
    expect(readsOf('tel')).toBeLessThan(10);
    expect(readsOf('t'.repeat(17))).toBeLessThan(10);
    expect(readsOf('t'.repeat(1_000_000))).toBeLessThan(10);
    expect(readsOf('t'.repeat(12))).toBeLessThan(500);
  });
});
