import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { GuiaConfirmationsService } from '../../../guias/changes/guia-confirmations.service.js';

/** Guatemala City, where a pickup point has no coordinates to be near to. */
const FALLBACK = { lat: 14.6349, lng: -90.5069 };

/** Degrees: about a kilometre. */
const NEARBY = 0.01;

/** Answers in place of a recipient of the sandbox, so that an integrator sees a guide being confirmed. */
@Injectable()
export class SandboxRecipientService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiaConfirmationsService,
  ) {}

  /** Confirms the guide of a message at a place near its pickup point. */
  async answer(mensajeId: string): Promise<string> {
    const { rows } = await this.database.query<{
      comercioId: string;
      guiaId: string;
      telefonoSecuencia: number | null;
      lat: number | null;
      lng: number | null;
    }>({
      text: `select g.comercio_id as "comercioId", g.id as "guiaId", g.telefono_secuencia as "telefonoSecuencia", g.recogida_lat as lat, g.recogida_lng as lng
        from mensajes m join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id where m.id = $1`,
      values: [mensajeId],
    });
    const guia = rows[0];
    if (!guia) return 'El mensaje no existe.';
    const lat = Math.min((guia.lat ?? FALLBACK.lat) + NEARBY, 90);
    const lng = guia.lng ?? FALLBACK.lng;
    const confirmadaEn = await this.guias.confirm(guia, { lat, lng, origen: 'sandbox' });
    return confirmadaEn ? 'Confirmada por el destinatario de prueba.' : 'La guía ya no esperaba respuesta.';
  }
}
