import { phoneLinkIn } from '../../../../validation/phone-links.js';
import type { ChatText } from './chat-text.js';

/** Characters of a word are bounded, so that the work is in line with the text's length. */
const OTHERS: readonly RegExp[] = [
  // Files, as phones and apps name them, and their first words: `WhatsApp Image 2025-03-30 at 9.14.22 PM (1).jpeg`.
  /whatsapp (?:image|video|audio|ptt|document) \d[\d-]{7,9} at \d[\d.]{3,8}(?: ?[ap]\.?m\.?)?(?: ?\(\d{1,3}\))?(?:\.[a-z\d]{3,4})?/g,
  /captura de pantalla \d[\d -]{7,12}(?: a las? \d[\d.:]{3,8})?/g,
  /(?<![a-z\d_-])(?:img|vid|aud|ptt|doc|stk|pxl|dsc|dscn|dcim|scan|screenshot|screen|captura|foto|video|photo|image|file|signal|received|fb_img|mvimg|inshot|snapchat|telegram|archivo)[_-]?\d[\w-]{3,60}(?: ?\(\d{1,3}\))?(?:\.[a-z\d]{3,4})?/g,
  /(?<![\w.-])[\w-]{1,80}(?: ?\(\d{1,3}\))?\.(?:jpe?g|png|gif|webp|heic|pdf|mp[34]|m4a|aac|opus|ogg|mov|3gp|docx?|xlsx?|csv|txt|vcf|zip)(?![a-z\d])/g,
  // Mail addresses.
  /(?<![\w.+-])[\w.+-]{1,60}@[a-z\d-]{1,40}\.[a-z.]{2,20}/g,
  // Days, and times.
  /(?<![\d/.-]|\d )(?:(?:0?[1-9]|[12]\d|3[01])([/.-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d{2}|(?:0?[1-9]|1[0-2])([/.-])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d{2}|(?:19|20)\d{2}([/.-])(?:0?[1-9]|1[0-2])\3(?:0?[1-9]|[12]\d|3[01]))(?![\d/.-]\d|\d)/g,
  /(?<![\d/.-])(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|1[0-2])\/\d{2}(?![\d/])/g,
  /(?<![\d:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g,
  /(?<![\d.])\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)(?: (?:de|del) (?:19|20)\d{2})?/g,
];

/** A link to a chat, an address of WhatsApp, or a contact's field. */
const LINKED =
  /(?:https?:\/\/|whatsapp:\/\/)?(?:www\.|api\.|web\.)?(?:wa\.me\/|whatsapp\.com\/send|send\/?\?phone)\S{1,200}|(?<![\w.])\+?\d{7,15}(?:[:-]\d{1,12})?@(?:s\.whatsapp\.net|c\.us)|(?:item\d{1,2}\.)?tel[;:][^\n]{1,80}|waid=\d{7,15}/g;

const MAX_OTHERS = 40;

/** Takes what is no phone although it has the digits of one: names of files, days and times. @returns the phones of links. */
export function takeOtherDigits(chat: ChatText): string[] {
  const phones: string[] = [];
  for (const span of chat.find(LINKED, MAX_OTHERS)) {
    const phone = phoneLinkIn(chat.at(span));
    if (phone === undefined) continue;
    phones.push(phone);
    chat.take(span);
  }
  for (const other of OTHERS) for (const span of chat.find(other, MAX_OTHERS)) chat.take(span);
  return phones;
}
