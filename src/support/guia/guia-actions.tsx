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
        <Ask label="Pedir la ubicación" confirm="Sí, pedirla" action={`${path}/reenviar`}>
          <p>
            El destinatario recibe otro mensaje que le pide su ubicación. Una dirección confirmada lo sigue
            estando hasta que responda.
          </p>
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
      <Ask label="Deshacer el último cambio" confirm="Sí, deshacer" action={`${path}/deshacer`}>
        <p>
          La guía vuelve al estado anterior, y lo que se cobró con ese cambio desaparece, si aún no es parte
          de una liquidación. El comercio recibe un aviso.
        </p>
        <label>
          Por qué (lo ve el comercio)
          <textarea name="motivo" required maxLength={MAX.nota} />
        </label>
      </Ask>
      {!isDenied && (
        <Ask label="No es suyo" confirm="Sí, no es suyo" action={`${path}/niega`}>
          <p>
            Quien contesta dice que el paquete no es suyo: el comercio recibe un aviso, y a este número no se
            le pregunta más por esta guía.
          </p>
        </Ask>
      )}
      <Ask label="No escribir más a este número" confirm="Sí, no escribir más" action={`${path}/baja`}>
        <p>
          El número no recibe mensajes de ninguna guía, hasta que escriba ALTA o la mensajería quite la baja.
        </p>
      </Ask>
      <Ask label="Escribir una nota" confirm="Guardar la nota" action={`${path}/notas`}>
        <label>
          Nota (la ve solo soporte)
          <textarea name="texto" required maxLength={MAX_NOTA} />
        </label>
      </Ask>
    </div>
  );
}
