import { renderPage } from '../../html/page.js';
import { RecipientPage } from './page-layout.js';

/** For unknown and expired links alike: every sentence must be true of each. */
export const renderMissingPage = () =>
  renderErrorPage('Este enlace no está disponible', 'Este enlace no está disponible', [
    'Puede que haya vencido o que se haya copiado incompleto.',
    'Ábrelo de nuevo desde el mensaje que recibiste. Si sigue sin abrir, escríbele al comercio que te envía el paquete.',
  ]);

/** For too many requests. */
export const renderBusyPage = () =>
  renderErrorPage('Espera un momento', 'Espera un momento', [
    'Recibimos demasiados intentos seguidos. Vuelve a abrir el enlace dentro de un minuto.',
  ]);

/** For a service that cannot answer now. */
export const renderAwayPage = () =>
  renderErrorPage('Inténtalo en un minuto', 'No pudimos abrir esta página', [
    'Inténtalo de nuevo en un minuto. Tu enlace sigue sirviendo.',
  ]);

function renderErrorPage(title: string, heading: string, paragraphs: string[]): string {
  return renderPage(
    <RecipientPage title={title}>
      <header>
        <h1>{heading}</h1>
      </header>
      {paragraphs.map((text) => (
        <p>{text}</p>
      ))}
    </RecipientPage>,
  );
}
