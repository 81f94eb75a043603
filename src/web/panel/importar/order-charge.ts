import type { Merchant } from '../../../auth/merchants/merchant.js';
import { isCurrency, plainAmount } from '../../../guias/lote/amount-text.js';
import { cellText, toNumber, type Separator } from '../../../guias/lote/csv-cells.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { currencyIn, headingKey, isPaidByPlatform } from './headings.js';
import { isPaidNote, methodIn, saidOfOrder, saidOfPayment, yesOrNo } from './order-words.js';

/** The money of a row's order as its file has it, beside the amount. */
export type Charge =
  | { kind: 'cobrar' }
  /** Paid, paid back, or held on a card: nothing is to be collected. */
  | { kind: 'pagado' }
  | { kind: 'cancelado'; valor: string }
  /** It is not sure how much is to be collected. */
  | { kind: 'preguntar'; motivo: string };

type Role = keyof typeof ROLES;

/** Headings that say something of an order's money, by what they say. */
const ROLES = {
  pago: 'financial status,payment status,payment state,estado de pago,estado del pago,estado pago,status de pago,status del pago,status pago,estatus de pago,estatus del pago,estatus pago,situacion de pago,situacion del pago,condicion de pago,estado financiero,pagado,pagada,paid,is paid,ya pago,esta pagado,pago confirmado,pago recibido,pago realizado',
  pagoOMetodo: 'pago,payment,pagos',
  orden:
    'status,order status,order state,estado del pedido,estado de pedido,estado de la orden,estado de orden,estado pedido,estado orden,status del pedido,status pedido,status de la orden,estatus del pedido,estatus de la orden,estado de la venta,estado de venta,estado de la compra,descripcion del estado,situacion del pedido,current state,osname,order state name',
  estado: 'estado,estatus,situacion,state,estado actual',
  metodo:
    'payment method,payment method title,forma de pago,metodo de pago,medio de pago,tipo de pago,modo de pago,payment gateway,payment system name,payment type,titulo del metodo de pago,gateway,metodo pago,forma pago,medios de pago,condiciones de pago,metodo,medio',
  cancelada:
    'cancelled at,canceled at,cancelado en,cancelada en,cancelled date,fecha de cancelacion,fecha y hora de cancelacion,cancel reason,motivo de cancelacion',
  pagadaEn: 'paid at,paid date,date paid,payment date,fecha de pago,fecha del pago,fecha pago,pagado en',
  pagadoMonto:
    'anticipo,abono,adelanto,deposito,sena,senal,enganche,abonos,pagos recibidos,ya pagado,prepayment,down payment,advance,advance payment,monto pagado,importe pagado,total pagado,valor pagado,amount paid,paid amount,deposit,deposit amount,total paid real,pagado a la fecha,abonado',
  devuelto:
    'refunded amount,order refund amount,order refund total,refund amount,total refunded,monto reembolsado,importe reembolsado,importe del reembolso del pedido,anulaciones y reembolsos,amount refunded,refund,reembolso,reembolsado,reembolsada,refunded,devuelto,devuelta,monto devuelto,fecha de reembolso,fecha reembolso,refunded at,refund date',
  moneda:
    'currency,moneda,divisa,order currency,currency code,codigo de moneda,tipo de moneda,moneda del pedido,moneda de pago,payment currency,presentment currency,currency iso code',
  envio: 'estado del envio,estado de envio,shipping status,fulfillment status',
  contraEntrega:
    'contra entrega,contraentrega,contra reembolso,contrareembolso,pago contra entrega,cash on delivery,cod,cobrar,cobro,por cobrar,es cod,se cobra',
} as const;

const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  Object.entries(ROLES).flatMap(([role, names]) =>
    names.split(',').map((name): [string, Role] => [name, role as Role]),
  ),
);

