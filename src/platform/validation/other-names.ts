/**
 * Names that callers know from our answers, from other services and from spreadsheets, beside the names that requests have
 * here. All of a row's own names that a request has are meant; of two rows with a name, the first whose own names it has.
 */
const ROWS: [ours: string, others: string][] = [
  ['telefono', 'phone phone_number tel cel celular movil mobile whatsapp numero telefono_destinatario'],
  [
    'nombre',
    'name full_name nombre_completo destinatario nombre_destinatario recipient recipient_name cliente',
  ],
  ['nombre', 'nombre_cliente customer customer_name contacto'],
  ['estado', 'status state estados'],
  ['departamento', 'department depto state province provincia region'],
  ['municipio', 'municipality city ciudad town localidad canton distrito comuna'],
  [
    'direccion',
    'address address1 street calle domicilio direccion_destino direccion_entrega shipping_address',
  ],
  ['referencia', 'landmark punto_de_referencia punto_referencia indicaciones'],
  ['motivo', 'reason razon causa'],
  ['nota', 'motivo reason razon causa comentario'],
  ['notas', 'notes comment comments comentario comentarios observacion observaciones instrucciones'],
  ['contenido', 'content contents description descripcion producto productos items articulos paquete'],
  ['descripcion', 'description name nombre'],
  [
    'cod_amount',
    'cod cod_monto monto amount cobro por_cobrar monto_por_cobrar valor_por_cobrar contra_entrega',
  ],
  ['cod_cobrado', 'cobrado monto_cobrado collected amount_collected cod_amount'],
  ['pago', 'forma_pago forma_de_pago metodo_pago metodo_de_pago payment payment_method paid_by'],
  ['ref', 'external_ref reference idempotency_key'],
  ['external_ref', 'ref reference reference_id order order_id order_number pedido numero_pedido orden'],
  [
    'external_ref',
    'numero_de_pedido n_de_pedido id_externo external_id referencia_externa referencia idempotency_key',
  ],
  ['recogida.lat', 'recogida_latitud recogida_latitude pickup_lat pickup_latitude origen_lat lat_recogida'],
  [
    'recogida.lng',
    'recogida_longitud recogida_lon recogida_longitude pickup_lng pickup_lon pickup_longitude',
  ],
  ['recogida.lng', 'origen_lng lng_recogida'],
  [
    'recogida.lat recogida.lng recogida.maps_url',
    'recogida pickup pickup_location origen origin remitente sender',
  ],
  [
    'recogida',
    'pickup pickup_lat pickup_lng pickup_location punto_de_recogida origen origin remitente sender',
  ],
  ['lat', 'latitude latitud y destino_lat destino_latitud'],
  ['lng', 'longitude longitud lon long x destino_lng destino_lon destino_longitud'],
  [
    'maps_url',
    'map mapa maps url link enlace enlace_mapa google_maps map_url ubicacion location destino_maps_url',
  ],
  ['lat lng maps_url', 'destino destination coordenadas coordinates coords punto point geo'],
  ['cursor', 'page pagina offset skip after page_token next_page next_cursor siguiente siguiente_cursor'],
  ['limit', 'limite page_size per_page size count max top'],
  ['tamano', 'size'],
  ['formato', 'format type tipo'],
  ['desde', 'from since start start_date inicio fecha_inicio fecha_desde created_after'],
  ['hasta', 'to until end end_date fin fecha_fin fecha_hasta created_before'],
  ['actualizada_desde', 'updated_since updated_after modified_since actualizada_en'],
  ['zona', 'timezone time_zone tz huso zona_horaria'],
  ['advertencia', 'warning warnings advertencias alerta'],
  ['guia', 'tracking tracking_number numero numero_guia guide'],
  ['recibio', 'received_by recibido_por'],
  ['comercio', 'merchant merchant_id comercio_id'],
  ['url', 'endpoint callback callback_url webhook_url enlace link'],
  ['eventos', 'events event_types topics'],
];

/** Letters of a name that are compared. */
const MAX_LETTERS = 50;

const byOther = new Map<string, string[][]>();
for (const [ours, others] of ROWS)
  for (const other of others.split(' ')) {
    const key = squashed(other);
    byOther.set(key, [...(byOther.get(key) ?? []), ours.split(' ')]);
  }

/** Finds the names that a request has for names that it has not. */
export class NamesHere {
  private readonly bySquashed: ReadonlyMap<string, string>;

  /** @param accepted names of the request. */
  constructor(private readonly accepted: readonly string[]) {
    this.bySquashed = new Map(accepted.map((name) => [squashed(name), name]));
  }

  /** The names by which a request has what is called `name` elsewhere, or is written in another way; none if unknown. */
  of(name: string): readonly string[] {
    if (name.length > MAX_LETTERS) return [];
    const key = squashed(name);
    const same = this.bySquashed.get(key);
    if (same !== undefined) return [same];
    return byOther.get(key)?.find((ours) => ours.every((one) => this.accepted.includes(one))) ?? [];
  }
}

/** `orderId`, `Order ID` and `order-id` are one name. */
function squashed(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}
