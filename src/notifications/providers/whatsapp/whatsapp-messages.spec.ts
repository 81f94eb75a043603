import fc from 'fast-check';
import { outboundMessage } from '../../../../test/support/outbound-message.js';
import { MENSAJE_TIPOS } from '../messaging-provider.js';
import { toCloudMessage } from './whatsapp-messages.js';
import { CONFIRMATION_TEMPLATE, PIN_TEMPLATE } from './whatsapp-template.js';

const TEMPLATE = { template: 'confirmar_ubicacion', pinTemplate: 'pin_de_entrega', templateLanguage: 'es' };
const ID = outboundMessage().id;

/** `any`, because the tests are what says the shape of a body for Meta. */
type CloudBody = any;

const body = (parts: Parameters<typeof outboundMessage>[0] = {}): CloudBody =>
  toCloudMessage(outboundMessage(parts), TEMPLATE);
const options = (count: number, titulo = 'Guía 482019375624') =>
  Array.from({ length: count }, (_, i) => ({ id: `guia:${i}`, titulo: `${titulo} ${i}` }));
const parameters = (parts: Parameters<typeof outboundMessage>[0]): string[] =>
  body(parts).template.components[0].parameters.map(({ text }: { text: string }) => text);

describe('a confirmation', () => {
  it('is the template with name, merchant and guide, the quick reply and the secret part of the link', () => {
    expect(body()).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '50255551234',
      type: 'template',
      template: {
        name: 'confirmar_ubicacion',
        language: { code: 'es' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'text', text: 'Tienda Maya' },
              { type: 'text', text: '482019375624' },
            ],
          },
          {
            type: 'button',
            sub_type: 'quick_reply',
            index: '0',
            parameters: [{ type: 'payload', payload: `ubicacion:${ID}` }],
          },
          { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'TOKEN' }] },
        ],
      },
      biz_opaque_callback_data: ID,
    });
  });

  it('uses the template and language of the configuration', () => {
    const sent: CloudBody = toCloudMessage(outboundMessage(), {
      ...TEMPLATE,
      template: 'otra',
      templateLanguage: 'es_MX',
    });
    expect(sent.template).toMatchObject({ name: 'otra', language: { code: 'es_MX' } });
  });

  it.each([
    ['', 'cliente'],
    [' \n\t ', 'cliente'],
    ['Ana\nMaría', 'Ana María'],
    ['Ana\t\tMaría', 'Ana María'],
    ['Ana      María', 'Ana María'],
    [' Ana ', 'Ana'],
    ['José Ñandú 📦', 'José Ñandú 📦'],
  ])('names %j as %j', (nombre, text) => {
    expect(parameters({ nombre })[0]).toBe(text);
  });

  it('has no parameter that WhatsApp refuses', () => {
    const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', ' ') });
    fc.assert(
      fc.property(anyText, anyText, (nombre, comercio) => {
        for (const text of parameters({ nombre, comercio }))
          expect(text).toMatch(/^(?!.*(\s{4}|[\n\t])).+$/s);
      }),
    );
  });

  it('fits the documented template', () => {
    const [text, , { buttons }] = CONFIRMATION_TEMPLATE.components;
    const [bodyPart, ...buttonParts] = body().template.components;
    const variables = [...text.text.matchAll(/\{\{(\d)\}\}/g)].map(([, n]) => n);
    expect(variables).toEqual(bodyPart.parameters.map((_: unknown, i: number) => String(i + 1)));
    expect(text.example.body_text[0]).toHaveLength(variables.length);
    expect(buttonParts.map((part: CloudBody) => part.sub_type.toUpperCase())).toEqual(
      buttons.map(({ type }) => type),
    );
    expect(CONFIRMATION_TEMPLATE).toMatchObject({
      name: TEMPLATE.template,
      language: TEMPLATE.templateLanguage,
    });
  });
});

describe('a PIN', () => {
  const pin = body({ tipo: 'pin_de_entrega', enlace: null, token: null, pin: '0042' });

  it('is the last variable of its own template, without buttons', () => {
    expect(pin.template).toEqual({
      name: 'pin_de_entrega',
      language: { code: 'es' },
      components: [
        {
          type: 'body',
          parameters: ['Ana', 'Tienda Maya', '482019375624', '0042'].map((text) => ({ type: 'text', text })),
        },
      ],
    });
  });

  it('fits the documented template', () => {
    const [text, footer] = PIN_TEMPLATE.components;
    const variables = [...text.text.matchAll(/\{\{(\d)\}\}/g)].map(([, n]) => n);
    expect(variables).toEqual(['1', '2', '3', '4']);
    expect(text.example.body_text[0]).toHaveLength(4);
    expect(text.text).not.toMatch(/^\{\{|\}\}$|\}\}\s*\{\{/);
    expect(footer.text.length).toBeLessThanOrEqual(60);
    expect(PIN_TEMPLATE).toMatchObject({ name: TEMPLATE.pinTemplate, language: TEMPLATE.templateLanguage });
  });
});

