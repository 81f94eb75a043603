import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Currencies (ISO 4217) with their countries (ISO 3166), as they were when this migration was written. */
// prettier-ignore
const CURRENCIES: Record<string, string> = {
  AED: 'AE', AFN: 'AF', ALL: 'AL', AMD: 'AM', ANG: 'AN', AOA: 'AO', ARS: 'AR', AUD: 'AU CC CX HM KI NF NR TV',
  AWG: 'AW', AZN: 'AZ', BAM: 'BA', BBD: 'BB', BDT: 'BD', BHD: 'BH', BIF: 'BI', BMD: 'BM', BND: 'BN', BOB: 'BO',
  BRL: 'BR', BSD: 'BS', BTN: 'BT', BWP: 'BW', BYN: 'BY', BZD: 'BZ', CAD: 'CA', CDF: 'CD', CHF: 'CH LI', CLP: 'CL',
  CNY: 'CN', COP: 'CO', CRC: 'CR', CUP: 'CU', CVE: 'CV', CZK: 'CZ', DJF: 'DJ', DKK: 'DK FO GL', DOP: 'DO',
  DZD: 'DZ', EGP: 'EG', ERN: 'ER', ETB: 'ET',
  EUR: 'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  FJD: 'FJ', FKP: 'FK GS', GBP: 'GB GG IM JE', GEL: 'GE', GHS: 'GH', GIP: 'GI', GMD: 'GM', GNF: 'GN', GTQ: 'GT',
  GYD: 'GY', HKD: 'HK', HNL: 'HN', HTG: 'HT', HUF: 'HU', IDR: 'ID', ILS: 'IL PS', INR: 'IN', IQD: 'IQ', IRR: 'IR',
  ISK: 'IS', JMD: 'JM', JOD: 'JO', JPY: 'JP', KES: 'KE', KGS: 'KG', KHR: 'KH', KMF: 'KM', KPW: 'KP', KRW: 'KR',
  KWD: 'KW', KYD: 'KY', KZT: 'KZ', LAK: 'LA', LBP: 'LB', LKR: 'LK', LRD: 'LR', LSL: 'LS', LYD: 'LY', MAD: 'EH MA',
  MDL: 'MD', MGA: 'MG', MKD: 'MK', MMK: 'MM', MNT: 'MN', MOP: 'MO', MRU: 'MR', MUR: 'MU', MVR: 'MV', MWK: 'MW',
  MXN: 'MX', MYR: 'MY', MZN: 'MZ', NAD: 'NA', NGN: 'NG', NIO: 'NI', NOK: 'BV NO SJ', NPR: 'NP',
  NZD: 'CK NU NZ PN TK', OMR: 'OM', PAB: 'PA', PEN: 'PE', PGK: 'PG', PHP: 'PH', PKR: 'PK', PLN: 'PL', PYG: 'PY',
  QAR: 'QA', RON: 'RO', RSD: 'RS', RUB: 'RU', RWF: 'RW', SAR: 'SA', SBD: 'SB', SCR: 'SC', SDG: 'SD', SEK: 'SE',
  SGD: 'SG', SHP: 'SH', SLE: 'SL', SOS: 'SO', SRD: 'SR', SSP: 'SS', STN: 'ST', SYP: 'SY', SZL: 'SZ', THB: 'TH',
  TJS: 'TJ', TMT: 'TM', TND: 'TN', TOP: 'TO', TRY: 'TR', TTD: 'TT', TWD: 'TW', TZS: 'TZ', UAH: 'UA', UGX: 'UG',
  USD: 'AQ AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI', UYU: 'UY', UZS: 'UZ', VES: 'VE', VND: 'VN',
  VUV: 'VU', WST: 'WS', XAF: 'CF CG CM GA GQ TD', XCD: 'AG AI DM GD KN LC MS VC', XCG: 'CW SX',
  XOF: 'BF BJ CI GW ML NE SN TG', XPF: 'NC PF WF', YER: 'YE', ZAR: 'ZA', ZMW: 'ZM', ZWG: 'ZW',
};

