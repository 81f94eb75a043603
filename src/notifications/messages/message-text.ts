import type { MensajeTipo } from '../providers/messaging-provider.js';

/** Subject of a message; nulls for a message about no guide. */
interface MessageSubject {
  /** Recipient's name; may be empty. */
  nombre: string;
  comercio: string | null;
  guia: string | null;
  enlace: string | null;
  /** Of `pin_de_entrega` alone. */
  pin?: string | null;
}

/** A message as plain text, for apps without templates and buttons. */
export function messageText(
  tipo: MensajeTipo,
  { nombre, comercio, guia, enlace, pin }: MessageSubject,
): string {
  switch (tipo) {
    case 'confirmacion_ubicacion':
      return (
        `Hola${nombre && ` ${nombre}`}: ${comercio} te envía un paquete (guía ${guia}). ` +
        `Para que llegue, confirma aquí dónde entregarlo: ${enlace}`
      );
    case 'pedir_ubicacion':
      return 'Toca el botón y comparte la ubicación donde debe llegar tu paquete.';
    case 'elegir_guia':
      return guia === null
        ? 'Recibimos tu ubicación. Tienes varios paquetes en camino: ¿para cuál es?'
        : `La entrega de tu paquete (guía ${guia}) ya no admite cambios por aquí. ¿Tu ubicación es para otro paquete?`;
    case 'ubicacion_recibida':
      return `¡Listo! Tu paquete (guía ${guia}) llegará a la ubicación que compartiste. Si te equivocaste, manda otra antes de que salga el mensajero.`;
    case 'guia_cerrada':
      return `La entrega de tu paquete (guía ${guia}) no admite cambios por aquí en este momento. Mira cómo va en el enlace que recibiste.`;
    case 'ayuda':
      return 'Este es un número automático. Para decirnos dónde entregar tu paquete, comparte tu ubicación por aquí (clip > Ubicación) o manda un enlace de mapa. Si no quieres recibir mensajes, responde BAJA.';
    case 'baja':
      return 'Listo: no recibirás más mensajes de este número. Si cambias de idea, responde ALTA.';
    case 'alta':
      return 'Listo: volverás a recibir los mensajes sobre tus paquetes.';
    case 'pin_de_entrega':
      return (
        `Hola${nombre && ` ${nombre}`}: tu paquete de ${comercio} (guía ${guia}) va en camino. ` +
        `Tu PIN es ${pin}: dáselo al mensajero cuando tengas el paquete, no antes.`
      );
  }
}
