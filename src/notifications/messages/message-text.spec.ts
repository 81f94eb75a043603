import { messageText } from './message-text.js';
import { MENSAJE_TIPOS } from '../providers/messaging-provider.js';

const ASUNTO = {
  ...{ nombre: 'Ana', comercio: 'Tienda Maya', guia: '482019375624' },
  ...{ enlace: 'https://guias.example.com/c/ficha', pin: '0042' },
};

/** Characters a button message of WhatsApp may have; all others may have more. */
const MAX = 1_024;

describe('the text of a message', () => {
  it('names the recipient, the merchant and the guide, and ends with the link', () => {
    expect(messageText('confirmacion_ubicacion', ASUNTO)).toBe(
      'Hola Ana: Tienda Maya te envía un paquete (guía 482019375624). ' +
        'Para que llegue, confirma aquí dónde entregarlo: https://guias.example.com/c/ficha',
    );
  });

  it('greets without a name if it is unknown', () => {
    expect(messageText('confirmacion_ubicacion', { ...ASUNTO, nombre: '' })).toMatch(/^Hola: Tienda Maya /);
  });

  it('names the guide that was confirmed', () => {
    expect(messageText('ubicacion_recibida', ASUNTO)).toContain('guía 482019375624');
  });

  it('gives the PIN, and says when to give it away', () => {
    expect(messageText('pin_de_entrega', ASUNTO)).toBe(
      'Hola Ana: tu paquete de Tienda Maya (guía 482019375624) va en camino. ' +
        'Tu PIN es 0042: dáselo al mensajero cuando tengas el paquete, no antes.',
    );
  });

  it('says how to opt out and in again', () => {
    expect(messageText('ayuda', ASUNTO)).toContain('BAJA');
    expect(messageText('baja', ASUNTO)).toContain('ALTA');
  });

  it.each(MENSAJE_TIPOS)('of %s is one short paragraph without undefined values or private data', (tipo) => {
    const nothing = { nombre: '', comercio: null, guia: null, enlace: null };
    const texts = [messageText(tipo, ASUNTO)];
    if (!['confirmacion_ubicacion', 'pin_de_entrega', 'ubicacion_recibida', 'guia_cerrada'].includes(tipo))
      texts.push(messageText(tipo, nothing));
    for (const text of texts) {
      expect(text).not.toMatch(/null|undefined|\n| {2}|^\s|\s$/);
      expect(text.length).toBeLessThanOrEqual(MAX);
    }
  });

  it.each(MENSAJE_TIPOS.filter((tipo) => tipo !== 'confirmacion_ubicacion'))('of %s has no link', (tipo) =>
    expect(messageText(tipo, ASUNTO)).not.toContain('http'),
  );
});
