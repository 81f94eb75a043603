import { renderPage } from '../html/page.js';
import type { ParkedEvento } from './parked-eventos.service.js';
import { StaffPage, Table } from './staff-page.js';

/** The page that lists the events that could not be dispatched. */
export function renderParkedEventos(eventos: ParkedEvento[]): string {
  return renderPage(
    <StaffPage title={`Eventos apartados: ${eventos.length}`}>
      <p>
        No se pudieron procesar: lo que sigue de ellos (mensajes, avisos) está pendiente. Se reintentan solos;
        los demás no esperan por ellos. Avise al equipo técnico si no desaparecen.
      </p>
      <Table
        columns={['Creado', 'Evento', 'Guía', 'Comercio', 'Causa', 'Intentos', 'Próximo intento', 'Id']}
        rows={eventos.map(
          ({ id, tipo, guia, comercio, de_prueba, intentos, causa, creado_en, proximo_en }) => [
            creado_en,
            tipo,
            guia && <a href={`/admin/guias/${guia}`}>{guia}</a>,
            de_prueba ? `${comercio} (prueba)` : comercio,
            causa,
            intentos,
            proximo_en,
            id,
          ],
        )}
      />
    </StaffPage>,
  );
}
