import { foldName } from '../../../platform/validation/text.js';

/** By field: how files of shops head it, folded, the best one first. */
export const HEADINGS: Record<string, string> = {
  external_ref:
    'pedido,orden,numero de pedido,numero de orden,no. pedido,no. orden,# pedido,# orden,num pedido,id pedido,referencia de pedido,order,order number,order id,folio,# de venta,id order,order no.,order #,numero de venta,codigo de pedido,referencia del pedido,order name,nro pedido,nro de pedido',
  nombre:
    'cliente,destinatario,nombre del cliente,nombre cliente,nombre completo,nombre del destinatario,recibe,shipping name,nombre para el envio,receiver name,customer,nombre y apellido,contacto,name,recipient,recipient name,shipping first name,first name,firstname,nombres,primer nombre,customer name,customer first name,client name,nombre del comprador,comprador,buyer,buyer name,billing name,billing first name',
  telefono:
    'telefono,celular,whatsapp,tel,cel,movil,numero de telefono,telefono del cliente,telefono cliente,phone,telefono para el envio,shipping phone,phone number,phone mobile,mobile,customer phone,telefono del comprador,billing phone,telefono movil,telefono celular,numero de celular,numero celular,numero de whatsapp',
  direccion:
    'direccion,direccion de entrega,direccion completa,domicilio,shipping street,shipping address1,shipping address 1,shipping address,shipping address 1&2,address,address1,address 1,street,calle,delivery address,direccion 1,direccion linea 1,billing address 1,billing address 1&2,billing street',
  municipio: 'municipio,ciudad,muni,shipping city,city,canton,alcaldia,localidad,town,poblacion,billing city',
  departamento:
    'departamento,depto,dpto,estado,provincia,shipping province name,shipping province,shipping state,state,provincia o estado,provincia/estado,province,uf,billing state',
  referencia: 'referencia,punto de referencia,referencias,senas,shipping address2',
  cod_amount:
    'total a cobrar,monto a cobrar,por cobrar,cobrar,cobro,outstanding balance,balance due,amount due,total por cobrar,monto por cobrar,valor a cobrar,valor por cobrar,importe a cobrar,importe por cobrar,total a recaudar,valor a recaudar,recaudo,valor recaudo,monto pendiente,total pendiente,importe pendiente,valor pendiente,saldo pendiente,pendiente de pago,pendiente de cobro,saldo,resta,restante,faltante,balance,total a pagar,cash on delivery,contra entrega,contraentrega,total,monto,valor,importe,order total,order total amount,total amount,grand total,total value,total price,total order,total orden,total de la orden,total del pedido,total pedido,importe total del pedido,importe total,monto total,valor total,precio total,total de la venta,total general,total paid,total paid tax incl,payment value,order amount,amount,cod,cod amount,monto cod,valor cod,recaudo cod,a cobrar,cobro total,cantidad a cobrar,efectivo a cobrar,collect amount,cash to collect,amount to collect,total due,por pagar,total pagar,total compra,total de compra,total de la compra,total factura,total final,valor pedido,valor del pedido,monto pedido,monto del pedido',
  contenido:
    'contenido,producto,productos,articulo,articulos,descripcion,lineitem name,nombre del producto,item name,product name,sku name',
  notas: 'notas,nota,observaciones,comentarios,notes,customer note,notas del comprador,nota del cliente',
  maps_url: 'ubicacion,enlace de mapa,link de ubicacion,enlace,mapa,link,google maps,maps',
  lat: 'latitud',
  lng: 'longitud',
};

/** A field that a heading names, and how well: 1 is best. */
export interface Named {
  campo: string;
  rank: number;
}

const namedBy = (headings: Record<string, string>): ReadonlyMap<string, Named> =>
  new Map(
    Object.entries(headings).flatMap(([campo, names]) =>
      names.split(',').map((name, rank) => [name, { campo, rank: rank + 1 }] as const),
    ),
  );

export const NAMED = namedBy(HEADINGS);

/** Shopify's export names the order by `Name`, and each person as who ships and who is billed. */
export const SHOPIFY = namedBy({
  external_ref: 'name',
  nombre: 'shipping name,billing name',
  telefono: 'shipping phone,phone,billing phone',
  direccion: 'shipping street,shipping address1',
  referencia: 'shipping address2',
  municipio: 'shipping city,billing city',
  departamento: 'shipping province name,shipping province,billing province name',
  cod_amount: 'outstanding balance,total',
  contenido: 'lineitem name',
  notas: 'notes',
});

