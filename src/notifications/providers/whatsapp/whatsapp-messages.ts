import type { WhatsappConfig } from '../../../platform/config/env.js';
import type { OutboundMessage } from '../messaging-provider.js';

/** Characters. */
const MAX_TEXT = 4_096;
const MAX_INTERACTIVE_TEXT = 1_024;
const MAX_BUTTON_TITLE = 20;
const MAX_ROW_TITLE = 24;

/** More choices than this are sent as a list. */
const MAX_BUTTONS = 3;

/** Prefix of the message's id in the payload of the template's quick reply. */
export const ASK_LOCATION_PREFIX = 'ubicacion:';

type Templates = Pick<WhatsappConfig, 'template' | 'pinTemplate' | 'templateLanguage'>;

/** The body of a Cloud API request that sends the message. */
export function toCloudMessage(message: OutboundMessage, templates: Templates): object {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient(message),
    ...content(message, templates),
    // Returned in every status: the only way to match a message whose answer was lost.
    biz_opaque_callback_data: message.id,
  };
}

/** Phones go into `to`, business-scoped user ids into `recipient`: in `to` they would be read as numbers. */
function recipient({ telefono, usuario }: OutboundMessage): object {
  const user = telefono?.slice(1) ?? usuario ?? '';
  return /^\d+$/.test(user) ? { to: user } : { recipient: user };
}

function content(message: OutboundMessage, templates: Templates): object {
  switch (message.tipo) {
    case 'confirmacion_ubicacion':
      return { type: 'template', template: confirmation(message, templates) };
    case 'pin_de_entrega':
      return { type: 'template', template: pinOfDelivery(message, templates) };
    case 'pedir_ubicacion':
      return interactive('location_request_message', message.texto, { name: 'send_location' });
    case 'elegir_guia':
      return choice(message);
    default:
      return { type: 'text', text: { body: shorten(message.texto, MAX_TEXT), preview_url: false } };
  }
}

function confirmation(message: OutboundMessage, { template, templateLanguage }: Templates): object {
  const { id, token } = message;
  return {
    name: template,
    language: { code: templateLanguage },
    components: [
      body(subjectOf(message)),
      button('quick_reply', '0', { type: 'payload', payload: ASK_LOCATION_PREFIX + id }),
      button('url', '1', { type: 'text', text: token ?? '' }),
    ],
  };
}

function pinOfDelivery(message: OutboundMessage, { pinTemplate, templateLanguage }: Templates): object {
  const texts = [...subjectOf(message), message.pin ?? ''];
  return { name: pinTemplate, language: { code: templateLanguage }, components: [body(texts)] };
}

/** The variables that both templates begin with. */
function subjectOf({ nombre, comercio, guia }: OutboundMessage): string[] {
  return [parameter(nombre, 'cliente'), parameter(comercio, 'un comercio'), parameter(guia, 'pendiente')];
}

function body(texts: string[]): object {
  return { type: 'body', parameters: texts.map((text) => ({ type: 'text', text })) };
}

function button(subType: 'quick_reply' | 'url', index: string, parameter: object): object {
  return { type: 'button', sub_type: subType, index, parameters: [parameter] };
}

/** WhatsApp refuses parameters that are empty or contain line breaks, tabs or more than four spaces in a row. */
function parameter(text: string | null, neutral: string): string {
  return text?.replace(/\s+/g, ' ').trim() || neutral;
}

function choice({ texto, opciones }: OutboundMessage): object {
  if (opciones.length <= MAX_BUTTONS) {
    const buttons = opciones.map(({ id, titulo }) => ({
      type: 'reply',
      reply: { id, title: shorten(titulo, MAX_BUTTON_TITLE) },
    }));
    return interactive('button', texto, { buttons });
  }
  const rows = opciones.map(({ id, titulo }) => ({ id, title: shorten(titulo, MAX_ROW_TITLE) }));
  return interactive('list', texto, { button: 'Elegir paquete', sections: [{ title: 'Paquetes', rows }] });
}

function interactive(type: string, text: string, action: object): object {
  return {
    type: 'interactive',
    interactive: { type, body: { text: shorten(text, MAX_INTERACTIVE_TEXT) }, action },
  };
}

function shorten(text: string, max: number): string {
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
