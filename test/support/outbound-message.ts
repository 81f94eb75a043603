import type { OutboundMessage } from '../../src/notifications/providers/messaging-provider.js';

/** A request for confirmation ready to be sent, with the given fields replaced. */
export function outboundMessage(parts: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    intentos: 0,
    tipo: 'confirmacion_ubicacion',
    telefono: '+50255551234',
    usuario: null,
    texto: 'Hola Ana: Tienda Maya te envía un paquete. Confirma aquí: https://guias.example.com/c/TOKEN',
    enlace: 'https://guias.example.com/c/TOKEN',
    token: 'TOKEN',
    pin: null,
    guia: '482019375624',
    comercio: 'Tienda Maya',
    nombre: 'Ana',
    opciones: [],
    ...parts,
  };
}

/** The error that `send` was rejected with; throws if it was not. */
export async function refusal(sent: Promise<unknown>): Promise<any> {
  return sent.then(
    () => {
      throw new Error('it was accepted');
    },
    (error: unknown) => error,
  );
}