/** Whose a heading is of that is not the recipient's, or what is no value of a field. */
const OF_OTHERS =
  /\b(?:vendedor\w*|tienda|origen|recogida|recoleccion|retiro|pickup|sender|negocio|remitente|remite|asesor\w*|piloto|mensajero|repartidor|sucursal|bodega|empresa|usuario|facturacion|billing|correo|email|mail|fecha|date|hora|estado|status|estatus|tipo|forma|metodo|medio|codigo|code|id|nit|dpi|imagen|foto|url|alterno|alternativo|secundario|otro|emergencia|fijo|casa)\b/;

/** By field: the words that name it in a longer heading, the first that fits. */
const WORDS: readonly (readonly [campo: string, words: RegExp, not?: RegExp])[] = [
  [
    'external_ref',
    /(?:\b(?:no|num|numero|nro|id|codigo|number)\b|[#°º]).{0,12}\b(?:pedido|orden|order|venta)\b|\b(?:pedido|orden|order|venta)\b.{0,4}(?:\b(?:no|num|numero|nro|id|number)\b|#)/,
    /\b(?:pedidos|ordenes|estado|telefono|tel|cel)\b/,
  ],
  [
    'telefono',
    /\b(?:cel|celular|tel|telefono|telefonico|fono|whats ?app|whats|wsp|wpp|movil|phone|mobile)\b/,
    OF_OTHERS,
  ],
  [
    'cod_amount',
    /\b(?:cobrar|cobro|cod|total|monto|saldo|collect)\b/,
    /\b(?:sub|parcial|envios?|shipping|descuento|discount|iva|tax|impuestos?|cantidad|unidades|piezas|pares|kg|kilos|libras|paquetes|bultos|puntos|dias|declarado|asegurado|seguro|anterior|favor|productos|articulos|items|peso|pagado|abonado|anticipo|costo|ganancia|utilidad|comision|metodo|forma|estado|fecha|pago|pagos|payment|paid)\b/,
  ],
  [
    'maps_url',
    /\b(?:ubicacion|mapa|maps|google maps|pin|waze|coordenadas)\b/,
    /\b(?:recogida|recoleccion|origen|tienda|bodega)\b/,
  ],
  [
    'departamento',
    /\b(?:depto|dpto|departamento|provincia)\b/,
    // Both in one cell are read as the town.
    new RegExp(`${OF_OTHERS.source}|\\b(?:muni|municipio|ciudad)\\b`),
  ],
  ['municipio', /\b(?:muni|municipio|ciudad|city|comuna|localidad)\b/, OF_OTHERS],
  [
    'direccion',
    /\b(?:direccion|domicilio|address|dir)\b/,
    /\b(?:facturacion|billing|correo|email|mail|ip|tienda|remitente|recogida|bodega|sucursal|fiscal|numero|tipo|vendedor\w*)\b/,
  ],
  ['referencia', /\b(?:punto de referencia|referencias? (?:de|del|para)|senas)\b/, OF_OTHERS],
  [
    'contenido',
    /\b(?:lleva|productos?|articulos?|contenido|mercaderia|detalle del pedido|prendas?)\b/,
    /\b(?:cantidad|precio|costo|total|codigo|sku|id|no|numero|talla|color|valor|monto)\b/,
  ],
  [
    'nombre',
    /\b(?:clienta?|destinatari[oa]|nombre|recibe|compradora?|customer|recipient)\b/,
    new RegExp(
      `${OF_OTHERS.source}|\\b(?:producto|articulo|archivo|apellidos?|no|num|numero|telefono|notas?|ruta)\\b`,
    ),
  ],
  ['notas', /\b(?:notas?|observacion(?:es)?|comentarios?|indicaciones|instrucciones)\b/, OF_OTHERS],
];

/** Ranks of headings that are known by a word of theirs begin here: a heading that is known as a whole is better. */
const BY_WORD = 300;

/** The field that a heading names by one of its words. @param key as `headingKey` returns it. */
export function namedByWord(key: string): Named | undefined {
  const at = WORDS.findIndex(([, words, not]) => words.test(key) && !not?.test(key));
  return at < 0 ? undefined : { campo: WORDS[at]![0], rank: BY_WORD + at };
}

/** Fields whose text may stand in several columns; the parts follow the field's own column. */
export const PARTS: Record<'nombre' | 'direccion', readonly string[]> = {
  nombre: ['nombre_2', 'nombre_3'],
  direccion: ['direccion_2', 'direccion_3', 'direccion_4', 'direccion_5'],
};

const LAST_NAMES = new Set(
  'apellido,apellidos,last name,lastname,surname,segundo nombre,primer apellido,segundo apellido,apellido paterno,apellido materno,apellido 1,apellido 2,apellido del cliente,apellidos del cliente,apellido cliente,apellidos cliente,customer last name,client last name,middle name,family name'.split(
    ',',
  ),
);
const HOUSE = new Set(
  'numero exterior,no exterior,no. exterior,num exterior,numero ext,no. ext,numero de casa,no. de casa,no. casa,casa,nro de casa,house number,street number,numero interior,no interior,no. interior,interior,num interior,altura,piso,apto,apartamento,complemento,complement,address 2,address2,direccion 2,linea 2,direccion linea 2,street 2,colonia,barrio,neighborhood,sector,urbanizacion,residencial,zona,torre,edificio,bloque,manzana,lote,piso/depto'.split(
    ',',
  ),
);

const NUMBER = /^(?:numero|nro\.?|no\.?|num\.?|number|#|n°|nº)$/;

/** Whether a heading is a number of anything, as of a house. */
export const isNumber = (key: string): boolean => NUMBER.test(key);

/** The field that a heading continues: a last name, or what follows a street. @param keys of all headings. */
export function partOf(key: string, keys: readonly string[]): 'nombre' | 'direccion' | undefined {
  const [, whose, what = key] = /^(shipping|billing) (.+)$/.exec(key) ?? [];
  // Of who is billed only where nobody else receives.
  if (whose === 'billing' && keys.some((one) => /^shipping (?:first name|address 1)/.test(one)))
    return undefined;
  if (LAST_NAMES.has(what)) return 'nombre';
  // Shopify's second line is the landmark.
  return HOUSE.has(what) && key !== 'shipping address2' ? 'direccion' : undefined;
}

/** Exports of shops whose columns are known. */
export type Kind = 'shopify' | 'woocommerce' | 'tiendanube' | 'mercadolibre' | 'vtex' | 'prestashop';

/** Headings that tell an export, all of them. */
const KINDS: readonly (readonly [Kind, ...string[]])[] = [
  ['shopify', 'name', 'lineitem name'],
  ['woocommerce', 'shipping first name'],
  ['woocommerce', 'billing first name'],
  ['tiendanube', 'estado del pago', 'estado del envio'],
  ['mercadolibre', '# de venta'],
  ['vtex', 'client name', 'payment system name'],
  ['prestashop', 'nuevo cliente', 'pago'],
  ['prestashop', 'total paid', 'current state'],
];

export function kindOf(header: readonly string[]): Kind | undefined {
  const keys = new Set(header.map(headingKey));
  return KINDS.find(([, ...needed]) => needed.every((key) => keys.has(key)))?.[0];
}

/** Whether the platform takes the money of each order before it is sent. */
export const isPaidByPlatform = (header: readonly string[]): boolean => kindOf(header) === 'mercadolibre';

/** A currency that a heading names: `Total (USD)`. */
const CURRENCY = /(?:\(([A-Z]{3})\)|[\s_-](USD|GTQ|MXN|HNL|NIO|CRC|PAB|DOP|BZD|COP|CLP|ARS|PEN|EUR))$/;

export function currencyIn(heading: string): string | undefined {
  const [, inside, after] = CURRENCY.exec(heading.trim()) ?? [];
  return inside ?? after;
}

/** Spanish names of what plugins of WooCommerce export. */
const OF_PLUGINS: Record<string, string> = {
  nombre: 'first name',
  apellido: 'last name',
  apellidos: 'last name',
  'direccion lineas 1 y 2': 'address 1&2',
  direccion: 'address 1',
  'direccion 1': 'address 1',
  'direccion 2': 'address 2',
  ciudad: 'city',
  telefono: 'phone',
  'state code': 'state',
  'state name': 'state',
  provincia: 'state',
  estado: 'state',
  'codigo de provincia': 'state',
};

const SHIPS = 'shipping|envio|entrega';
const WHOSE = new RegExp(`^(.{1,200}) \\((?:(${SHIPS})|billing|facturacion)\\)$`);
const WHOSE_FIRST = new RegExp(
  `^(nombre|apellidos?|direccion|ciudad|telefono) (?:de|del|para el|para) (?:(${SHIPS})|facturacion)$`,
);

/** `orderTotal` as the two words that it is; `WhatsApp` is one. */
function inWords(heading: string): string {
  if (!/^[\p{L}\d]+$/u.test(heading) || NAMED.has(foldName(heading))) return heading;
  return heading.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').replace(/(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

/** How a heading is compared: without case, accents, its currency, and the blanks and marks that people write. */
export function headingKey(heading: string): string {
  const whole = heading.slice(0, 100).trim();
  const bare = currencyIn(whole) === undefined ? whole : whole.replace(CURRENCY, '');
  const key = foldName(inWords(bare))
    .replace(/[\s_]{1,100}/g, ' ')
    .replace(/[:*¿?¡!]/g, '')
    .trim();
  const [, what, ships] = WHOSE.exec(key) ?? (NAMED.has(key) ? [] : (WHOSE_FIRST.exec(key) ?? []));
  if (what === undefined) return key;
  return `${ships === undefined ? 'billing' : 'shipping'} ${OF_PLUGINS[what] ?? what}`;
}
