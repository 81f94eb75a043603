import { MAX } from '../../guias/limits.js';
import { Ask, Clave } from '../pages/elements.js';
import { MAX_NOTA } from './guia-actions.service.js';

/** The end of the phone, and the button that shows all of it. */
export function PhoneButton({ guia, end, canAct }: { guia: string; end: string; canAct: boolean }) {
  if (!canAct) return <>termina en {end}</>;
  return (
    <form method="post" action={`/admin/guias/${guia}/ver-telefono`}>
      <Clave />
      termina en {end} <button type="submit">Ver teléfono</button>{' '}
      <span class="muted">Queda en la auditoría.</span>
    </form>
  );
}

interface GuiaActionsProps {
  /** Guide number. */
  guia: string;
  canAskAgain: boolean;
  /** The recipient says that the parcel is not theirs: no message is sent to this phone. */
  isDenied: boolean;
  canCorrectPhone: boolean;
  canCorrectDestination: boolean;
}

export function GuiaActions(props: GuiaActionsProps) {
  const { guia, canAskAgain, isDenied, canCorrectPhone, canCorrectDestination } = props;
  const path = `/admin/guias/${guia}`;
  return (
    <div class="actions">
      {canAskAgain && isDenied && (
        <p class="muted">
          No se le reenvía el mensaje: el destinatario dice que el paquete no es suyo. Corrija el teléfono o
          espere a que confirme.
        </p>
      )}
      {canAskAgain && !isDenied && (
        <Ask label="Reenviar el mensaje" confirm="Sí, reenviar" action={`${path}/reenviar`}>
          <p>El destinatario recibe otro mensaje que le pide confirmar su ubicación.</p>
        </Ask>
      )}
      {canCorrectPhone && (
        <Ask label="Corregir el teléfono" confirm="Sí, corregir" action={`${path}/telefono`}>
          <p>
            Vale lo mismo que si lo cambiara el comercio; el historial dirá que fue soporte. Si la dirección
            no está confirmada, se pregunta al número nuevo y el enlace que recibió el anterior deja de
            servir.
          </p>
          <label>
            Teléfono nuevo
            <input type="tel" name="telefono" required maxLength={40} autocomplete="off" />
          </label>
        </Ask>
      )}
      {canCorrectDestination && (
        <Ask label="Corregir el destino" confirm="Sí, corregir" action={`${path}/destino`}>
          <p>
            Vale lo mismo que si lo cambiara el comercio; el historial dirá que fue soporte. La dirección
            queda confirmada, y ya no se le pregunta al destinatario, salvo que el servicio de mapas no
            responda.
          </p>
          <label>
            Enlace de mapa, o coordenadas como 14.6407, -90.5133
            <input
              type="text"
              name="lugar"
              class="long"
              required
              maxLength={MAX.maps_url}
              autocomplete="off"
            />
          </label>
        </Ask>
      )}
      <Ask label="Escribir una nota" confirm="Guardar la nota" action={`${path}/notas`}>
        <label>
          Nota (la ve solo soporte)
          <textarea name="texto" required maxLength={MAX_NOTA} />
        </label>
      </Ask>
    </div>
  );
}