/** Meanings of other headings by their words, the first that fits. */
const ROLES_BY_WORD: readonly (readonly [RegExp, Role])[] = [
  [
    /\b(?:estado|status|estatus|state|situacion)\b.{0,40}\b(?:envios?|entrega|despacho|paquete|guia)\b/,
    'envio',
  ],
  [/\b(?:fulfill?ment|delivery|shipping|shipment|tracking)\b.{0,40}\b(?:status|state)\b/, 'envio'],
  [
    /\b(?:estado|status|estatus|state|situacion)\b.{0,40}\b(?:pagos?|cobros?|transaccion|factura|financiero)\b/,
    'pago',
  ],
  // The state of who is billed is a place.
  [
    /\b(?:payment|transaction|invoice|financial|charge)\b.{0,40}\b(?:status|state)\b|^billing status$/,
    'pago',
  ],
  [/^(?:es |is )?(?:pre ?pagad[oa]|pre ?paid|prepago|cobrad[oa]|ya pago|pago (?:en linea|online))$/, 'pago'],
  [/^(?:estado|status|estatus|situacion) (?:de |del )?(?:la )?(?!facturacion)\w+$|^\w+ status$/, 'orden'],
  [/^(?:es |esta |is )?(?:cancelad[oa]|cancell?ed|anulad[oa]|voided)$/, 'cancelada'],
  [/\b(?:fecha|date)\b.{0,40}\b(?:cancel|anula)|\b(?:cancel|void)\w* (?:date|at|on|reason)\b/, 'cancelada'],
  [
    /\b(?:forma|metodo|medio|tipo|modo|canal|pasarela|plataforma|proveedor)\b.{0,40}\b(?:pagos?|cobro)\b|^(?:pasarela|pag(?:o|ado) (?:con|por))$/,
    'metodo',
  ],
  [
    /\bpay(?:ment)? (?:mode|provider|option|channel|processor|method|gateway|type|via)\b|^paid (?:with|via|by)$/,
    'metodo',
  ],
];

const roleOf = (key: string): Role | undefined =>
  ROLE_OF.get(key) ?? ROLES_BY_WORD.find(([words]) => words.test(key))?.[1];

/** Whether a column with this heading is read for what is to be collected, though it is no field of a guide. */
export const decidesCharge = (heading: string): boolean => roleOf(headingKey(heading)) !== undefined;

/** Headings of what is still owed: beside it, a paid part is no question. */
const OWED =
  /^(?:outstanding balance|balance|balance due|amount due|saldo|saldo pendiente|resta|restante|pendiente|pendiente de (?:pago|cobro)|(?:total|monto|valor|importe|cantidad) (?:a cobrar|por cobrar|pendiente|a recaudar)|(?:a|por) cobrar|cobrar|cobro|recaudo|valor recaudo|cod|cod amount|faltante)$/;

export interface ChargedFile {
  header: readonly string[];
  columnas: Texts;
  separador: Separator;
  merchant: Pick<Merchant, 'currency' | 'country'>;
}

