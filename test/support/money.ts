import type { TestDatabase } from './database.js';
import { Lives } from './lives.js';
import type { Answer, TestApp, TestMerchant, TestOperator } from './test-app.js';

/** One snapshot: what the events say was collected, and adjustments by hand, against settlements and what is to be settled. */
const BALANCE = `select
  (select coalesce(sum(collected), 0) from (
    select distinct on (guia_id) case when tipo = 'guia.estado_corregido' then 0 else (datos->>'cod_cobrado')::numeric end as collected
    from eventos
    where comercio_id = $1 and (tipo in ('guia.cobro_corregido', 'guia.estado_corregido')
      or tipo = 'guia.estado_cambiado' and datos->>'estado' = 'entregado')
    order by guia_id, secuencia desc) of_guias)
  - (select coalesce(sum(cod_cobrado), 0) from cobros where comercio_id = $1) as missing,
  (select coalesce(sum(cod_cobrado), 0) from cobros where comercio_id = $1)
  + (select coalesce(sum(monto), 0) from ajustes where comercio_id = $1 and not automatico)
  - (select coalesce(sum(cobrado + ajustes), 0) from liquidaciones where comercio_id = $1)
  - (select coalesce(sum(cod_cobrado), 0) from cobros where comercio_id = $1 and estado = 'cobrado')
  - (select coalesce(sum(monto), 0) from ajustes where comercio_id = $1 and liquidacion_id is null) as unbalanced,
  (select count(*)::int from liquidaciones l
    cross join lateral (select count(*) as guias, coalesce(sum(coalesce(liquidado, cod_cobrado)), 0) as cobrado
      from cobros where liquidacion_id = l.id) c
    cross join lateral (select coalesce(sum(monto), 0) as ajustes from ajustes
      where comercio_id = l.comercio_id and liquidacion_id = l.id) a
    where comercio_id = $1 and ((l.guias, l.cobrado, l.ajustes) <> (c.guias, c.cobrado, a.ajustes)
      or l.cobrado + l.ajustes < 0))
  + (select count(*)::int from cobros where comercio_id = $1 and pago = 'directo' and cod_cobrado <> 0) as wrong`;

/** What `balanceOf` finds of a merchant whose money adds up. */
export const BALANCED = { missing: 0, unbalanced: 0, wrong: 0 };

/**
 * In one snapshot of a merchant's money: what was collected by its events and is in no amount, what collected and adjusted by hand
 * exceed settled and still to be settled, and how many settlements and amounts contradict themselves.
 */
export async function balanceOf(database: TestDatabase, comercioId: string): Promise<typeof BALANCED> {
  const [balance] = await database.query<Record<keyof typeof BALANCED, string>>(BALANCE, [comercioId]);
  const { missing, unbalanced, wrong } = balance!;
  return { missing: Number(missing), unbalanced: Number(unbalanced), wrong: Number(wrong) };
}

/** A merchant whose guides operators deliver and settle. */
export class Money {
  private constructor(
    readonly merchant: TestMerchant,
    readonly operator: TestOperator,
    readonly lives: Lives,
    private readonly database: TestDatabase,
  ) {}

  /** For a new merchant by default. */
  static async start(test: TestApp, merchant?: TestMerchant): Promise<Money> {
    const owner = merchant ?? (await test.merchant());
    return new Money(owner, await test.operator(), new Lives(test, owner), test.database);
  }

  /** Delivers a new guide. @param at when, ISO 8601; now by default. */
  async deliver(
    cod_amount: number,
    {
      cod_cobrado = cod_amount,
      at,
      ...over
    }: { cod_cobrado?: number; at?: string; [field: string]: unknown } = {},
  ): Promise<{ id: string; guia: string }> {
    const guia = await this.lives.in('en_ruta', { cod_amount, ...over });
    const { status, text } = await this.operator.move(guia.id, {
      ...{ estado: 'entregado', cod_cobrado, ocurrido_en: at },
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
    return guia;
  }

  /**
   * Stores that 1.00 was collected of many guides, which do not exist themselves.
   * @param at SQL of the time of the amount number `n`, in ms since 1970; the first `n` is 0.
   */
  async seed(count: number, at: string): Promise<void> {
    await this.database.query(
      `insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
       select $1, gen_random_uuid(), 1, 1, to_timestamp((${at})::float8 / 1000), 'cobrado'
       from generate_series(0, $2 - 1) n`,
      [this.merchant.id, count],
    );
  }

  settle(body: object = {}, operator = this.operator): Promise<Answer> {
    return operator.post('/api/v1/operaciones/liquidaciones', { comercio: this.merchant.id, ...body });
  }

  pay(id: string, body: object, operator = this.operator): Promise<Answer> {
    return operator.post(`/api/v1/operaciones/liquidaciones/${id}/pagar`, body);
  }

  correct(guia: string, body: object, operator = this.operator): Promise<Answer> {
    return operator.post(`/api/v1/operaciones/guias/${guia}/cobro`, body);
  }

  /** Adjusts the next settlement. */
  adjust(monto: number, over: object = {}, operator = this.operator): Promise<Answer> {
    const body = { comercio: this.merchant.id, monto, motivo: 'Paquete dañado', ...over };
    return operator.post('/api/v1/operaciones/ajustes', body);
  }

  list(query = '', headers?: Record<string, string>): Promise<Answer> {
    return this.merchant.get(`/api/v1/cobros${query}`, headers);
  }

  /** The amount of one guide. */
  async of({ id }: { id: string }): Promise<any> {
    return (await this.list('?limit=100')).body.cobros.find((cobro: any) => cobro.id === id);
  }
}
