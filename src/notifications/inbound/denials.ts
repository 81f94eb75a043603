import { readOptOut } from './opt-outs.service.js';
import { MAX_WISH_LENGTH, plainWords } from './plain-words.js';

/** Statement of a person who is not the recipient, or has ordered nothing. */
export interface SaidDenial {
  /**
   * The guides that it is about: `numero`, those of the number; `paquete`, the only one; a name, in capitals without accents:
   * those of a recipient who is called so.
   */
  of: 'numero' | 'paquete' | { nombre: string };
  /** Whether it asks for no messages as well. */
  isOptOut: boolean;
}

const PHONE = '(?:NUMERO|NRO|NUM|TELEFONO|TEL|CELULAR|CEL|CONTACTO|WHATSAPP)';
const PERSON =
  '(?:YO|ESA PERSONA|ESA SENORA|ESE SENOR|LA PERSONA(?: QUE BUSCAN?)?|QUIEN (?:BUSCAN?|CREEN?|PIENSAN?)|EL|ELLA|ESA|ESE)';
const SUPPOSED = '(?:(?:CREO|PIENSO|ME PARECE|PARECE) QUE )?';

/** Parts of messages, as `plainWords` has them: the number is not the recipient's, or they have ordered nothing at all. */
const OF_NUMBER = [
  `(?:ES |ESTE ES |TIENEN? |TIENES |ESCRIBIO A |MARCO A |LLAMO A )?(?:UN |EL |MAL )?${PHONE} (?:EQUIVOCADO|INCORRECTO|ERRADO|ERRONEO)`,
  `(?:ESTAN? |ESTAS )?EQUIVOCAD[OA]S?(?: DE ${PHONE}| DE PERSONA)?`,
  `(?:SE|TE) (?:HAN? |HAS )?EQUIVOC(?:O|ARON|ASTE|ADO|AN?)(?: DE ${PHONE}| DE PERSONA)`,
  'PERSONA EQUIVOCADA',
  `(?:YO )?NO SOY ${PERSON}`,
  `(?:ESTE |ESE )?(?:YA )?NO ES (?:SU|EL|ESE|EL MISMO) ${PHONE}(?: DE ESA PERSONA| DE ELLA| DE EL)?`,
  `(?:ESTE|ESE) ${PHONE} (?:YA )?NO ES (?:DE ESA PERSONA|DE ELLA|DE EL|SUYO|EL SUYO)`,
  `(?:YO )?NO (?:CONOZCO|CONOSCO) A (?:ESA PERSONA|NADIE (?:CON ESE NOMBRE|ASI|QUE SE LLAME ASI)|ESA SENORA|ESE SENOR)`,
  'NO SE QUIEN ES(?: ESA PERSONA)?',
  '(?:AQUI|ACA) NO (?:VIVE|ESTA|HAY) (?:ESA PERSONA|NADIE (?:CON ESE NOMBRE|ASI))',
  'ESA PERSONA NO (?:VIVE|ESTA) (?:AQUI|ACA)',
  'NO (?:ME LLAMO|ES MI NOMBRE) ?ASI|(?:ESE )?NO ES MI NOMBRE',
  '(?:YO )?NO (?:HE )?(?:PEDI|PEDIDO|COMPRE|COMPRADO|ORDENE|ORDENADO|ENCARGUE|ENCARGADO|SOLICITE|SOLICITADO) (?:NADA|NINGUN (?:PAQUETE|PEDIDO|ENVIO|PRODUCTO)|NINGUNA (?:COMPRA|COSA|ORDEN))',
  '(?:YO )?NO (?:HICE|HE HECHO) (?:NINGUN (?:PEDIDO|ENVIO)|NINGUNA (?:COMPRA|ORDEN))',
  '(?:YO )?NO (?:ESPERO|ESTOY ESPERANDO) (?:NADA|NINGUN (?:PAQUETE|PEDIDO|ENVIO))',
  'WRONG (?:NUMBER|PERSON)|NOT ME|ITS NOT ME',
].map((words) => new RegExp(`^(?:${SUPPOSED}(?:${words}))$`));

