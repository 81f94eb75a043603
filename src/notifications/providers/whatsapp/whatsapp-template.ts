/**
 * The utility template by which the `whatsapp` provider tells the PIN of a delivery; its name is WHATSAPP_PIN_TEMPLATE. The
 * variables are the recipient's name, the merchant's, the guide's number and the PIN.
 */
export const PIN_TEMPLATE = {
  name: 'pin_de_entrega',
  language: 'es',
  category: 'UTILITY',
  components: [
    {
      type: 'BODY',
      text:
        'Hola, {{1}}: tu paquete de {{2}} con la guía {{3}} va en camino. ' +
        'Tu PIN es {{4}}: dáselo al mensajero cuando tengas el paquete, no antes.',
      example: { body_text: [['Ana López', 'Tienda Maya', '482019375624', '4821']] },
    },
    { type: 'FOOTER', text: 'Responde BAJA para no recibir más mensajes.' },
  ],
} as const;

/**
 * The utility template that Meta must approve before the `whatsapp` provider can ask for a location, as the
 * body of `POST /<WABA_ID>/message_templates`. Replace `guias.example.com` in the URL button by PUBLIC_URL.
 *
 * WhatsApp refuses a body that begins or ends with a variable, or in which two variables touch.
 */
export const CONFIRMATION_TEMPLATE = {
  name: 'confirmar_ubicacion',
  language: 'es',
  category: 'UTILITY',
  components: [
    {
      type: 'BODY',
      text:
        'Hola, {{1}}: {{2}} te envía un paquete con la guía {{3}} y necesitamos saber dónde entregarlo. ' +
        'Toca «Enviar ubicación» para compartirla por aquí, o confírmala en el mapa.',
      example: { body_text: [['Ana López', 'Tienda Maya', '482019375624']] },
    },
    { type: 'FOOTER', text: 'Responde BAJA para no recibir más mensajes.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Enviar ubicación' },
        {
          type: 'URL',
          text: 'Confirmar en el mapa',
          url: 'https://guias.example.com/c/{{1}}',
          example: ['https://guias.example.com/c/ejemplo'],
        },
      ],
    },
  ],
} as const;
