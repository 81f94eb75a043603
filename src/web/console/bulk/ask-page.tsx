import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { grouped } from '../../kit/elements.js';
import { Hidden, PostForm } from '../../kit/post-form.js';
import { Note } from '../../kit/note.js';
import { StaffPage, type StaffPageProps } from '../pages/staff-page.js';

interface AskPageProps {
  user: StaffUser;
  part: StaffPageProps['part'];
  title: string;
  guias: number;
  notes: string[];
  /** Of the form that was sent: its path, and its fields. */
  action: string;
  fields: Record<string, string>;
  back: string;
}

/** Asks before something is done with many guides. The same form with `confirmado` does it. */
export function renderAsk(props: AskPageProps): Promise<string> {
  const { user, part, title, guias, notes, action, fields, back } = props;
  return renderInTurn(
    <StaffPage title={guias === 0 ? 'Ninguna guía' : `¿${title}?`} user={user} {...(part && { part })}>
      {guias === 0 ? (
        <p>Ninguna: esas guías ya no tienen esa causa, o ya no coinciden.</p>
      ) : (
        <section class="card stack" data-confirmar={guias}>
          <p>Todavía no se hizo nada.</p>
          {notes.map((text) => (
            <Note tone="care">{text}</Note>
          ))}
          <PostForm action={action}>
            <Hidden fields={{ ...fields, confirmado: 'si' }} />
            <button type="submit" class="btn main">
              {yesTo(guias)}
            </button>
          </PostForm>
        </section>
      )}
      <p>
        <a href={back}>{guias === 0 ? 'Volver' : 'No, volver'}</a>
      </p>
    </StaffPage>,
  );
}

/** Of the button that does it. */
const yesTo = (guias: number) => (guias === 1 ? 'Sí, a esa guía' : `Sí, a las ${grouped(guias)}`);