const TABLES = [
  `create table liquidaciones (
    comercio_id uuid not null constraint liquidaciones_comercio_fkey references comercios (id),
    id uuid not null constraint liquidaciones_id_key unique,
    moneda text not null,
    guias integer not null constraint liquidaciones_guias_check check (guias > 0),
    cobrado numeric(20,2) not null constraint liquidaciones_cobrado_check check (cobrado >= 0),
    desde timestamptz(3) not null,
    hasta timestamptz(3) not null,
    creada_en timestamptz(3) not null,
    operador_id uuid not null,
    ref text,
    pagada_en timestamptz(3),
    referencia_pago text,
    pago_operador_id uuid,
    pago_ref text,
    constraint liquidaciones_pkey primary key (comercio_id, id),
    constraint liquidaciones_pago_check check (
      num_nulls(pagada_en, referencia_pago, pago_operador_id) in (0, 3) and (pago_ref is null or pagada_en is not null))
  )`,
  `create unique index liquidaciones_ref_key on liquidaciones (operador_id, comercio_id, ref) where ref is not null`,

  `create table cobros (
    comercio_id uuid not null,
    guia_id uuid not null,
    cod_amount monto not null,
    cod_cobrado monto,
    cobrado_en timestamptz(3),
    liquidacion_id uuid,
    estado text not null,
    constraint cobros_pkey primary key (comercio_id, guia_id),
    constraint cobros_liquidacion_fkey foreign key (comercio_id, liquidacion_id) references liquidaciones (comercio_id, id),
    constraint cobros_estado_check check (
      (cod_cobrado is null) = (cobrado_en is null) and (cod_cobrado is not null or liquidacion_id is null)
      and estado = case when cod_cobrado is null then 'por_cobrar' when liquidacion_id is null then 'cobrado'
        else 'liquidado' end)
  )`,
];

/** After the rows are copied. */
const INDEXES = [
  `create index cobros_por_cobrar_idx on cobros (comercio_id, guia_id) where estado = 'por_cobrar'`,
  `create index cobros_cobrado_idx on cobros (comercio_id, guia_id) where estado = 'cobrado'`,
  `create index cobros_liquidado_idx on cobros (comercio_id, guia_id) where estado = 'liquidado'`,
  `create index cobros_cobrado_en_idx on cobros (comercio_id, estado, cobrado_en, guia_id)`,
  `create index cobros_liquidacion_idx on cobros (liquidacion_id, guia_id) where liquidacion_id is not null`,
];

/**
 * Rows of the guides delivered so far, in one pass. An amount that was not reported stays unknown. A guide was delivered
 * by one event at most.
 */
const COPY = `insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
  select g.comercio_id, g.id, g.cod_amount, e.cod_cobrado, case when e.cod_cobrado is not null then e.en end,
    case when e.cod_cobrado is null then 'por_cobrar' else 'cobrado' end
  from guias g left join (
    select comercio_id, guia_id, (datos->>'cod_cobrado')::numeric as cod_cobrado,
      greatest(least(coalesce(ocurrido_en, creado_en), creado_en), to_timestamp(0)) as en
    from eventos where tipo = 'guia.estado_cambiado' and datos->>'estado' = 'entregado'
  ) e on e.comercio_id = g.comercio_id and e.guia_id = g.id
  where g.estado = 'entregado' and (g.cod_amount > 0 or e.cod_cobrado > 0)`;

/** What was collected and settled, as rows; the merchants' currency. */
export class Cobros1795380000000 implements MigrationInterface {
  name = 'Cobros1795380000000';

  async up(runner: QueryRunner): Promise<void> {
    await addCurrencies(runner);
    for (const statement of TABLES) await runner.query(statement);
    // The indexes come first: while they are built, and until the commit, no guide changes.
    await runner.query(`create index guias_por_cobrar_idx on guias (comercio_id, id)
      where cod_amount > 0 and estado not in ('entregado', 'cancelado', 'devuelto', 'extraviado')`);
    await runner.query(`create index guias_sin_cobro_idx on guias (comercio_id, id)
      where cod_amount > 0 and estado in ('cancelado', 'devuelto', 'extraviado')`);
    await runner.query(COPY);
    for (const statement of INDEXES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index guias_por_cobrar_idx, guias_sin_cobro_idx');
    await runner.query('drop table cobros, liquidaciones');
    await runner.query('alter table comercios drop column moneda');
  }
}

async function addCurrencies(runner: QueryRunner): Promise<void> {
  await runner.query(`alter table comercios add column moneda text not null default 'GTQ'
    constraint comercios_moneda_check check (moneda ~ '^[A-Z]{3}$')`);
  const countries = (await runner.query('select distinct pais from comercios')) as { pais: string }[];
  for (const { pais } of countries) {
    const [moneda] = Object.entries(CURRENCIES).find(([, paises]) => paises.split(' ').includes(pais)) ?? [];
    if (moneda !== undefined)
      await runner.query('update comercios set moneda = $1 where pais = $2', [moneda, pais]);
  }
}
