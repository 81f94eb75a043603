import { foldName } from '../../../platform/validation/text.js';

/** State of an order or of its payment by the text of a cell; undefined for an unknown text. */
export type Said = 'cancelado' | 'pagado' | 'parcial' | 'pendiente' | 'enviado' | 'dudoso';

/** A text as its words are compared: without case, accents, and with blanks between them. */
const wordsOf = (text: string): string =>
  foldName(text.slice(0, 120))
    .replace(/[\s_-]{1,120}/g, ' ')
    .trim();

type Words = readonly (readonly [RegExp, Said])[];

const PARTIAL =
  /\bparcial|\bpartial|\bincomplet|\babono\b|\banticipo|\badelanto|\bdeposito parcial|\bmitad\b|\b\d\d? ?%|\bsena\b|\bsenado\b/;
const UNPAID =
  /\bno\b|\bnot\b|\bsin\b|\bfalta|\bpendiente|\bpending\b|\bpor (?:pagar|cobrar|cancelar|confirmar|acreditar)|\bimpag|\bunpaid|\bawaiting|\bespera|\badeud|\bdebe\b|\bdue\b|\bopen\b|\bto be paid|\bowed\b|^(?:se )?cobrar?$|^(?:false|0|n|x no)$/;
const COD =
  /\bcontra ?(?:re)?(?:entrega|embolso)|\bcod\b|\bon delivery|\bal (?:recibir|entregar)|\befectivo|\bcash\b|\bcontado\b/;
const FAILED =
  /\bfail|\bfallid|\brechazad|\breject|\bdeclin|\berror|\bcharge ?back|\bcharged back|\bcontracargo|\bdisput|\breclam|\bfraud|\binvalid|\bsuspendid|\bperdid[oa]\b|\bterminated|\bno procede/;
const REFUNDED =
  /\brefund|\bretornad|\brevers|\brevertid|\breembols|\bdevuelt|\bdevoluc|\breturned\b|\breintegr/;
const PAID =
  /\bpaid\b|\bpre ?paid|\boverpaid|\bpayed\b|\bpre ?pag|\bpagad[oa]s?\b|^(?:gratis|free)\b|\bcortesia|\bregalo|\bcharged\b|\btransferid|\bdepositad|^(?:ya )?pago$|\bpago (?:acept|aprob|acredit|recib|confirm|complet|total|exitos|a distancia acept|verific)|\bpayment (?:accept|approv|receiv|complet|captur)|\bacreditad|\baccredited|\baprobad|\bapproved|\bcaptur|\bcomplet|\bsettled|\bcobrad|\brecibid|\breceived|\bconfirmad|\bliquidad|\bsaldad|\babonad|\bverificad|\bsucce|\bexitos|^(?:si|yes|true|1|s|y|x|ok|✓|✔)$/;
const HELD = /\bauthori[sz]ed|\bautorizad|\breservad|\bretenid|\bheld\b|\bpreautor|\bin escrow/;

/** Of a payment: *cancelado* is paid, *cancelled* is an order that ended. */
const OF_PAYMENT: Words = [
  [/\bvoid|\banulad|\bcancell?ed\b|\bexpir|\bvencid|\babandon/, 'cancelado'],
  [PARTIAL, 'parcial'],
  [REFUNDED, 'pagado'],
  [FAILED, 'dudoso'],
  [UNPAID, 'pendiente'],
  [/\bcancelad[oa]\b/, 'pagado'],
  [HELD, 'pagado'],
  [PAID, 'pagado'],
  [COD, 'pendiente'],
];

const OF_ORDER: Words = [
  [/\bno cancelad|\bpendiente de cancelar/, 'pendiente'],
  // Said of the payment, it may be paid.
  [/\bpago (?:ya )?cancelad|\bcancelad[oa] \(?pago\b/, 'dudoso'],
  [
    /\bcancel|\banulad|\bvoid|\bexpir|\bvencid|\bfailed\b|\bfallid|\btrash|\babandon|\bpapelera|\beliminad|\bdeleted|\bdescartad|\bdesistid|\bdado de baja|\bwithdrawn/,
    'cancelado',
  ],
  [/\bpartially paid|\bpag[oa]\w* parcial|\bparcialmente pagad/, 'parcial'],
  [/\bparcial|\bpartial/, 'dudoso'],
  [REFUNDED, 'pagado'],
  [FAILED, 'dudoso'],
  [UNPAID, 'pendiente'],
  [
    /\bpaid\b|\bpagad[oa]\b|\bpago (?:acept|aprob|recib|confirm|acredit|a distancia acept)|\bpayment (?:accept|approv|receiv)|\bremote payment accepted/,
    'pagado',
  ],
  [HELD, 'pagado'],
  [/^(?:venta )?entregad[oa]\b|^delivered\b|^ya entregad/, 'dudoso'],
  [
    /\bprocess|\bprocesand|\bcomplet|\bhandling|\binvoiced|\bfacturad|\bpreparaci|\bpreparand|\bshipped|\benviad|\blisto para/,
    'enviado',
  ],
];

/** Ways to pay that need no cash at the door. */
const PREPAID =
  /\btarjeta|\bcard\b|\bcredit|\bdebit|\bstripe|\bpaypal|\bppcp|\bmercado ?pago|\bvisa\b|\bmaster ?card|\btransfer|\bdeposit|\bbanco?\b|\bbacs\b|\bbank|\bonline|\ben linea|\bpse\b|\boxxo|\bnequi|\bdaviplata|\bspei|\bwebpay|\bklarna|\bapple pay|\bgoogle pay|\blink de pago|\bvisanet|\bneolink|\brecurrente|\bpagadito|\bpayu|\bwompi|\bkueski|\baddi\b|\bconekta|\bopenpay|\bshopify ?payments|\bwoocommerce payments|\bgift ?card|\bcheque\b|\byape\b|\bplin\b|\bsinpe/;

const saidIn = (words: Words, text: string): Said | undefined =>
  words.find(([pattern]) => pattern.test(text))?.[1];

export const saidOfPayment = (text: string): Said | undefined => saidIn(OF_PAYMENT, wordsOf(text));

export const saidOfOrder = (text: string): Said | undefined => saidIn(OF_ORDER, wordsOf(text));

/** Whether a way to pay is at the door (`entrega`), before it (`antes`), or not known. */
export function methodIn(text: string): 'entrega' | 'antes' | undefined {
  const words = wordsOf(text);
  if (COD.test(words) && !/\bpagad|\bcancelad/.test(words)) return 'entrega';
  return PREPAID.test(words) ? 'antes' : undefined;
}

/** Whether a note begins with that the order is paid: "Ya está cancelado", "Pagado por transferencia". */
export const isPaidNote = (text: string): boolean =>
  /^(?:(?:ya|esta|todo|fue|pedido|orden) ){0,3}(?:pagad|cancelad)[oa]\b|^ya pago\b|^no cobrar\b/.test(
    wordsOf(text),
  );

/** Whether a text says only yes or no. */
export function yesOrNo(text: string): boolean | undefined {
  const words = wordsOf(text);
  if (/^(?:si|s|yes|y|true|x|✓|✔|1)$/.test(words)) return true;
  return /^(?:no|n|false|0|-)$/.test(words) ? false : undefined;
}

/** Whether a text can only be a state of an order or of a payment, and no place. */
export const isOrderState = (text: string): boolean =>
  saidOfOrder(text) !== undefined || (saidOfPayment(text) !== undefined && yesOrNo(text) === undefined);
