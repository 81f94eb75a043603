import { readInput } from '../../platform/validation/read-input.js';
import { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { ADVERTENCIA_CODES } from '../guia/guia-advertencia.js';
import { NOW, type CurrentGuia } from './guia-changes.queries.js';
import type { Author } from './author.js';
import { decideEdit, NO_DESTINO, type Destino, type Edit } from './guia-edit.js';

const HERE = { lat: 14.6407, lng: -90.5133 };
const LINK = 'https://maps.app.goo.gl/x';
const EVERY: string[] = [...ADVERTENCIA_CODES];

/** The columns that an edit reads; the others do not matter to it. */
const guia = (over: Partial<CurrentGuia> = {}) =>
  ({
    estado: 'aceptado',
    version: 4,
    telefono: '+50255551234',
    destinatario: 'Ana',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    contenido: '',
    cod_amount: 10,
    direccion: '4a calle',
    referencia: 'portón',
    notas: null,
    destino_lat: null,
    destino_lng: null,
    destino_maps_url: null,
    direccion_confirmada: false,
    confirmada_en: null,
    enlaces_pendientes: [],
    advertencias: [],
    telefono_secuencia: null,
    ...over,
  }) as unknown as CurrentGuia;
const KNOWN = { destino_lat: HERE.lat, destino_lng: HERE.lng, direccion_confirmada: true };

/** Decides by a request body; a point or a link in it is the destination. */
function edit(
  actual: CurrentGuia,
  body: object,
  { isPending = false, editor = { actor: 'comercio' } }: { isPending?: boolean; editor?: Author } = {},
): Edit | undefined {
  const { lat, lng, maps_url } = body as { lat?: number; lng?: number; maps_url?: string };
  const isPlace = lat !== undefined || maps_url !== undefined;
  const destino: Destino = { lat: lat ?? null, lng: lng ?? null, mapsUrl: maps_url ?? null, isPending };
  const isCleared = lat === null || maps_url === null;
  const dto = readInput(EditarGuiaDto, body, { country: 'GT' });
  return decideEdit(actual, dto, isCleared ? NO_DESTINO : isPlace ? destino : undefined, 'GT', editor);
}

/** The fields that the history names. */
const camposOf = (made: Edit | undefined) => made?.eventos[0]!.datos!.campos;
const tiposOf = (made: Edit | undefined) => made?.eventos.map(({ tipo }) => tipo);

describe('decideEdit', () => {
  it('changes nothing for an empty request', () => {
    for (const actual of [
      guia(),
      guia(KNOWN),
      guia({ advertencias: EVERY, enlaces_pendientes: ['recogida', 'destino'] }),
    ])
      expect(edit(actual, {})).toBeUndefined();
  });

  it.each<[campo: string, value: unknown, column: keyof CurrentGuia, stored: unknown]>([
    ['nombre', 'Luis', 'destinatario', 'Luis'],
    ['nombre', null, 'destinatario', ''],
    ['departamento', 'Petén', 'departamento', 'Petén'],
    ['municipio', 'Flores', 'municipio', 'Flores'],
    ['direccion', '5a calle', 'direccion', '5a calle'],
    ['direccion', null, 'direccion', ''],
    ['direccion', '', 'direccion', ''],
    ['referencia', 'zaguán', 'referencia', 'zaguán'],
    ['referencia', null, 'referencia', null],
    ['contenido', 'Libros', 'contenido', 'Libros'],
    ['notas', 'llamar', 'notas', 'llamar'],
    ['cod_amount', 0, 'cod_amount', 0],
  ])('changes %s to %j alone, and the history names it', (campo, value, column, stored) => {
    expect(edit(guia(), { [campo]: value })).toEqual({
      columns: { [column]: stored },
      eventos: [
        { tipo: 'guia.actualizada', actor: 'comercio', datos: expect.objectContaining({ campos: [campo] }) },
      ],
    });
  });

  it('keeps the amount to collect before a change of it', () => {
    const made = edit(guia(), { cod_amount: 0, notas: 'x' });
    expect(made?.eventos[0]!.datos).toEqual({
      campos: ['notas', 'cod_amount'],
      cod_antes: 10,
      cod_amount: 0,
    });
  });

  it.each([
    ['telefono', '55551234'],
    ['telefono', null],
    ['departamento', null],
    ['municipio', null],
    ['cod_amount', null],
    ['cod_amount', 10],
    ['direccion', '4a calle '],
    ['referencia', 'portón'],
    ['notas', null],
    ['notas', ' '],
    ['contenido', null],
  ])('treats %s: %j as no change', (campo, value) => {
    expect(edit(guia(), { [campo]: value })).toBeUndefined();
  });

  it('refuses a change of a field that is locked in the state, and accepts its stored value', () => {
    const actual = guia({ estado: 'recogido' });
    expect(() => edit(actual, { notas: 'otra', cod_amount: 5 })).toThrow('guia_no_modificable');
    expect(camposOf(edit(actual, { notas: 'otra', cod_amount: 10 }))).toEqual(['notas']);
  });

  describe('of the phone', () => {
    const body = { telefono: '4444 5678' };

    it('ends the links sent to the earlier one, and asks the recipient at the new one', () => {
      expect(edit(guia(), body)).toMatchObject({
        columns: { telefono: '+50244445678', telefono_secuencia: 5 },
        eventos: [
          { tipo: 'guia.actualizada', datos: { campos: ['telefono'] } },
          { tipo: 'guia.confirmacion_pedida', actor: 'comercio' },
        ],
      });
    });

    it.each<[what: string, actual: Partial<CurrentGuia>, body: object]>([
      ['is confirmed', KNOWN, body],
      ['is confirmed by the same request', {}, { ...body, ...HERE }],
    ])('asks nobody if the address %s', (_, actual, sent) => {
      expect(tiposOf(edit(guia(actual), sent))).not.toContain('guia.confirmacion_pedida');
    });
  });

  it('names support in the history, in each event', () => {
    const editor: Author = { actor: 'soporte', usuario: 'ana' };
    const made = [
      edit(guia(), { telefono: '4444 5678' }, { editor }),
      edit(guia(), HERE, { editor }),
    ].flatMap((one) => one!.eventos);
    expect(made).toHaveLength(4);
    for (const evento of made) expect(evento).toMatchObject({ actor: 'soporte', datos: { usuario: 'ana' } });
  });

  it.each<
    [what: string, actual: Partial<CurrentGuia>, body: object, campos: string[], isNewlyConfirmed: boolean]
  >([
    ['a point where none was', {}, HERE, ['lat', 'lng'], true],
    ['another point', KNOWN, { ...HERE, lat: 15 }, ['lat', 'lng'], false],
    ['a link where none was', {}, { maps_url: LINK }, ['maps_url'], true],
    ['a link in place of a point', KNOWN, { maps_url: LINK }, ['lat', 'lng', 'maps_url'], false],
    [
      'a point in place of a link',
      { destino_maps_url: LINK, direccion_confirmada: true },
      HERE,
      ['lat', 'lng', 'maps_url'],
      false,
    ],
    [
      'the same point, of an unconfirmed address',
      { ...KNOWN, direccion_confirmada: false },
      HERE,
      ['lat', 'lng'],
      true,
    ],
    [
      'the same link, which is still to be resolved',
      { destino_maps_url: LINK, direccion_confirmada: true, enlaces_pendientes: ['destino'] },
      { maps_url: LINK },
      ['maps_url'],
      false,
    ],
  ])('treats %s as a new destination', (_, actual, body, campos, isNewlyConfirmed) => {
    const made = edit(guia({ confirmada_en: '2026-11-25T00:00:00.000Z', ...actual }), body);
    // The recipient may no longer correct it.
    expect(made?.columns).toMatchObject({
      direccion_confirmada: true,
      confirmada_en: null,
      respuesta_en: NOW,
      enlaces_pendientes: [],
    });
    expect([...(camposOf(made) as string[])].sort()).toEqual(campos);
    expect(tiposOf(made)).toEqual(['guia.actualizada', ...(isNewlyConfirmed ? ['guia.confirmada'] : [])]);
  });

  it('treats the same place of a confirmed address as no change', () => {
    expect(edit(guia({ ...KNOWN, advertencias: ['destino_fuera_del_pais'] }), HERE)).toBeUndefined();
  });

  describe('with a link whose map service does not answer', () => {
    const isPending = true;

    it('confirms the address, and leaves the link to be expanded', () => {
      expect(
        edit(guia({ enlaces_pendientes: ['recogida'] }), { maps_url: LINK }, { isPending }),
      ).toMatchObject({
        columns: { direccion_confirmada: true, enlaces_pendientes: ['recogida', 'destino'] },
        eventos: [{ tipo: 'guia.actualizada', datos: { campos: ['maps_url'] } }, { tipo: 'guia.confirmada' }],
      });
    });

    it.each<[what: string, actual: Partial<CurrentGuia>]>([
      ['is being expanded', { enlaces_pendientes: ['destino'], direccion_confirmada: true }],
      ['is being expanded, while its recipient was asked', { enlaces_pendientes: ['destino'] }],
      ['was expanded', KNOWN],
    ])('changes nothing if it is the guide’s own, which %s', (_, over) => {
      const actual = guia({ destino_maps_url: LINK, ...over });
      expect(edit(actual, { maps_url: LINK }, { isPending })).toBeUndefined();
    });

    it.each<[what: string, actual: Partial<CurrentGuia>, columns: object]>([
      ['is being expanded', { enlaces_pendientes: ['destino'] }, { enlaces_pendientes: ['destino'] }],
      ['was expanded, whose point stays', KNOWN, { enlaces_pendientes: [] }],
    ])(
      'settles whether it is still the place after another town, if it is the guide’s own, which %s',
      (_, over, columns) => {
        const actual = guia({
          destino_maps_url: LINK,
          direccion_confirmada: true,
          advertencias: ['destino_por_revisar'],
          ...over,
        });
        const edited = edit(actual, { maps_url: LINK }, { isPending })!;
        expect(edited.columns).toEqual({
          direccion_confirmada: true,
          confirmada_en: null,
          respuesta_en: NOW,
          advertencias: [],
          ...columns,
        });
        expect(edited.eventos).toMatchObject([{ tipo: 'guia.actualizada', datos: { campos: ['maps_url'] } }]);
      },
    );

    it('tries a link again that was given up', () => {
      const actual = guia({ destino_maps_url: LINK, advertencias: ['destino_sin_coordenadas'] });
      expect(edit(actual, { maps_url: LINK }, { isPending })).toMatchObject({
        columns: { direccion_confirmada: true, enlaces_pendientes: ['destino'], advertencias: [] },
        eventos: [{ tipo: 'guia.actualizada' }, { tipo: 'guia.confirmada' }],
      });
    });
  });

  it('keeps a pending pickup link pending', () => {
    const actual = guia({ enlaces_pendientes: ['recogida', 'destino'] });
    expect(edit(actual, HERE)?.columns.enlaces_pendientes).toEqual(['recogida']);
    expect(edit(actual, { notas: 'x' })?.columns).toEqual({ notas: 'x' });
  });

  describe('clears warnings:', () => {
    const OF_MESSAGES = ['mensaje_fallido', 'mensaje_omitido_limite', 'mensaje_omitido_baja'];
    const OF_PHONE = [...OF_MESSAGES, 'destinatario_niega', 'telefono_dudoso'];
    const OF_DESTINATION = [
      ...OF_MESSAGES,
      'mensaje_no_enviado',
      'destino_sin_coordenadas',
      'destino_fuera_del_pais',
      'destino_por_revisar',
      'destino_impreciso',
    ];
    const left = (cleared: string[]) => EVERY.filter((code) => !cleared.includes(code));

    it.each<[what: string, body: object, advertencias: string[]]>([
      ['a new phone clears those of the phone', { telefono: '44445678' }, left(OF_PHONE)],
      ['a place clears those of the destination', HERE, left(OF_DESTINATION)],
      ['both together clear both', { ...HERE, telefono: '44445678' }, left([...OF_PHONE, ...OF_DESTINATION])],
      [
        'a place far away clears them and adds its own',
        { lat: 40.4, lng: -3.7 },
        [...left(OF_DESTINATION), 'destino_fuera_del_pais'],
      ],
      ['a place without coordinates is never far', { maps_url: LINK }, left(OF_DESTINATION)],
      ['notes clear none', { notas: 'x', direccion: 'y', referencia: null }, EVERY],
    ])('%s', (_, body, advertencias) => {
      const actual = guia({ advertencias: EVERY });
      expect({ ...actual, ...edit(actual, body)!.columns }.advertencias).toEqual(advertencias);
    });
  });

  it('does not change the guide it reads', () => {
    const actual = guia({ advertencias: EVERY, enlaces_pendientes: ['destino'] });
    const before = structuredClone(actual);
    edit(actual, { ...HERE, telefono: '44445678', notas: 'x' });
    expect(actual).toEqual(before);
  });
});

describe('an edit that takes the destination away', () => {
  const NONE = { lat: null, lng: null };
  const NOWHERE = { destino_lat: null, destino_lng: null, destino_maps_url: null };
  const cleared = (over: Partial<CurrentGuia> = {}, body: object = NONE) =>
    edit(guia({ ...KNOWN, ...over }), body);

  it.each<[what: string, over: Partial<CurrentGuia>]>([
    ['coordinates', {}],
    ['a link without coordinates', { destino_lat: null, destino_lng: null, destino_maps_url: LINK }],
    [
      'a link that is being expanded',
      { destino_maps_url: LINK, enlaces_pendientes: ['recogida', 'destino'] },
    ],
  ])('of a guide with %s leaves it unconfirmed, and its recipient is asked', (_, over) => {
    const made = cleared(over);
    expect({ ...NOWHERE, ...made!.columns }).toMatchObject({
      ...NOWHERE,
      direccion_confirmada: false,
      enlaces_pendientes: (over.enlaces_pendientes ?? []).filter((lugar) => lugar !== 'destino'),
    });
    expect(tiposOf(made)).toEqual(['guia.actualizada', 'guia.confirmacion_pedida']);
    expect(camposOf(made)).toEqual(expect.arrayContaining(['lat', 'lng']));
  });

  it('together with the phone asks once', () => {
    expect(tiposOf(cleared({}, { ...NONE, telefono: '5555 9999' }))).toEqual([
      'guia.actualizada',
      'guia.confirmacion_pedida',
    ]);
  });

  it('clears the warnings of the place, and no others', () => {
    const made = cleared({ advertencias: EVERY });
    const gone = [
      ...['destino_sin_coordenadas', 'destino_fuera_del_pais', 'destino_por_revisar'],
      'destino_impreciso',
    ];
    expect(made!.columns.advertencias).toEqual(EVERY.filter((codigo) => !gone.includes(codigo)));
  });

  it('changes nothing of a guide that has none', () => {
    expect(edit(guia(), NONE)).toBeUndefined();
    expect(edit(guia(), { maps_url: null })).toBeUndefined();
  });
});

describe('an edit that moves the recipient to another town', () => {
  const TO_REVIEW = 'destino_por_revisar';
  const warned = (body: object, over: Partial<CurrentGuia> = KNOWN) =>
    edit(guia(over), body)?.columns.advertencias?.includes(TO_REVIEW) ?? false;

  it.each<[what: string, body: object, over: Partial<CurrentGuia>, isWarned: boolean]>([
    ['another town', { municipio: 'Villa Nueva' }, KNOWN, true],
    ['another department', { departamento: 'Petén' }, KNOWN, true],
    ['the same town in other letters', { municipio: ' MIXCÓ ' }, KNOWN, false],
    ['another town of a guide without a destination', { municipio: 'Flores' }, {}, false],
    [
      'another town of a guide with a link without coordinates',
      { municipio: 'Flores' },
      { destino_maps_url: LINK, direccion_confirmada: true },
      true,
    ],
    ['another town with its destination', { municipio: 'Flores', lat: 16.93, lng: -89.89 }, KNOWN, false],
    ['another town with the known destination', { municipio: 'Flores', ...HERE }, KNOWN, false],
    ['another town, and no destination', { municipio: 'Flores', lat: null, lng: null }, KNOWN, false],
    ['something else', { notas: 'x' }, KNOWN, false],
  ])('%s: the destination is to be reviewed, or not', (_, body, over, isWarned) => {
    expect(warned(body, over)).toBe(isWarned);
  });

  it('keeps the destination, and the same destination sent again settles the review', () => {
    expect(edit(guia(KNOWN), { municipio: 'Flores' })!.columns).not.toHaveProperty('destino_lat');
    const made = edit(guia({ ...KNOWN, advertencias: [TO_REVIEW] }), HERE);
    expect(made!.columns).toMatchObject({ advertencias: [], direccion_confirmada: true });
  });
});
