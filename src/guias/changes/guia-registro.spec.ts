import { AppError } from '../../platform/errors/app-error.js';
import { pinOf } from '../pin/pin.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { decideRegistro, type MoveContext, type Mover } from './guia-registro.js';

const KEY = Buffer.alloc(32, 1);
const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const PIN = pinOf(ID, KEY);
const WRONG = PIN === '0000' ? '0001' : '0000';

const guia = (over: Partial<CurrentGuia & MoveContext>) =>
  ({
    ...{
      id: ID,
      guia: 'GB000001',
      version: 3,
      estado: 'en_ruta',
      estado_en: null,
      piloto_id: 'piloto',
      advertencias: [],
    },
    ...{ cod_amount: 10, destino_lat: null, destino_lng: null, moneda: 'GTQ', con_pin: false, fallos: 0 },
    ...{ con_cobro: false, no_aplicados: null, ...over },
  }) as unknown as CurrentGuia & MoveContext;

const OPERATOR: Mover = { actor: 'operador', operador_id: 'operador', scope: 'all' };
const deliver = (
  over: Partial<CurrentGuia & MoveContext>,
  sent: { pin?: string; cod_cobrado?: number } = {},
  by = OPERATOR,
) => decideRegistro(by, { estado: 'entregado', cod_cobrado: 10, ...sent }, guia(over), KEY);

/** How it is written: by one statement, or under a lock; with its amount, or with that of a delivery before; or the try alone. */
const kindOf = ({ write, locked }: ReturnType<typeof deliver>) => {
  if (!write) return locked ? 'a try under the lock' : 'nothing';
  return `${locked ? 'under the lock' : 'one statement'}${write.collected ? ', with its amount' : ''}`;
};

describe('a delivery', () => {
  it.each<[what: string, over: Partial<CurrentGuia & MoveContext>, sent: object, kind: string]>([
    ['with an amount', {}, {}, 'one statement, with its amount'],
    ['of which nothing is due', { cod_amount: 0 }, { cod_cobrado: undefined }, 'one statement'],
    ['of a guide that has an amount', { con_cobro: true }, {}, 'under the lock'],
    [
      'of one that has an amount, with nothing due',
      { con_cobro: true, cod_amount: 0 },
      { cod_cobrado: 0 },
      'one statement',
    ],
    ['with the PIN', { con_pin: true }, { pin: PIN }, 'under the lock, with its amount'],
    ['with a wrong PIN', { con_pin: true }, { pin: WRONG }, 'a try under the lock'],
    ['with a PIN that nobody asks for', {}, { pin: WRONG }, 'one statement, with its amount'],
  ])('%s is written by %s', (_, over, sent, kind) => {
    expect(kindOf(deliver(over, sent))).toBe(kind);
  });

  it('has the cash of the driver who has the guide, or reports it', () => {
    expect(deliver({}).write!.collected).toMatchObject({ piloto: 'piloto', cod_cobrado: 10 });
    expect(deliver({ piloto_id: null }).write!.collected).toMatchObject({ piloto: null });
  });

  it('that repeats an event writes nothing', () => {
    const repetido = {
      id: 'e',
      tipo: 'guia.estado_cambiado',
      secuencia: 2,
      ocurrido_en: null,
      datos: { estado: 'entregado' },
    };
    const decision = deliver({ repetido: repetido as never, estado: 'entregado' });
    expect([kindOf(decision), decision.result]).toMatchObject([
      'nothing',
      { evento: 'e', isDuplicate: true },
    ]);
  });

  it('of more than the currency allows is refused', () => {
    expect(() => deliver({}, { cod_cobrado: 1_000_001 })).toThrow(AppError);
    expect(deliver({ moneda: 'COP' }, { cod_cobrado: 1_000_001 }).write).toBeDefined();
  });
});
