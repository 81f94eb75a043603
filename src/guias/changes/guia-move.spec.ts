import { canMove, GUIA_ESTADOS, nextEstados, type GuiaEstado } from '../guia/guia-estado.js';
import { NOW } from './guia-changes.queries.js';
import { decideMove, type MovableGuia, type Move, type Movimiento, type SaidTime } from './guia-move.js';

const OPERATOR = { id: 'evento', actor: 'operador', operador_id: 'operador' } as const;
const MERCHANT = { id: 'evento', actor: 'comercio' } as const;
const PLACE = { lat: 14.6407, lng: -90.5133 };

const NOON = '2026-01-01T12:00:00.000Z';
/** Five minutes before noon, and a millisecond more. */
const SLOW = '2026-01-01T11:55:00.000Z';
const TOO_SLOW = '2026-01-01T11:54:59.999Z';
const JUST_BEFORE = '2026-01-01T11:59:59.999Z';

const guiaIn = (estado: GuiaEstado, over: Partial<MovableGuia> = {}): MovableGuia => ({
  estado,
  estado_en: null,
  cod_amount: 0,
  destino_lat: PLACE.lat,
  destino_lng: PLACE.lng,
  advertencias: [],
  ...over,
});

/** A delivery of a guide with this amount due. */
const deliver = (cod_amount: number, over: Partial<Movimiento> = {}) =>
  decideMove(guiaIn('en_ruta', { cod_amount }), { estado: 'entregado', ...over }, OPERATOR);

/** A point this many metres north of the destination. */
const north = (metres: number) => ({ lat: PLACE.lat + metres / 111_195, lng: PLACE.lng });

const PAIRS = GUIA_ESTADOS.flatMap((from) => GUIA_ESTADOS.map((to) => [from, to] as const));
const isLegal = ([from, to]: readonly [GuiaEstado, GuiaEstado]) => canMove(from, to);

describe('a move', () => {
  it.each(PAIRS.filter(isLegal))('from %s to %s is applied and recorded', (from, to) => {
    const guia = guiaIn(from, { advertencias: ['mensaje_fallido'] });
    expect(decideMove(guia, { estado: to, nota: 'x', ref: 'r' }, OPERATOR)).toMatchObject({
      columns: { estado: to, estado_en: NOW, advertencias: ['mensaje_fallido'] },
      eventos: [
        {
          id: 'evento',
          tipo: to === 'cancelado' ? 'guia.cancelada' : 'guia.estado_cambiado',
          actor: 'operador',
          operador_id: 'operador',
          ref: 'r',
          datos: { estado: to, nota: 'x', estado_anterior: from },
        },
      ],
    });
  });

  it.each(PAIRS.filter((pair) => !isLegal(pair)))(
    'from %s to %s is refused, and the legal states are named',
    (from, to) => {
      const next = nextEstados(from);
      const detail =
        next.length === 0
          ? `La guía está en \`${from}\`, un estado final: ya no cambia.`
          : `La guía está en \`${from}\`; de ahí solo puede pasar a: ${next.join(', ')}.`;
      expect(() => decideMove(guiaIn(from), { estado: to }, OPERATOR)).toThrow(
        expect.objectContaining({
          codigo: 'transicion_invalida',
          detail,
          errores: [{ campo: 'estado', codigo: 'fuera_de_rango', mensaje: detail }],
        }),
      );
    },
  );

  it.each(GUIA_ESTADOS.filter((estado) => !canMove(estado, 'cancelado')))(
    'of a merchant from %s is refused, and once picked up says whom to ask',
    (from) => {
      const isFinal = nextEstados(from).length === 0;
      const ending = isFinal ? /ya no cambia\.$/ : /Ya se recogió: pida a la mensajería que la devuelva\.$/;
      expect(() => decideMove(guiaIn(from), { estado: 'cancelado' }, MERCHANT)).toThrow(
        expect.objectContaining({ codigo: 'transicion_invalida', detail: expect.stringMatching(ending) }),
      );
    },
  );

  it('of a merchant is recorded as theirs', () => {
    const { eventos } = decideMove(guiaIn('aceptado'), { estado: 'cancelado' }, MERCHANT);
    expect(eventos).toMatchObject([{ tipo: 'guia.cancelada', actor: 'comercio' }]);
    expect(eventos[0]).not.toHaveProperty('operador_id');
  });

  it('of a driver is recorded as theirs, with all that follows from it', () => {
    const delivery = { estado: 'entregado' as const, cod_cobrado: 5 };
    const driver = { actor: 'piloto', operador_id: 'piloto' } as const;
    const { eventos } = decideMove(guiaIn('en_ruta', { cod_amount: 9 }), delivery, {
      id: 'evento',
      ...driver,
    });
    expect(eventos).toMatchObject([
      { tipo: 'guia.estado_cambiado', ...driver },
      { tipo: 'guia.cod_distinto', ...driver },
    ]);
  });

  it.each<[when: string, to: GuiaEstado, ocurrido_en: string, estado_en: string | null, isLate: boolean]>([
    ['legal and within the tolerance for slow clocks', 'recogido', SLOW, NOON, false],
    ['legal and older than that', 'recogido', TOO_SLOW, NOON, true],
    ['legal, of a guide that never moved', 'recogido', '2000-01-01T00:00:00.000Z', null, false],
    ['illegal and a millisecond older than the last move', 'en_ruta', JUST_BEFORE, NOON, true],
  ])('that is %s, to %s: late or applied', (_, to, ocurrido_en, estado_en, isLate) => {
    const guia = guiaIn('en_camino_a_recoger', { estado_en });
    const { noAplicado } = decideMove(guia, { estado: to, ocurrido_en }, OPERATOR);
    expect(noAplicado).toBe(isLate ? 'tarde' : undefined);
  });

  it('that is illegal and as old as the last move is refused', () => {
    const guia = guiaIn('en_camino_a_recoger', { estado_en: NOON });
    expect(() => decideMove(guia, { estado: 'en_ruta', ocurrido_en: NOON }, OPERATOR)).toThrow(
      expect.objectContaining({ codigo: 'transicion_invalida' }),
    );
  });

  it.each(GUIA_ESTADOS)('that is late is recorded and changes nothing: to %s', (estado) => {
    const guia = guiaIn('en_camino_a_recoger', { estado_en: NOON });
    const late = { estado, ocurrido_en: TOO_SLOW, cod_cobrado: 5, ref: 'r' };
    expect(decideMove(guia, late, OPERATOR)).toEqual({
      noAplicado: 'tarde',
      columns: estado === 'entregado' ? { advertencias: ['entrega_tardia'] } : {},
      eventos: [
        {
          ...{ id: 'evento', tipo: 'guia.evento_tardio', actor: 'operador', operador_id: 'operador' },
          ...{ ocurrido_en: TOO_SLOW, ref: 'r', datos: { estado, cod_cobrado: 5 } },
        },
      ],
    });
  });
});

