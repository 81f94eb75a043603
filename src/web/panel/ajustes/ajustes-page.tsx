import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { CorreoState } from '../../kit/correo-state.js';
import { Facts, Time } from '../../kit/elements.js';
import { PostForm } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import type { PanelEnlace } from '../entrada/panel-enlace.entity.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { may, type Visit } from '../visit.js';

interface AjustesPageProps {
  visit: Visit;
  /** Null in the test mode. */
  merchant: Comercio | null;
  /** The link of an address that waits to be confirmed. */
  waiting: PanelEnlace | null;
  done?: string | undefined;
  refusal?: Refusal | undefined;
}

const YES_OR_NO = [
  ['si', 'Sí'],
  ['no', 'No'],
] as const;

/** Where a merchant is written to, and of what. */
export function renderAjustes({ visit, merchant, waiting, done, refusal }: AjustesPageProps): string {
  const canChange = may(visit, 'guias:escribir');
  return renderPage(
    <PanelPage title="Ajustes" visit={visit} done={done} refusal={refusal}>
      {merchant ? (
        <>
          {merchant.correo_rechazo !== null && (
            <Note tone="bad">
              Su correo no recibe lo que le mandamos. Escriba otro, o corríjalo con quien lo administra.
            </Note>
          )}
          <section class="card">
            <Facts
              facts={[
                ['Correo', <CorreoState merchant={merchant} />],
                [
                  'Por confirmar',
                  waiting && (
                    <>
                      {waiting.correo}; el enlace sirve hasta{' '}
                      <Time at={waiting.vence_en.toISOString()} zone={visit.zone} />
                    </>
                  ),
                ],
                ['Resumen', !canChange && (merchant.con_resumen ? 'Sí' : 'No')],
                ['Avisos', !canChange && (merchant.con_avisos ? 'Sí' : 'No')],
              ]}
            />
          </section>
          {canChange && (
            <AjustesForm merchant={merchant} hasCorreo={may(visit, 'claves')} refusal={refusal} />
          )}
        </>
      ) : (
        <p>En modo de prueba no hay correo ni avisos.</p>
      )}
    </PanelPage>,
  );
}

interface AjustesFormProps {
  merchant: Comercio;
  /** Whether the address may be changed. */
  hasCorreo: boolean;
  refusal: Refusal | undefined;
}

function AjustesForm({ merchant, hasCorreo, refusal }: AjustesFormProps) {
  const { correo, con_resumen, con_avisos } = merchant;
  return (
    <PostForm action="/panel/ajustes" class="card stack">
      {hasCorreo && (
        <Field label="Correo" name="correo" type="email" value={correo ?? undefined} typed={refusal}>
          <span class="soft t2">
            Con él entra al panel. Si lo cambia, le mandamos un enlace al nuevo, y vale desde que lo toca; las
            sesiones que empezaron con el de antes terminan.
          </span>
        </Field>
      )}
      <Field
        label="Resumen: cada mañana a las 7, lo que debe resolver"
        name="resumen"
        value={con_resumen ? 'si' : 'no'}
        typed={refusal}
        options={YES_OR_NO}
      />
      <Field
        label="Avisos: en el momento, lo que no puede esperar"
        name="avisos"
        value={con_avisos ? 'si' : 'no'}
        typed={refusal}
        options={YES_OR_NO}
      />
      <button type="submit" class="btn main">
        Guardar
      </button>
    </PostForm>
  );
}
