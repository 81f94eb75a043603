import type { BajaClase } from '../../../correos/baja-token.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import { PanelPage } from '../pages/panel-page.js';

const NAMES: Record<BajaClase, string> = {
  aviso: 'los avisos de lo que pasa con sus guías',
  resumen: 'el resumen de cada mañana',
};

/** Asks whether a kind of mail is to end, or says that it has. */
export function renderBaja(clase: BajaClase, isDone: boolean): string {
  return renderPage(
    <PanelPage title={isDone ? 'Ya no le escribiremos' : 'Dejar de recibir correos'} visit={undefined}>
      {isDone ? (
        <Note role="status">
          Su tienda ya no recibe {NAMES[clase]}. En Ajustes del panel se pide otra vez.
        </Note>
      ) : (
        <form method="post" class="card stack">
          <p>Su tienda dejará de recibir {NAMES[clase]}.</p>
          <button type="submit" class="btn main">
            No los quiero
          </button>
        </form>
      )}
    </PanelPage>,
  );
}
