// Apart from `test-app.ts`: tests of the built service need these without loading the service's source.

/** The root secret of every test app: apps on one database understand each other's keys and cursors. */
export const APP_SECRET = 'a secret for tests, thirty-two bytes or more';

/** A valid create request; what a test is about comes as `over`. */
export function guiaBody(over: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    telefono: '+50255551234',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    recogida: { lat: 14.6349, lng: -90.5069 },
    ...over,
  };
}
