import { GUIA_ESTADOS, OPEN_ESTADOS } from '../guia-estado.js';
import { askRefusal, type AskRefusal } from './ask-again.js';

const GUIA = { estado: 'aceptado', direccion_confirmada: false, advertencias: [] as string[] } as const;
const NOTHING = { espera: false, reciente: false };

describe('a recipient', () => {
  it.each<
    [
      what: string,
      over: object,
      requests: object,
      bySupport: AskRefusal | undefined,
      byCommand: AskRefusal | undefined,
    ]
  >([
    ['of an open guide without an address', {}, {}, undefined, undefined],
    ['of a confirmed guide', { direccion_confirmada: true }, {}, 'cerrada', 'cerrada'],
    ['who denied the parcel', { advertencias: ['destinatario_niega'] }, {}, 'niega', 'niega'],
    ['who could not be reached', { advertencias: ['mensaje_fallido'] }, {}, undefined, undefined],
    ['with a message that has yet to be sent', {}, { espera: true }, 'por_salir', 'por_salir'],
    ['who was just sent one', {}, { reciente: true }, 'reciente', undefined],
    [
      'who denied, with a message that waits',
      { advertencias: ['destinatario_niega'] },
      { espera: true },
      'niega',
      'niega',
    ],
  ])('%s is asked again unless refused', (_, over, requests, bySupport, byCommand) => {
    const refusal = (actor: 'soporte' | 'sistema') =>
      askRefusal({ ...GUIA, ...over }, { ...NOTHING, ...requests }, actor);
    expect([refusal('soporte'), refusal('sistema')]).toEqual([bySupport, byCommand]);
  });

  it('is asked again while the guide may still be delivered', () => {
    const asked = GUIA_ESTADOS.filter((estado) => !askRefusal({ ...GUIA, estado }, NOTHING, 'sistema'));
    expect(asked).toEqual(OPEN_ESTADOS);
  });
});
