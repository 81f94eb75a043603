import fc from 'fast-check';
import {
  GUIA_ESTADOS,
  canMove,
  FINAL_ESTADOS,
  PILOTO_ESTADOS,
  type GuiaEstado,
} from '../../guias/guia/guia-estado.js';
import { MOTIVO_CODES, SIN_TIEMPO } from '../../guias/guia/guia-motivo.js';
import { groupedAmount } from '../../guias/guia/grouped-amount.js';
import * as rules from './model.js';
import * as words from './words.js';

// Untyped: the guides of these cases have only the fields that each is about.
const model: Record<string, any> = { ...rules, ...words };

const NOW = Date.parse('2026-01-01T12:00:00.000Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

const guia = (over: object = {}) => ({
  ...{ guia: '483920175567', estado: 'en_ruta', estado_en: ago(60), cod_cobrado: null },
  ...{ moneda: 'GTQ', simbolo: 'Q', destino: { lat: 14.6, lng: -90.5 }, recogida: { lat: null, lng: null } },
  ...over,
});
const accion = (evento: object, over: object = {}) => ({
  ...{ n: 1, guia: '483920175567', anterior: 'en_ruta', enviada: false, rechazo: null },
  evento: { guia: '483920175567', ocurrido_en: ago(1), ...evento },
  ...over,
});
const datos = (...guias: object[]) => ({ caja: [], guias });
const seen = (guias: object[], acciones: object[]) => model.guiasOf(datos(...guias), acciones, NOW);

describe("the driver's phone", () => {
  it('knows every state, and every reason of a failed attempt', () => {
    expect(Object.keys(model.ESTADOS).sort()).toEqual([...GUIA_ESTADOS].sort());
    expect(Object.keys(model.MOTIVOS).sort()).toEqual(
      MOTIVO_CODES.filter((one) => one !== SIN_TIEMPO).sort(),
    );
  });

  it('offers only moves that the service takes', () => {
    for (const [estado, acciones] of Object.entries(model.ACCIONES as Record<string, string[]>))
      for (const one of acciones) {
        let at = estado as GuiaEstado;
        for (const event of model.eventsOf(one, estado, {})) {
          const isTaken = canMove(at, event.estado) && PILOTO_ESTADOS.includes(event.estado);
          expect([at, event.estado, isTaken]).toEqual([at, event.estado, true]);
          at = event.estado;
        }
      }
    for (const estado of FINAL_ESTADOS) expect(model.ACCIONES).not.toHaveProperty(estado);
  });

  it.each(GUIA_ESTADOS.filter((estado) => !FINAL_ESTADOS.includes(estado)))(
    'keeps a guide that may still move among those to do, or to bring back: %s',
    (estado) => expect(model.sectionsOf(seen([guia({ estado })], []), null).done).toEqual([]),
  );

  it('shows the state after what waits, as the service would be told in order', () => {
    const [waiting] = seen([guia()], [accion({ estado: 'entregado', cod_cobrado: 5 })]);
    expect(waiting).toMatchObject({ estado: 'entregado', esperan: 1, cobrado: 5, deshacible: true });
    const undone = [accion({ estado: 'entregado' }), accion({ deshacer: true }, { n: 2 })];
    expect(seen([guia()], undone)[0]).toMatchObject({ estado: 'en_ruta', esperan: 2, deshacible: false });
  });

  it('does not show as done what was refused, and keeps its reason', () => {
    const rechazo = { codigo: 'pin_incorrecto', detail: 'No es.' };
    const [shown] = seen([guia()], [accion({ estado: 'entregado' }, { rechazo })]);
    expect(shown).toMatchObject({ estado: 'en_ruta', esperan: 0, rechazo, deshacible: false });
  });

  it.each([
    ['waits, of five minutes ago', [accion({ estado: 'entregado', ocurrido_en: ago(5) })], {}, true],
    ['waits, older', [accion({ estado: 'entregado', ocurrido_en: ago(5.1) })], {}, false],
    ['was sent just now', [], { estado: 'entregado', mio: { en: ago(1), estado: 'entregado' } }, true],
    ['was sent, older', [], { estado: 'entregado', mio: { en: ago(6), estado: 'entregado' } }, false],
    [
      'was followed by another’s',
      [],
      { estado: 'devuelto', mio: { en: ago(1), estado: 'entregado' } },
      false,
    ],
    ['was another’s', [], {}, false],
  ])('offers to undo the last move where it %s: %#', (_, acciones, over, isOffered) => {
    expect(seen([guia(over)], acciones)[0].deshacible).toBe(isOffered);
  });

  it('forgets a guide a day after its end', () => {
    const at = (minutes: number) => seen([guia({ estado: 'entregado', estado_en: ago(minutes) })], []);
    expect([at(23 * 60).length, at(25 * 60).length]).toEqual([1, 0]);
    expect(seen([guia({ estado_en: ago(9_999) })], [])).toHaveLength(1);
  });

  it('sorts by distance where it knows its place, unknown places last; else as the service does', () => {
    const all = [
      guia({ guia: 'far', destino: { lat: 15.6, lng: -90.5 } }),
      guia({ guia: 'unknown', destino: { lat: null, lng: null } }),
      guia({ guia: 'near', destino: { lat: 14.601, lng: -90.5 } }),
    ];
    const order = (here: object | null) =>
      model.sectionsOf(all, here).pending.map(({ guia }: { guia: string }) => guia);
    expect(order({ lat: 14.6, lng: -90.5 })).toEqual(['near', 'far', 'unknown']);
    expect(order(null)).toEqual(['far', 'unknown', 'near']);
  });

  it.each([
    ['349.50', 349.5],
    ['349,5', 349.5],
    ['Q 1,349.50', 1349.5],
    ['1,349', 1349],
    ['0', 0],
    ['', undefined],
    ['veinte', undefined],
    ['1.234.5', undefined],
    ['20.555', undefined],
    ['1 349.50', 1349.5],
    ['RD$20', 20],
    [' 20 quetzales ', 20],
    ['-5', undefined],
    ['Q -5', undefined],
    ['2 de 100', undefined],
    ['100 20', undefined],
    ['100+20', undefined],
  ])('reads the amount %j as %j', (text, amount) => expect(model.readAmount(text)).toBe(amount));

  it.each<[string, string, number | null, string, string?]>([
    ['recogido', '20.00', null, 'COBRAR Q\u00a020.00'],
    ['en_ruta', '20.00', null, 'COBRAR Q\u00a020.00'],
    ['intento_fallido', '20.00', null, 'COBRAR Q\u00a020.00'],
    ['en_ruta', '0.00', null, 'SIN COBRO'],
    ['entregado', '20.00', 19.5, 'COBRADO Q\u00a019.50'],
    ['entregado', '20.00', 0, 'COBRADO Q\u00a00.00'],
    ['entregado', '20.00', null, ''],
    ['entregado', '20.00', 19.5, 'COBRADO CON TARJETA Q\u00a019.50', 'tarjeta'],
    ['entregado', '20.00', 0, 'PAGADO DIRECTO AL COMERCIO', 'directo'],
    ['entregado', '0.00', null, 'SIN COBRO'],
    ['en_devolucion', '20.00', null, ''],
    ['devuelto', '20.00', null, ''],
    ['cancelado', '20.00', null, ''],
    ['extraviado', '0.00', null, ''],
  ])(
    'says of what is due in %s, of %s, with %j collected: %j',
    (estado, cobrar, cod_cobrado, said, ...[pago]) => {
      const over = {
        estado,
        cobrar,
        cobrar_escrito: `Q\u00a0${cobrar}`,
        cod_cobrado,
        pago,
        estado_en: ago(1),
      };
      const { texto, monto } = model.dueOf(seen([guia(over)], [])[0]) ?? {};
      expect([texto, monto].filter(Boolean).join(' ')).toBe(said);
    },
  );

  it('reaches the shop before the pick-up where it has a phone, else the recipient', () => {
    const own = { telefono: '+50255551234', telefono_escrito: '5555 1234' };
    const shop = { telefono: '+50222220000', telefono_escrito: '2222 0000' };
    const of = (estado: string, recogida: object) => model.phoneOf({ estado, recogida, ...own });
    for (const estado of ['aceptado', 'en_camino_a_recoger']) {
      expect(of(estado, shop)).toEqual(shop);
      for (const none of [{ telefono: null }, {}]) expect(of(estado, none)).toEqual(own);
    }
    expect(of('recogido', shop)).toEqual(own);
  });

  it('sends nothing behind an undo of the same guide before the undo is answered', () => {
    const [undo, again, other] = [
      accion({ deshacer: true }, { n: 1 }),
      accion({ estado: 'entregado' }, { n: 2 }),
      accion({ estado: 'en_ruta' }, { n: 3, guia: '111111111111' }),
    ];
    expect(model.nextBatch([undo, again, other], 100)).toEqual([undo, other]);
    expect(model.nextBatch([again, undo, other], 2)).toEqual([again, undo]);
  });

  it('adds money to the cent, with what waits and what is taken back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 }), { maxLength: 40 }), (cents) => {
        const all = cents.map((cent, n) => accion({ estado: 'entregado', cod_cobrado: cent / 100 }, { n }));
        const sum = cents.reduce((a, b) => a + b, 0);
        const [text = 'Q\u00a00.00'] = model.cashOf(datos(guia()), all);
        expect(Math.round(Number(text.replace(/[^\d.]/g, '')) * 100)).toBe(sum);
      }),
    );
    const delivered = accion({ estado: 'entregado', cod_cobrado: 20 });
    const undone = accion({ deshacer: true }, { quita: 20 });
    const byCard = accion({ estado: 'entregado', cod_cobrado: 50, pago: 'tarjeta' });
    expect(
      model.cashOf({ ...datos(guia()), caja: [{ moneda: 'GTQ', simbolo: 'Q', monto: '5.10' }] }, [
        delivered,
        undone,
        byCard,
      ]),
    ).toEqual(['Q\u00a05.10']);
  });

  it.each<[typed: number, pago: string, question: string | undefined]>([
    [109.5, 'efectivo', undefined],
    [1_095, 'efectivo', 'Son Q\u00a0985.50 más de lo que hay que cobrar: Q\u00a0109.50.'],
    [100, 'tarjeta', 'Son Q\u00a09.50 menos de lo que hay que cobrar: Q\u00a0109.50.'],
    [0, 'transferencia', 'Son Q\u00a0109.50 menos de lo que hay que cobrar: Q\u00a0109.50.'],
    [0, 'directo', undefined],
  ])('of Q 109.50 due asks about %d, paid as %s: %j', (cod_cobrado, pago, question) => {
    const due = guia({ cobrar: '109.50', cobrar_escrito: 'Q\u00a0109.50' });
    expect(model.amountQuestion(due, { cod_cobrado, pago })?.que).toBe(question);
  });

  it('writes amounts as the service does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000 }), (cents) => {
        const amount = groupedAmount((cents / 100).toFixed(2));
        expect(model.moneyText('Q', cents)).toBe(`Q\u00a0${amount}`);
        if (cents > 0) expect(model.moneyText('Q', -cents)).toBe(`−Q\u00a0${amount}`);
      }),
    );
  });

  describe('after an answer', () => {
    const sent = [
      accion({ estado: 'entregado', cod_cobrado: 20 }, { n: 1 }),
      accion({ estado: 'en_ruta' }, { n: 2, guia: '111111111111' }),
      accion({ estado: 'en_ruta' }, { n: 3, guia: '222222222222' }),
      accion({ estado: 'en_ruta' }, { n: 4, guia: '333333333333' }),
    ];

    it('deletes what was done, keeps what was refused or late with its reason, and what nobody knows', () => {
      const result = model.settle(datos(guia()), sent, [
        { ok: true, aplicado: true, estado: 'entregado' },
        { ok: false, status: 409, codigo: 'transicion_invalida', detail: 'No.' },
        { ok: true, aplicado: false, estado: 'cancelado' },
        { ok: false, status: 503, codigo: 'no_disponible', detail: 'Repita.' },
      ]);
      expect(result.done).toEqual([1]);
      expect(result.refused).toEqual([
        [2, { codigo: 'transicion_invalida', detail: expect.stringContaining('ya había cambiado') }],
        [3, { codigo: 'tarde', detail: expect.stringContaining('Cancelada') }],
      ]);
      expect(result.left).toBe(true);
      expect(result.datos.guias[0]).toMatchObject({ estado: 'entregado', cod_cobrado: 20 });
      expect(model.cashOf(result.datos, [])).toEqual(['Q\u00a020.00']);
    });

    it.each([500, 502, 503, 504, 429])('sends again what the service could not do: %d', (status) => {
      const answer = { ok: false, status, codigo: 'error_interno', detail: 'Algo falló.' };
      const result = model.settle(datos(guia()), sent.slice(0, 1), [answer]);
      expect([result.left, result.done, result.refused]).toEqual([true, [], []]);
    });

    it.each([
      [{}, 'tarde', 'Llegó tarde:', 'Cancelada'],
      [{ no_aplicado: 'tarde' }, 'tarde', 'Llegó tarde:', 'Cancelada'],
      [{ no_aplicado: 'de_otro_piloto' }, 'de_otro_piloto', 'Ya no era suya:', 'otro piloto'],
    ])('says once why it was not applied: %j', (over, codigo, what, more) => {
      const answer = { ok: true, aplicado: false, estado: 'cancelado', ...over };
      const [[, rechazo]] = model.settle(datos(guia()), sent.slice(0, 1), [answer]).refused;
      expect(rechazo.codigo).toBe(codigo);
      const text: string[] = model.refusalText(rechazo);
      expect(text[0]).toBe(what);
      expect(text[1]).toContain(more);
      expect(text.join('').split(what)).toHaveLength(2);
    });

    it.each(['nada_que_deshacer', 'efectivo_entregado'])(
      'shows the delivery again whose undo came too late: %s',
      (codigo) => {
        const delivered = guia({ estado: 'entregado', cod_cobrado: 20, estado_en: ago(2) });
        const known = { ...delivered, mio: { en: ago(2), estado: 'entregado', anterior: 'en_ruta' } };
        const undo = accion({ deshacer: true }, { quita: 20 });
        const result = model.settle(
          datos(known),
          [undo],
          [{ ok: false, status: 409, codigo, detail: 'No.' }],
        );
        const [[, rechazo]] = result.refused;
        expect(model.refusalText(rechazo).join('')).toContain('No se pudo deshacer: avise a su bodega');
        expect([...result.held.keys()]).toEqual([known.guia]);
        const [shown] = model.guiasOf(result.datos, [{ ...undo, rechazo }], NOW);
        expect(shown).toMatchObject({
          estado: 'entregado',
          cobrado: 20,
          deshacible: false,
          rechazo: { codigo },
        });
      },
    );

    it.each([
      ['pin', 'requerido', 'marque “No tiene el PIN”'],
      ['cod_cobrado', 'requerido', 'Escriba cuánto cobró'],
      ['ocurrido_en', 'fuera_de_rango', 'reloj'],
      ['recibio', 'largo', 'Como el servicio: recibio.'],
    ])('says in words of drivers what was wrong with %s: %s', (campo, codigo, said) => {
      const errores = [{ campo, codigo, mensaje: 'Como el servicio: `recibio`.' }];
      const answer = { ok: false, status: 400, codigo: 'validacion', detail: 'Revise.', errores };
      const [[, { detail }]] = model.settle(datos(guia()), sent.slice(0, 1), [answer]).refused;
      expect(detail).toContain(said);
      expect(detail).not.toMatch(/`|_/);
    });

    it('counts the money of a repeat once: the service had counted it', () => {
      const repeated = { ok: true, aplicado: true, estado: 'entregado', duplicado: true };
      expect(model.settle(datos(guia()), sent.slice(0, 1), [repeated]).datos.caja).toEqual([]);
    });
  });
});
