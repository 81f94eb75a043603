import type { CurrentGuia } from '../changes/guia-changes.queries.js';
import { decideLink, type LinkOutcome } from './link-decision.js';

const LINK = 'https://maps.app.goo.gl/x';
const HERE = { lat: 14.6407, lng: -90.5133 };
const NEAR: LinkOutcome = { kind: 'coordinates', ...HERE, isFar: false };
const FAR: LinkOutcome = { kind: 'coordinates', ...HERE, isFar: true };
const BROKEN: LinkOutcome = { kind: 'broken' };
const DELAYED: LinkOutcome = { kind: 'delayed' };

/** A guide that waits for both of its links. Only the columns that a link reads. */
const guia = (over: Partial<CurrentGuia> = {}) =>
  ({
    estado: 'aceptado',
    recogida_maps_url: LINK,
    destino_maps_url: LINK,
    direccion_confirmada: true,
    enlaces_pendientes: ['recogida', 'destino'],
    advertencias: ['cod_distinto'],
    ...over,
  }) as CurrentGuia;

/** A decision with the names of its events in place of them. */
function decided(...args: Parameters<typeof decideLink>) {
  const change = decideLink(...args);
  return change && { ...change, eventos: change.eventos.map(({ tipo }) => tipo) };
}

describe('the outcome of a pickup link', () => {
  const asked = { lugar: 'recogida', enlace: LINK } as const;

  it.each<[what: string, outcome: LinkOutcome, columns: object | undefined, eventos: string[]]>([
    [
      'with coordinates sets them',
      NEAR,
      { recogida_lat: HERE.lat, recogida_lng: HERE.lng, advertencias: ['cod_distinto'] },
      ['guia.enlace_leido'],
    ],
    [
      'in another country warns',
      FAR,
      {
        recogida_lat: HERE.lat,
        recogida_lng: HERE.lng,
        advertencias: ['cod_distinto', 'recogida_fuera_del_pais'],
      },
      ['guia.enlace_leido'],
    ],
    [
      'to a place without coordinates warns',
      { kind: 'place' },
      { advertencias: ['cod_distinto', 'recogida_sin_coordenadas'] },
      ['guia.enlace_fallido'],
    ],
    [
      'that is given up warns',
      BROKEN,
      { advertencias: ['cod_distinto', 'recogida_sin_coordenadas'] },
      ['guia.enlace_fallido'],
    ],
  ])('%s, and asks nobody', (_, outcome, columns, eventos) => {
    expect(decided(guia(), asked, outcome, false)).toEqual({
      columns: { ...columns, enlaces_pendientes: ['destino'] },
      eventos,
    });
  });

  it('changes nothing while the map service is silent', () => {
    expect(decideLink(guia(), asked, DELAYED, false)).toBeUndefined();
  });
});

describe('the outcome of a destination link', () => {
  const asked = { lugar: 'destino', enlace: LINK } as const;
  const point = { destino_lat: HERE.lat, destino_lng: HERE.lng };
  const settled = { enlaces_pendientes: ['recogida'] };
  const ASKED: Partial<CurrentGuia> = { direccion_confirmada: false };
  const CLOSED: Partial<CurrentGuia> = { estado: 'entregado' };

  it.each<
    [what: string, Partial<CurrentGuia>, LinkOutcome, isWaiting: boolean, columns: object, eventos: string[]]
  >([
    [
      'with coordinates sets them',
      {},
      NEAR,
      false,
      { ...point, ...settled, direccion_confirmada: true, advertencias: ['cod_distinto'] },
      ['guia.enlace_leido'],
    ],
    [
      'with coordinates confirms a guide whose recipient was asked',
      ASKED,
      NEAR,
      false,
      { ...point, ...settled, direccion_confirmada: true, advertencias: ['cod_distinto'] },
      ['guia.enlace_leido', 'guia.confirmada'],
    ],
    [
      'with coordinates resolves warnings about the destination, and warns if it is far',
      { advertencias: ['destino_sin_coordenadas', 'cod_distinto'] },
      FAR,
      false,
      {
        ...point,
        ...settled,
        direccion_confirmada: true,
        advertencias: ['cod_distinto', 'destino_fuera_del_pais'],
      },
      ['guia.enlace_leido'],
    ],
    [
      'to a place without coordinates leaves the guide confirmed',
      {},
      { kind: 'place' },
      false,
      { ...settled, direccion_confirmada: true, advertencias: ['cod_distinto'] },
      [],
    ],
    [
      'to a place without coordinates confirms a guide whose recipient was asked',
      ASKED,
      { kind: 'place' },
      false,
      { ...settled, direccion_confirmada: true, advertencias: ['cod_distinto'] },
      ['guia.confirmada'],
    ],
    ...(
      [
        ['asks the recipient', {}, false, ['guia.enlace_fallido', 'guia.confirmacion_pedida']],
        ['leaves the asking to a message that waits', {}, true, ['guia.enlace_fallido']],
        ['does not ask a recipient twice', ASKED, false, ['guia.enlace_fallido']],
        ['asks nobody for a guide that was delivered', CLOSED, false, ['guia.enlace_fallido']],
      ] as const
    ).map(
      ([what, over, isWaiting, eventos]) =>
        [
          `that is given up ${what}`,
          over,
          BROKEN,
          isWaiting,
          {
            ...settled,
            direccion_confirmada: false,
            advertencias: ['cod_distinto', 'destino_sin_coordenadas'],
          },
          [...eventos],
        ] as [string, Partial<CurrentGuia>, LinkOutcome, boolean, object, string[]],
    ),
    [
      'that is late asks the recipient, and stays pending',
      {},
      DELAYED,
      false,
      { direccion_confirmada: false },
      ['guia.confirmacion_pedida'],
    ],
    [
      'that is late leaves the asking to a message that waits',
      {},
      DELAYED,
      true,
      { direccion_confirmada: false },
      [],
    ],
  ])('%s', (_, over, outcome, isWaiting, columns, eventos) => {
    expect(decided(guia(over), asked, outcome, isWaiting)).toEqual({ columns, eventos });
  });

  it.each<[what: string, Partial<CurrentGuia>, LinkOutcome]>([
    ['that was replaced', { destino_maps_url: `${LINK}2` }, NEAR],
    ['that was settled otherwise', { enlaces_pendientes: ['recogida'] }, BROKEN],
    ['that is late changes nothing once the recipient was asked', ASKED, DELAYED],
    ['that is late changes nothing of a guide that was delivered', CLOSED, DELAYED],
  ])('changes nothing: %s', (_, over, outcome) => {
    expect(decideLink(guia(over), asked, outcome, false)).toBeUndefined();
  });

  it('says of a failure which place and why', () => {
    const { eventos } = decideLink(guia(), asked, { kind: 'unreadable' }, true)!;
    expect(eventos).toEqual([
      { tipo: 'guia.enlace_fallido', actor: 'sistema', datos: { lugar: 'destino', motivo: 'unreadable' } },
    ]);
  });
});
