import { renderPage } from '../../html/page.js';
import { RecipientPage } from './recipient-page.js';

/** For unknown, expired and closed links alike: every sentence must be true of each. */
export function renderMissingPage(): string {
  return renderPage(
    <RecipientPage title="Este enlace no está disponible">
      <header>
        <h1>Este enlace no está disponible</h1>
      </header>
      <p>Puede que haya vencido, que ya se haya usado o que se haya copiado incompleto.</p>
      <p>
        Ábrelo de nuevo desde el mensaje que recibiste. Si sigue sin abrir, escríbele al comercio que te envía
        el paquete.
      </p>
    </RecipientPage>,
  );
}

/** For too many requests. */
export function renderBusyPage(): string {
  return renderPage(
    <RecipientPage title="Espera un momento">
      <header>
        <h1>Espera un momento</h1>
      </header>
      <p>Recibimos demasiados intentos seguidos. Vuelve a abrir el enlace dentro de un minuto.</p>
    </RecipientPage>,
  );
}

/** For a service that cannot answer now. */
export function renderAwayPage(): string {
  return renderPage(
    <RecipientPage title="Inténtalo en un minuto">
      <header>
        <h1>No pudimos abrir esta página</h1>
      </header>
      <p>Inténtalo de nuevo en un minuto. Tu enlace sigue sirviendo.</p>
    </RecipientPage>,
  );
}
