import type { FastifyReply } from 'fastify';
import { AppError } from '../../../errors/app-error.js';

/** Files that a key may send at once: each is in memory until it is answered. */
const MAX_UPLOADS = 2;

/** Counts the files that are being sent, from before their first byte is read until they are answered. */
export class ActiveUploads {
  private readonly byKey = new Map<string, number>();

  /** @throws AppError `demasiadas_solicitudes` */
  begin(keyId: string, reply: FastifyReply): void {
    // The client has gone already: nothing will tell that it has.
    if (reply.raw.destroyed) return;
    const active = this.byKey.get(keyId) ?? 0;
    if (active >= MAX_UPLOADS)
      throw new AppError('demasiadas_solicitudes', {
        detail: 'Ya se suben dos archivos con esta clave. Espere a que terminen, y súbalo otra vez.',
        headers: { 'Retry-After': '5' },
      });
    this.byKey.set(keyId, active + 1);
    reply.raw.once('close', () => {
      const left = this.byKey.get(keyId)! - 1;
      if (left > 0) this.byKey.set(keyId, left);
      else this.byKey.delete(keyId);
    });
  }
}
