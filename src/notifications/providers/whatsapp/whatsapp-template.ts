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
