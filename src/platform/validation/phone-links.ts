/** Longest link or contact that is read: a chat's link may have a text. */
const MAX_LENGTH = 4_096;

/** A link to a chat: `https://wa.me/50255551234?text=…`, `https://api.whatsapp.com/send?phone=50255551234`. */
const CHAT_LINK =
  /^(?:(?:https?:\/\/)?(?:www\.)?wa\.me\/|(?:(?:https?:\/\/)?(?:www\.|api\.|web\.)?whatsapp\.com\/send\/?|whatsapp:\/\/send\/?)\?(?:[^\s#]{0,200}&)?phone=)(?:\+|%2b)?(\d{7,15})(?!\d)/i;

/** Whom WhatsApp's programs write to, and from which of their devices: `50255551234:12@s.whatsapp.net`. */
const JID = /^\+?(\d{7,15})(?:[:.]\d{1,3}){0,2}@(?:s\.whatsapp\.net|c\.us)$/i;

/** A contact's number: `TEL;type=CELL;waid=50255551234:+502 5555 1234`, `tel:+50255551234`. */
const CONTACT = /^(?:item\d{1,2}\.)?tel(?:;[^:\n]{0,100})?:(?:tel:)?([^\n;]{6,40})/im;

/** The number that WhatsApp knows a contact by. */
const CONTACT_ID = /^(?:item\d{1,2}\.)?tel;[^:\n]{0,80}waid=(\d{7,15})/im;

/** The phone of a link to a chat, an address of WhatsApp or a contact (vCard); undefined where the text is none. */
export function phoneLinkIn(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const written = text.trim();
  const international = (CHAT_LINK.exec(written) ?? JID.exec(written) ?? CONTACT_ID.exec(written))?.[1];
  if (international !== undefined) return `+${international}`;
  return CONTACT.exec(written)?.[1]?.trim();
}