describe('the template follows the rules of WhatsApp', () => {
  const [text, footer, { buttons }] = CONFIRMATION_TEMPLATE.components;

  it('has no variable at an end of the text or beside another', () => {
    expect(text.text).not.toMatch(/^\{\{|\}\}$|\}\}\s*\{\{/);
    expect(text.text.length).toBeLessThan(1_024 - 2 * 120);
  });

  it('has a footer and buttons within their limits', () => {
    expect(footer.text.length).toBeLessThanOrEqual(60);
    for (const button of buttons) expect(button.text.length).toBeLessThanOrEqual(25);
    expect(buttons[1].url).toMatch(/\/c\/\{\{1\}\}$/);
  });
});

describe('the recipient', () => {
  it.each([
    ['a phone', { telefono: '+50255551234', usuario: null }, { to: '50255551234' }],
    ['a phone before a user id', { telefono: '+50255551234', usuario: 'GT.134' }, { to: '50255551234' }],
    [
      'a user id alone',
      { telefono: null, usuario: 'GT.13491208655302741918' },
      { recipient: 'GT.13491208655302741918' },
    ],
    ['a wa_id alone', { telefono: null, usuario: '5215512345678' }, { to: '5215512345678' }],
  ])('is %s', (_what, parts, expected) => {
    const { to, recipient } = body({ tipo: 'ayuda', ...parts });
    expect({ to, recipient }).toEqual({ to: undefined, recipient: undefined, ...expected });
  });
});

describe('an answer', () => {
  it('pedir_ubicacion opens the location picker', () => {
    expect(body({ tipo: 'pedir_ubicacion', texto: 'Toca el botón.' })).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '50255551234',
      type: 'interactive',
      interactive: {
        type: 'location_request_message',
        body: { text: 'Toca el botón.' },
        action: { name: 'send_location' },
      },
      biz_opaque_callback_data: ID,
    });
  });

  it.each([1, 2, 3])('elegir_guia has buttons for %i guides', (count) => {
    const opciones = options(count, 'Guía 48201937');
    expect(body({ tipo: 'elegir_guia', texto: '¿Para cuál?', opciones }).interactive).toEqual({
      type: 'button',
      body: { text: '¿Para cuál?' },
      action: {
        buttons: opciones.map(({ id, titulo }) => ({ type: 'reply', reply: { id, title: titulo } })),
      },
    });
  });

  it.each([4, 10])('elegir_guia has a list for %i guides', (count) => {
    const opciones = options(count);
    expect(body({ tipo: 'elegir_guia', texto: '¿Para cuál?', opciones }).interactive).toEqual({
      type: 'list',
      body: { text: '¿Para cuál?' },
      action: {
        button: 'Elegir paquete',
        sections: [{ title: 'Paquetes', rows: opciones.map(({ id, titulo }) => ({ id, title: titulo })) }],
      },
    });
  });

  it.each([
    [3, 20],
    [4, 24],
  ])('elegir_guia of %i guides cuts titles at %i characters', (count, max) => {
    const { action } = body({
      tipo: 'elegir_guia',
      opciones: options(count, `482019375624 ${'📦'.repeat(20)}`),
    }).interactive;
    const titles: string[] = (action.buttons ?? action.sections[0].rows).map(
      (one: CloudBody) => one.reply?.title ?? one.title,
    );
    for (const title of titles) {
      expect([...title]).toHaveLength(max);
      expect(title).toMatch(/^482019375624 📦+…$/u);
    }
  });

  it.each(['ubicacion_recibida', 'ayuda', 'baja', 'alta'] as const)(
    '%s is text without a preview',
    (tipo) => {
      expect(body({ tipo, texto: 'Listo. https://x.test' })).toMatchObject({
        type: 'text',
        text: { body: 'Listo. https://x.test', preview_url: false },
      });
    },
  );

  it('is cut to the limits of WhatsApp', () => {
    const texto = 'x'.repeat(5_000);
    expect(body({ tipo: 'ayuda', texto }).text.body).toHaveLength(4_096);
    expect(body({ tipo: 'pedir_ubicacion', texto }).interactive.body.text).toHaveLength(1_024);
    expect(body({ tipo: 'elegir_guia', texto, opciones: options(2) }).interactive.body.text).toHaveLength(
      1_024,
    );
  });
});

it.each(MENSAJE_TIPOS)('%s contains our id, which its statuses repeat', (tipo) => {
  expect(body({ tipo, opciones: options(1) })).toMatchObject({ biz_opaque_callback_data: ID });
});
