// The guides that fill both servers' databases: the same rows, with texts of realistic length.

/** Number of the merchant whose requests are measured. */
export const MERCHANT = 1;
export const MERCHANTS = 1_000;
/** That merchant's share of all guides. */
const SHARE = 0.2;
/** The phone of one guide in twenty. */
export const FREQUENT_PHONE = '+50255551234';

/** SQL of the id of merchant `n`. */
export const merchantId = (n) => `('019aa000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/**
 * SQL of the Luhn check digit of an eleven-digit `bigint`, written out because a subquery per row is slow.
 */
const luhnDigit = (number) => {
  const sum = Array.from({ length: 11 }, (_, i) => {
    const digit = `${number} / ${10 ** i} % 10`;
    return i % 2 ? digit : `(2 * (${digit}) - case when ${digit} > 4 then 9 else 0 end)`;
  });
  return `(10 - (${sum.join(' + ')}) % 10) % 10`;
};

/**
 * SQL of `rows` guides of `merchants` over the last year, oldest first. Ids are UUIDs version 7 of the creation time. Guide
 * numbers are scattered over their range like the service's: the factor is coprime to the size of the range.
 */
export const guides = (rows, merchants = MERCHANTS) => `
  select n, ${merchantId('merchant')} as comercio_id,
    (lpad(to_hex(ms), 12, '0') || '7' || substr(noise, 1, 3) || 'a' || substr(noise, 4, 15))::uuid as id,
    number::text || ${luhnDigit('number')} as guia,
    case when n % 10 < 8 then 'pedido-' || n end as external_ref,
    case when chance < 0.0005 then 'devuelto' when chance < 0.0205 then 'en_camino_a_recoger'
      when chance < 0.07 then 'aceptado' when chance < 0.15 then 'recogido' else 'entregado' end as estado,
    'Destinataria ' || n as destinatario,
    case when n % 20 = 0 then '${FREQUENT_PHONE}' else '+502' || 30000000 + n * 7919 % 30000000 end as telefono,
    n % 200 || 'a calle 45-' || n % 99 || ', apartamento 301' as direccion,
    'Guatemala' as departamento, 'Mixco' as municipio,
    case when n % 3 = 0 then 'Frente al parque central' end as referencia,
    'Ropa y accesorios' as contenido,
    case when n % 4 = 0 then 'Llamar antes de llegar' end as notas,
    n % 3 * 450.5 as cod_amount,
    n % 5 > 0 as direccion_confirmada,
    case when n % 5 > 0 then 14.5 + chance / 10 end as destino_lat,
    case when n % 5 > 0 then -90.5 - chance / 10 end as destino_lng,
    14.6 + chance / 10 as recogida_lat, -90.6 - chance / 10 as recogida_lng,
    'Bodega central' as recogida_nombre, '7a avenida 12-30, zona 4' as recogida_direccion,
    timestamptz 'epoch' + ms * interval '1 millisecond' as creada_en,
    timestamptz 'epoch' + least(ms + n % 100 * 3600000, now_ms) * interval '1 millisecond' as actualizada_en
  from (
    select n, random() as chance, md5(n || 'guide') as noise, now_ms,
      case when random() < ${SHARE} then ${MERCHANT} else 2 + floor(random() * ${merchants - 1})::int end as merchant,
      10000000000 + n * 7640891587 % 90000000000 as number,
      now_ms - floor(31536000000 * (1 - n / ${rows}::float8))::bigint as ms
    from generate_series(1, ${rows}::bigint) n,
      (select floor(extract(epoch from now()) * 1000)::bigint as now_ms) moment
    offset 0
  ) made`;