describe('a driver’s event', () => {
  const DRIVER = { id: 'evento', actor: 'piloto', operador_id: 'piloto' } as const;
  const LONG_AGO = '2025-11-20T12:00:00.000Z';
  const said = (over: Partial<SaidTime> = {}): SaidTime => ({
    ...{ dicho_en: LONG_AGO, ocurrido_en: NOON, ultimo: null, isFormer: false },
    ...over,
  });

  it('counts by our bounds, and keeps what the phone said', () => {
    const { columns, eventos } = decideMove(guiaIn('en_ruta'), { estado: 'entregado' }, DRIVER, said());
    expect(columns.estado_en).toBe(NOON);
    expect(eventos[0]).toMatchObject({ ocurrido_en: NOON, datos: { dicho_en: LONG_AGO } });
  });

  it('keeps nothing beside the time that was right', () => {
    const [evento] = decideMove(
      guiaIn('en_ruta'),
      { estado: 'entregado' },
      DRIVER,
      said({ dicho_en: NOON }),
    ).eventos;
    expect(evento.datos!.dicho_en).toBeUndefined();
  });

  it('is late by what the same phone said of the move before', () => {
    const guia = guiaIn('recogido', { estado_en: NOON });
    const move = { estado: 'en_ruta' as const };
    expect(decideMove(guia, move, DRIVER, said({ ultimo: LONG_AGO })).noAplicado).toBeUndefined();
    expect(decideMove(guia, move, DRIVER, said({ ultimo: NOON })).noAplicado).toBe('tarde');
  });

  it.each(GUIA_ESTADOS)('of a guide in %s that is another’s by now is recorded and warns', (estado) => {
    const { noAplicado, columns, eventos } = decideMove(
      guiaIn(estado, { cod_amount: 5 }),
      { estado: 'entregado', cod_cobrado: 5 },
      DRIVER,
      said({ isFormer: true, ocurrido_en: LONG_AGO }),
    );
    expect(noAplicado).toBe('de_otro_piloto');
    expect(columns).toEqual({ advertencias: ['evento_de_otro_piloto'] });
    expect(eventos).toMatchObject([
      { tipo: 'guia.evento_tardio', ocurrido_en: LONG_AGO, datos: { no_aplicado: 'de_otro_piloto' } },
    ]);
  });

  it.each<[what: string, guia: Partial<MovableGuia>, event: Movimiento, codigos: string[] | undefined]>([
    ['a delivery with cash', {}, { estado: 'entregado', cod_cobrado: 1 }, ['entrega_tardia']],
    [
      'one that warned already',
      { advertencias: ['entrega_tardia'] },
      { estado: 'entregado', cod_cobrado: 1 },
      undefined,
    ],
    ['a delivery without cash', {}, { estado: 'entregado', cod_cobrado: 0 }, undefined],
    [
      'one that was paid by card',
      { cod_amount: 1 },
      { estado: 'entregado', cod_cobrado: 1, pago: 'tarjeta' },
      undefined,
    ],
    ['an attempt', {}, { estado: 'intento_fallido', motivo: 'ausente' }, undefined],
  ])('that is late warns where its cash is in no drawer: %s', (_, over, event, codigos) => {
    const guia = guiaIn('intento_fallido', { estado_en: NOON, ...over });
    const { columns } = decideMove(guia, event, DRIVER, said({ ultimo: NOON }));
    expect(columns.advertencias).toEqual(codigos);
  });
});

