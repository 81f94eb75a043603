import { renderPage } from '../../html/page.js';
import { PanelPage } from '../pages/panel-page.js';
import type { Visit } from '../visit.js';

/** The first page: how the day goes, and what needs somebody. */
export function renderToday(visit: Visit): string {
  return renderPage(
    <PanelPage title="Hoy" visit={visit} part="/panel">
      <p>
        <a href="/panel/guias">Sus guías</a>
      </p>
    </PanelPage>,
  );
}