/** Parts of messages that are about one parcel. */
const OF_PARCEL = [
  '(?:ESE|ESTE|ESO|ESTO|EL)? ?(?:PAQUETE|PEDIDO|ENVIO)? ?NO ES (?:MIO|MIA|PARA MI|MI (?:PAQUETE|PEDIDO|ENVIO|COMPRA))',
  '(?:YO )?(?:ESE |ESO |ESTO |ESTE )?(?:YO )?NO (?:LO )?(?:HE )?(?:PEDI|PEDIDO|COMPRE|COMPRADO|ORDENE|ORDENADO|ENCARGUE|ENCARGADO|SOLICITE)(?: (?:ESO|ESTO|ESE|ESTE|EL|ESE PAQUETE|ESTE PAQUETE|EL PAQUETE|ESE PEDIDO|ESTE PEDIDO|EL PEDIDO))?',
].map((words) => new RegExp(`^${SUPPOSED}(?:${words})$`));

const DENIED = `(?:YO )?NO (?:SOY|ME LLAMO)|(?:AQUI|ACA) NO (?:VIVE|HAY)|(?:YO )?NO (?:CONOZCO|CONOSCO) A|(?:ESTE |YA )?NO ES EL ${PHONE} DE|ESTE ${PHONE} (?:YA )?NO ES DE`;

/** Ends with the name of whom the message is for. */
const NAMED = new RegExp(
  `^${SUPPOSED}(?:${DENIED}) (?:NINGUNA? )?(\\p{L}{2,30}(?: \\p{L}{2,30}){0,3})$`,
  'u',
);

/** Parts beside them that say nothing else. */
const BESIDE =
  /^(?:NO|DISCULPE[NS]?|DISCULPA|PERDON|PERDONE|LO SIENTO|SORRY|OK|SENOR|SENORA|SENORITA|JOVEN|AMIG[OA]|(?:EL|SU|MI) (?:NUMERO |TELEFONO )?(?:CORRECTO|BUENO|VERDADERO|NUEVO) ES(?: EL)?)$/;

/** Words of a name that name nobody. */
const TITLES = new Set(['DON', 'DONA', 'SENOR', 'SENORA', 'SR', 'SRA', 'LA', 'EL', 'DE', 'DEL']);

/** Whether a message says, and nothing else, that its sender is not the recipient. A question is no answer. */
export function readDenial(text: string): SaidDenial | undefined {
  if (text.length > MAX_WISH_LENGTH || text.includes('?')) return undefined;
  let of: SaidDenial['of'] | undefined;
  let isOptOut = false;
  const parts = text.split(/[.,;:!¡\n]|\s[-–—]\s|\s[ye]\s/i);
  for (const part of parts) {
    const words = plainWords(part);
    if (words === '' || BESIDE.test(words)) continue;
    const said = meaningOf(words);
    if (said !== undefined) of = wider(of, said);
    else if (readOptOut(words) === 'baja') isOptOut = true;
    else return undefined;
  }
  return of && { of, isOptOut };
}

/** Whether a recipient may be meant by a name. @param nombre in capitals without accents. @param destinatario as stored. */
export function isCalled(nombre: string, destinatario: string): boolean {
  const own = new Set(plainWords(destinatario.slice(0, MAX_WISH_LENGTH)).split(' '));
  const words = nombre.split(' ').filter((word) => !TITLES.has(word));
  return words.length > 0 && words.every((word) => own.has(word));
}

function meaningOf(words: string): SaidDenial['of'] | undefined {
  if (OF_NUMBER.some((said) => said.test(words))) return 'numero';
  if (OF_PARCEL.some((said) => said.test(words))) return 'paquete';
  const nombre = NAMED.exec(words)?.[1];
  return nombre === undefined ? undefined : { nombre };
}

function wider(one: SaidDenial['of'] | undefined, other: SaidDenial['of']): SaidDenial['of'] {
  if (one === undefined || other === 'numero') return other;
  return one === 'paquete' ? other : one;
}
