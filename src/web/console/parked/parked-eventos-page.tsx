import type { ParkedEventoRow } from '../../../platform/events/outbox.queries.js';
import { EVENTOS, type EventoTipo } from '../../../platform/events/evento-tipo.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { Table, Time } from '../../kit/elements.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import { capitalised } from '../../../platform/validation/text.js';

/** Events that are listed: those that are tried again first. */
export const LIST_SIZE = 60;

export function renderParkedEventos(user: StaffUser, eventos: ParkedEventoRow[]): Promise<string> {
  const title = `Eventos apartados: ${eventos.length}${eventos.length === LIST_SIZE ? ' o más' : ''}`;
  return renderInTurn(
    <StaffPage title={title} user={user} part="/admin/eventos">
      {eventos.length > 0 && (
        <p>
          No se pudieron procesar: lo que sigue de ellos (mensajes, avisos) está pendiente. Se reintentan
          solos; los demás no esperan por ellos. Avise al equipo técnico si no desaparecen.
        </p>
      )}
      <Table
        label="Eventos apartados"
        empty="Ninguno: todo lo que pasó se pudo procesar."
        columns={['Creado', 'Evento', 'Guía', 'Comercio', 'Causa', 'Intentos', 'Próximo intento', 'Id']}
        rows={eventos.map(
          ({ id, tipo, guia, comercio, de_prueba, pais, intentos, causa, creado_en, proximo_en }) => {
            const zone = timeZoneOf(pais ?? '');
            return [
              <Time at={creado_en} zone={zone} />,
              Object.hasOwn(EVENTOS, tipo) ? capitalised(EVENTOS[tipo as EventoTipo].name) : tipo,
              guia && <GuiaLink guia={guia} />,
              de_prueba ? `${comercio} (prueba)` : comercio,
              causa,
              intentos,
              <Time at={proximo_en} zone={zone} />,
              id,
            ];
          },
        )}
      />
    </StaffPage>,
  );
}