/** Reads of each row what its file says of the order's money. */
export function chargeReader({
  header,
  columnas,
  separador,
  merchant: { currency, country },
}: ChargedFile): (cells: readonly string[]) => Charge {
  const roles = header.map((heading, i) => {
    const campo = columnas[i] ?? '';
    return campo === '' || campo === 'cod_amount' ? roleOf(headingKey(heading)) : undefined;
  });
  const amountAt = header.findIndex((_, i) => columnas[i] === 'cod_amount');
  const noteAt = header.findIndex((_, i) => columnas[i] === 'notas');
  const isOwed = amountAt >= 0 && OWED.test(headingKey(header[amountAt]!));
  const ofHeading = currencyIn(header[amountAt] ?? '');
  const isPlatform = isPaidByPlatform(header);

  return (cells) => {
    const textsOf = (...wanted: Role[]) =>
      roles.flatMap((role, i) => {
        const text = role !== undefined && wanted.includes(role) ? cellText(cells[i] ?? '') : undefined;
        return text === undefined ? [] : [text];
      });
    const numberIn = (text: string) => toNumber(plainAmount(text, currency, country), separador);
    const ask = (text: string): Charge => ({
      kind: 'preguntar',
      motivo: `El archivo dice «${text.slice(0, 40)}»`,
    });
    const payments = textsOf('pago', 'pagoOMetodo').filter((text) => numberIn(text) === undefined);
    const said = payments.map((text) => ({ text, said: saidOfPayment(text) }));
    const orders = textsOf('orden', 'estado').map((text) => ({ text, said: saidOfOrder(text) }));
    const bare = textsOf('estado');

    // "Cancelado" under a heading that names neither order nor payment may be either.
    const either = bare.find((text) => /^cancelad[oa]s?$/i.test(text.trim()));
    const ended = [...said, ...orders].find((one) => one.said === 'cancelado' && one.text !== either);
    if (ended) return { kind: 'cancelado', valor: ended.text };
    const [date] = textsOf('cancelada').filter((text) => yesOrNo(text) !== false);
    if (date !== undefined) return { kind: 'cancelado', valor: date };
    if (isPlatform || said.some((one) => one.said === 'pagado')) return { kind: 'pagado' };
    if (either !== undefined) return ask(either);

    const amountText = cellText(cells[amountAt] ?? '');
    const amount = amountText === undefined ? undefined : numberIn(amountText);
    const money = textsOf('moneda').find((text) => !isCurrency(text, currency, country));
    if (money !== undefined) return ask(money);
    if (ofHeading !== undefined && ofHeading !== currency) return ask(ofHeading);

    if (orders.some((one) => one.said === 'pagado')) return { kind: 'pagado' };
    if (textsOf('pagadaEn').some((text) => yesOrNo(text) !== false)) return { kind: 'pagado' };
    const [flag] = textsOf('contraEntrega').map(yesOrNo);
    if (flag === false && !isOwed) return { kind: 'pagado' };
    const doubtful = [...said, ...orders].find((one) => one.said === 'dudoso');
    if (doubtful) return ask(doubtful.text);
    const back = textsOf('devuelto').find((text) => {
      const number = numberIn(text);
      return number === undefined ? yesOrNo(text) !== false : number !== 0;
    });
    if (back !== undefined && !isOwed) return ask(back);
    // What went to its customer in part, or wholly, may still be an order as the others.
    const sent = textsOf('envio').find(
      (text) =>
        /^(?:cancelado|pagado|dudoso)$/.test(saidOfOrder(text) ?? '') &&
        !/parcial|partial|entregad|deliver/i.test(text),
    );
    if (sent !== undefined) return ask(sent);
    const part = [...said, ...orders].find((one) => one.said === 'parcial');
    if (part && !isOwed) return ask(part.text);
    const paid = [...textsOf('pagadoMonto'), ...textsOf('pago')].find(
      (text) => (numberIn(text) ?? 0) > 1 || (numberIn(text) === undefined && /[1-9]/.test(text)),
    );
    if (paid !== undefined && !isOwed) {
      const rest = (amount ?? 0) - (numberIn(paid) ?? 0);
      return rest <= 0 && amount !== undefined ? { kind: 'pagado' } : ask(`${headingOf(paid)}${paid}`);
    }
    const note = cellText(cells[noteAt] ?? '');
    if (note !== undefined && !isOwed && isPaidNote(note)) return ask(note);
    if (said.some((one) => one.said === 'pendiente') || isOwed) return { kind: 'cobrar' };

    const methods = textsOf('metodo', 'pagoOMetodo');
    const isAtDoor = methods.some((text) => methodIn(text) === 'entrega');
    if (isAtDoor) return { kind: 'cobrar' };
    // Some write the state where the method is asked for: "Cancelado", "Ya pagado".
    const before = methods.find(
      (text) =>
        methodIn(text) === 'antes' || /^(?:cancelado|pagado|parcial|dudoso)$/.test(saidOfPayment(text) ?? ''),
    );
    if (before !== undefined)
      return orders.some((one) => one.said === 'enviado') ? { kind: 'pagado' } : ask(before);
    const unknown = said.find((one, i) => one.said === undefined && i < textsOf('pago').length);
    if (unknown) return ask(unknown.text);
    const handled = orders.find((one) => one.said === 'enviado' && /^(?:wc-)?[a-z-]+$/.test(one.text));
    return handled ? ask(handled.text) : { kind: 'cobrar' };

    function headingOf(text: string): string {
      const at = cells.findIndex((cell, i) => roles[i] !== undefined && cellText(cell) === text);
      return at < 0 ? '' : `${header[at]!}: `;
    }
  };
}