describe('a delivery', () => {
  it.each<[what: string, due: number, got: number | undefined, kept: number | undefined, differs: boolean]>([
    ['all of it', 349.5, 349.5, 349.5, false],
    ['all of an amount that is no binary fraction', 0.3, 0.3, 0.3, false],
    ['less', 349.5, 300, 300, true],
    ['a cent more', 349.5, 349.51, 349.51, true],
    ['nothing of an amount', 100, 0, 0, true],
    ['no amount where nothing was due', 0, undefined, undefined, false],
    ['zero where nothing was due', 0, 0, undefined, false],
    ['something where nothing was due', 0, 1, 1, true],
  ])('collects %s', (_, due, got, kept, differs) => {
    const move = deliver(due, { cod_cobrado: got });
    expect(move.cobro?.cod_cobrado).toBe(kept);
    expect(move.columns.advertencias).toEqual(differs ? ['cod_distinto'] : []);
    expect(move.eventos.slice(1)).toEqual(
      differs
        ? [
            {
              ...{ tipo: 'guia.cod_distinto', actor: 'operador', operador_id: 'operador' },
              datos: { cod_amount: due, cod_cobrado: got },
            },
          ]
        : [],
    );
  });

  it.each<
    [due: number, sent: Pick<Movimiento, 'pago' | 'cod_cobrado'>, cobro: Move['cobro'], differs: boolean]
  >([
    [9, { cod_cobrado: 9 }, { cod_cobrado: 9, pago: 'efectivo' }, false],
    [9, { cod_cobrado: 8, pago: 'tarjeta' }, { cod_cobrado: 8, pago: 'tarjeta' }, true],
    [9, { cod_cobrado: 9, pago: 'transferencia' }, { cod_cobrado: 9, pago: 'transferencia' }, false],
    [9, { pago: 'directo' }, { cod_cobrado: 0, pago: 'directo' }, false],
    [0, { pago: 'tarjeta' }, undefined, false],
    [0, { cod_cobrado: 5, pago: 'tarjeta' }, { cod_cobrado: 5, pago: null }, true],
    [0, { pago: 'directo' }, undefined, false],
  ])('of %d due, with %j: what is collected, and how', (due, sent, cobro, differs) => {
    const move = deliver(due, sent);
    expect(move.cobro).toEqual(cobro);
    expect(move.columns.advertencias).toEqual(differs ? ['cod_distinto'] : []);
    const { pago } = move.eventos[0].datos!;
    expect(pago ?? null).toBe(cobro?.pago ?? null);
  });

  it.each([
    ['applied', null],
    ['late', NOON],
  ])('that is %s needs the amount collected where one is due', (_, estado_en) => {
    const guia = guiaIn('en_ruta', { cod_amount: 1, estado_en });
    expect(() => decideMove(guia, { estado: 'entregado', ocurrido_en: TOO_SLOW }, OPERATOR)).toThrow(
      expect.objectContaining({
        codigo: 'validacion',
        errores: [expect.objectContaining({ campo: 'cod_cobrado', codigo: 'requerido' })],
      }),
    );
  });

  it('that is illegal is refused as such, with or without the amount', () => {
    const guia = guiaIn('recogido', { cod_amount: 1 });
    expect(() => decideMove(guia, { estado: 'entregado' }, OPERATOR)).toThrow(
      expect.objectContaining({ codigo: 'transicion_invalida' }),
    );
  });

  it.each<[where: string, at: object, distancia_m: number | undefined, advertencias: string[]]>([
    ['at the destination', PLACE, 0, []],
    ['300 m away', north(300), 300, []],
    ['301 m away', north(301), 301, ['entrega_lejos']],
    [
      'on the other side of the Earth',
      { lat: -PLACE.lat, lng: 180 + PLACE.lng },
      20_015_114,
      ['entrega_lejos'],
    ],
    ['without coordinates', {}, undefined, []],
  ])('%s has its distance to the destination', (_, at, distancia_m, advertencias) => {
    const { columns, eventos } = deliver(0, at);
    expect([eventos[0].datos!.distancia_m, columns.advertencias]).toEqual([distancia_m, advertencias]);
  });

  it('has no distance where the destination is not known, nor has any other move', () => {
    const unknown = guiaIn('en_ruta', { destino_lat: null, destino_lng: null });
    const moves = [
      decideMove(unknown, { estado: 'entregado', ...PLACE }, OPERATOR),
      decideMove(guiaIn('en_ruta'), { estado: 'extraviado', ...north(5_000) }, OPERATOR),
    ];
    for (const { eventos } of moves) expect(eventos[0].datos!.distancia_m).toBeUndefined();
  });
});
