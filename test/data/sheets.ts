/**
 * Invented sheets of shops: what it is, how its cells are separated (or `xlsx`), its lines with cells between `|`, how many of its
 * rows are good orders, and the first of these as its guide must be: phone, name, amount, municipality.
 */
export type SheetRow = [
  what: string,
  as: ',' | ';' | '\t' | 'xlsx',
  text: string,
  good: number,
  first: string,
];

const OWN =
  'No. Pedido|Cliente|Cel / WhatsApp|Depto.|Muni|Dirección de entrega|Qué lleva|Total a cobrar|Ubicación|Vendedora';
const rows = (from: number, count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => of(from + i)).join('\n');
const own = (n: number, amount = `${100 + n}.00`) =>
  `P-${n}|Ana López|5551 ${1000 + n}|Guatemala|Mixco|${n}a calle 5-10 zona 1|2 blusas|${amount}||Karla`;
const phone = (n: number) => `5551${1000 + n}`;

/** Of Spanish headings, as shops write them. */
const OWN_SHEETS: SheetRow[] = [
  [
    'with a title, a blank line and a total',
    ';',
    `PEDIDOS DE NOVIEMBRE|||||||||\n\n${OWN}\n${rows(1, 8, own)}\nTOTAL|||||||836.00||`,
    8,
    '55511001|Ana López|101|Mixco',
  ],
  [
    'the same as a workbook',
    'xlsx',
    `PEDIDOS DE NOVIEMBRE\n\n${OWN.replace('Cel / WhatsApp', 'Celular')}\n${rows(1, 8, own)}\nTOTAL|||||||836`,
    8,
    '55511001|Ana López|101|Mixco',
  ],
  [
    'with pagado, - and gratis among the amounts',
    ';',
    `${OWN}\n${rows(1, 5, own)}\n${own(6, 'pagado')}\n${own(7, '-')}\n${own(8, 'gratis')}\n${own(9).replace('5551 1009', '')}`,
    8,
    '55511001|Ana López|101|Mixco',
  ],
  [
    'with amounts with their currency',
    ';',
    `${OWN}\n${rows(1, 4, (n) => own(n, `Q ${n},250.00`))}`,
    4,
    '55511001|Ana López|1250|Mixco',
  ],
  [
    'with the heading twice, as of two pages',
    ',',
    `${OWN}\n${rows(1, 3, own)}\n${OWN}\n${rows(4, 3, own)}`,
    6,
    '55511001|Ana López|101|Mixco',
  ],
  [
    'with a day between its orders',
    ';',
    `${OWN}\nLUNES 23|||||||||\n${rows(1, 3, own)}\nMARTES 24|||||||||\n${rows(4, 3, own)}`,
    6,
    '55511001|Ana López|101|Mixco',
  ],
  [
    'short headings',
    ',',
    `orden|nombre|cel|depto|muni|dir|lleva|cobrar\n${rows(1, 5, (n) => `O-${n}|Eva Paz|${phone(n)}|Sacatepéquez|Jocotenango|zona ${n}|1 gorra|${60 + n}`)}`,
    5,
    '55511001|Eva Paz|61|Jocotenango',
  ],
  [
    'headings of many words',
    '\t',
    `Número de pedido|Nombre de la clienta|Teléfono de contacto|Departamento de entrega|Municipio de entrega|Dirección exacta|Producto que lleva|Monto total a cobrar\n${rows(1, 5, (n) => `O-${n}|Eva Paz|${phone(n)}|Sacatepéquez|Jocotenango|zona ${n}|1 gorra|${60 + n}`)}`,
    5,
    '55511001|Eva Paz|61|Jocotenango',
  ],
  [
    'whatsapp and a second phone',
    ';',
    `Cliente|WhatsApp|Tel. alterno|Ciudad|Dirección|Total\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|2233${1000 + n}|Mixco|zona ${n}|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'names of places as they are spoken',
    ';',
    `Cliente|Celular|Municipio|Dirección|Total\nEva Paz|55511001|Xela|zona 3|61\nAna Us|55511002|la capital|zona 10|62\nLuz Tot|55511003|Huehue|zona 1|63\nMía Ixc|55511004|Cobán|zona 2|64`,
    4,
    '55511001|Eva Paz|61|Quetzaltenango',
  ],
  [
    'town and department in one cell',
    ',',
    `Cliente|Celular|Ciudad|Dirección|Total\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco, Guatemala|zona ${n}|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'first and last name apart, street and number too',
    ',',
    `Pedido|Nombre|Apellido|Teléfono|Municipio|Calle|Número|Total\n${rows(1, 4, (n) => `O-${n}|Eva|Paz|${phone(n)}|Mixco|${n}a calle|5-1${n}|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'phones with their country',
    ',',
    `Cliente|Tel|Muni|Total\n${rows(1, 4, (n) => `Eva Paz|+502 ${phone(n)}|Mixco|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'links to the map',
    ';',
    `Cliente|Tel|Muni|Total|Pin de ubicación\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco|${60 + n}|https://maps.google.com/?q=14.64,-90.5${n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'columns without a known heading',
    ';',
    `Quién|Dónde llamar|Lugar|Total a cobrar\n${rows(1, 6, (n) => `${['Eva', 'Ana', 'Luz', 'Mía', 'Sol', 'Ema'][n - 1]} Paz|${phone(n)}|Mixco|${60 + n}`)}`,
    6,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'no headings at all',
    ',',
    rows(1, 4, (n) => `${['Eva', 'Ana', 'Luz', 'Mía'][n - 1]} Paz|${phone(n)}|Mixco|zona ${n}`),
    4,
    '55511001|Eva Paz|0|Mixco',
  ],
  [
    'a number and a blank column first',
    ',',
    `#||Cliente|Tel|Muni|Total\n${rows(1, 4, (n) => `${n}||Eva Paz|${phone(n)}|Mixco|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'totals in several lines',
    'xlsx',
    `Cliente|Tel|Muni|Total\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco|${60 + n}`)}\n|||250\nGran total|||250\nSuma:|||4`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'who exported it above',
    'xlsx',
    `Tienda Jacaranda\nReporte de pedidos\n27/11/2026\n\nCliente|Tel|Muni|Total\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'decimal commas',
    ';',
    `Cliente|Tel|Muni|Total\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco|${60 + n},50`)}`,
    4,
    '55511001|Eva Paz|61.50|Mixco',
  ],
  [
    'department and town in one cell, and a zone',
    ',',
    `Cliente|Cel|Departamento / Municipio|Dirección|Zona|Qué lleva?|Cobro\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Guatemala / Mixco|${n}a calle|4|blusa|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'where it comes from, too',
    ',',
    `Guía|Remitente|Ciudad origen|Destinatario|Ciudad destino|Tel destinatario|Monto COD|Peso (lb)\n${rows(1, 4, (n) => `|Tienda|Guatemala|Eva Paz|Mixco|${phone(n)}|${60 + n}|2`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
];

/** Of payments. */
const PAYMENTS: SheetRow[] = [
  [
    'paid and to be paid',
    ',',
    `Pedido|Cliente|Teléfono|Municipio|Total|Forma de pago|Estado de pago\n${rows(1, 2, (n) => `O-${n}|Eva Paz|${phone(n)}|Mixco|${60 + n}|Tarjeta|Pagado`)}\nO-3|Eva Paz|55511003|Mixco|63|Contra entrega|Pendiente`,
    3,
    '55511001|Eva Paz|0|Mixco',
  ],
  [
    'cancelado of a payment',
    ',',
    `Pedido|Cliente|Teléfono|Municipio|Total|Pago\n${rows(1, 2, (n) => `O-${n}|Eva Paz|${phone(n)}|Mixco|${60 + n}|Cancelado`)}`,
    2,
    '55511001|Eva Paz|0|Mixco',
  ],
  [
    'cancelado of an order',
    ',',
    `Pedido|Cliente|Teléfono|Municipio|Total|Estado del pedido\nO-1|Eva Paz|55511001|Mixco|61|Confirmado\nO-2|Eva Paz|55511002|Mixco|62|Cancelado`,
    1,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'what is left to pay',
    ';',
    `Cliente|Tel|Muni|Total|Anticipo|Saldo\n${rows(1, 3, (n) => `Eva Paz|${phone(n)}|Mixco|${160 + n}|100|${60 + n}`)}`,
    3,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'vendors, who are no recipients',
    ';',
    `Vendedora|Cliente|Tel de la vendedora|Cel cliente|Muni|Total\n${rows(1, 3, (n) => `Karla Ruiz|Eva Paz|40001000|${phone(n)}|Mixco|${60 + n}`)}`,
    3,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'the price, the shipping and the total',
    ',',
    `Cliente|Tel|Muni|Precio|Envío|Total\n${rows(1, 3, (n) => `Eva Paz|${phone(n)}|Mixco|${35 + n}|25|${60 + n}`)}`,
    3,
    '55511001|Eva Paz|61|Mixco',
  ],
];

/** As shops' systems export them. */
const EXPORTS: SheetRow[] = [
  [
    'Shopify',
    ',',
    `Name|Email|Financial Status|Currency|Total|Lineitem quantity|Lineitem name|Shipping Name|Shipping Street|Shipping City|Shipping Phone|Shipping Province Name|Outstanding Balance\n${rows(1, 4, (n) => `#${n}|a@example.com|pending|GTQ|${60 + n}.00|1|Blusa|Eva Paz|${n}a calle|Mixco|${phone(n)}|Guatemala|${60 + n}.00`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'Shopify with paid orders',
    ',',
    `Name|Financial Status|Currency|Total|Lineitem name|Shipping Name|Shipping Street|Shipping City|Shipping Phone|Outstanding Balance\n${rows(1, 4, (n) => `#${n}|paid|GTQ|${60 + n}.00|Blusa|Eva Paz|${n}a calle|Mixco|${phone(n)}|0.00`)}`,
    4,
    '55511001|Eva Paz|0|Mixco',
  ],
  [
    'Shopify as a workbook',
    'xlsx',
    `Name|Financial Status|Currency|Total|Lineitem name|Shipping Name|Shipping Street|Shipping City|Shipping Phone|Outstanding Balance\n${rows(1, 4, (n) => `#${n}|pending|GTQ|${60 + n}.00|Blusa|Eva Paz|${n}a calle|Mixco|${phone(n)}|${60 + n}.00`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'WooCommerce',
    ',',
    `order_number|status|order_total|order_currency|payment_method|billing_first_name|billing_last_name|billing_phone|shipping_first_name|shipping_last_name|shipping_address_1|shipping_city|shipping_state\n${rows(1, 4, (n) => `${n}|processing|${60 + n}.00|GTQ|cod|Eva|Paz|${phone(n)}|Eva|Paz|${n}a calle|Mixco|GU`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'WooCommerce of who pays alone',
    ',',
    `order_number|status|order_total|payment_method|billing_first_name|billing_last_name|billing_phone|billing_address_1|billing_city|billing_state\n${rows(1, 4, (n) => `${n}|processing|${60 + n}.00|cod|Eva|Paz|${phone(n)}|${n}a calle|Mixco|GT-GU`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'WooCommerce in Spanish',
    ';',
    `Número de pedido|Estado del pedido|Importe total del pedido|Título del método de pago|Nombre (Facturación)|Apellidos (Facturación)|Teléfono (facturación)|Dirección líneas 1 y 2 (envío)|Ciudad (envío)|Nombre (envío)|Apellidos (envío)\n${rows(1, 4, (n) => `${n}|Procesando|${60 + n}.00|Contra reembolso|Eva|Paz|${phone(n)}|${n}a calle|Mixco|Eva|Paz`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'TiendaNube',
    ';',
    `Número de orden|Email|Estado de la orden|Estado del pago|Estado del envío|Moneda|Total|Nombre del comprador|Teléfono|Nombre para el envío|Teléfono para el envío|Dirección|Ciudad|Medio de pago\n${rows(1, 4, (n) => `${n}|a@example.com|Abierta|Pendiente|No está empaquetado|GTQ|${60 + n}.00|Eva Paz|${phone(n)}|Eva Paz|${phone(n)}|${n}a calle|Mixco|Contra entrega`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'TiendaNube with paid orders',
    ';',
    `Número de orden|Estado de la orden|Estado del pago|Estado del envío|Moneda|Total|Nombre para el envío|Teléfono para el envío|Dirección|Ciudad|Medio de pago\n${rows(1, 4, (n) => `${n}|Abierta|Recibido|No está empaquetado|GTQ|${60 + n}.00|Eva Paz|${phone(n)}|${n}a calle|Mixco|Tarjeta`)}`,
    4,
    '55511001|Eva Paz|0|Mixco',
  ],
  [
    'an order list in English',
    ',',
    `Order|Customer|Phone|City|Address|Order Total\n${rows(1, 4, (n) => `OT-${n}|Eva Paz|${phone(n)}|Mixco|${n}a calle|${60 + n}.00`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'an order list in English, of more words',
    ',',
    `Order No|Customer full name|Customer mobile number|Delivery city|Delivery address line|Amount to collect\n${rows(1, 4, (n) => `OT-${n}|Eva Paz|${phone(n)}|Mixco|${n}a calle|${60 + n}.00`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'a form of Google',
    ',',
    `Marca temporal|Nombre completo|Número de WhatsApp|Municipio y departamento|Dirección completa|¿Qué producto lleva?|Total\n${rows(1, 4, (n) => `27/11/2026 10:0${n}:00|Eva Paz|${phone(n)}|Mixco, Guatemala|${n}a calle|Blusa|${60 + n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'our own template',
    ';',
    `telefono|nombre|departamento|municipio|direccion|cod_amount|external_ref\n${rows(1, 4, (n) => `${phone(n)}|Eva Paz|Guatemala|Mixco|${n}a calle|${60 + n}|T-${n}`)}`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
  [
    'cells that say what they have',
    ',',
    `Cliente|Tel|Muni|Total\n${rows(1, 4, (n) => `"Paz, Eva ${n}"|"${phone(n)}"|Mixco|"${60 + n}.00"`)}`,
    4,
    '55511001|Paz, Eva 1|61|Mixco',
  ],
  [
    'empty columns and lines at its end',
    ';',
    `Cliente|Tel|Muni|Total||||\n${rows(1, 4, (n) => `Eva Paz|${phone(n)}|Mixco|${60 + n}||||`)}\n|||||||\n|||||||`,
    4,
    '55511001|Eva Paz|61|Mixco',
  ],
];

export const SHEETS: readonly SheetRow[] = [...OWN_SHEETS, ...PAYMENTS, ...EXPORTS];
