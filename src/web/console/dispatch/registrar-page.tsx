import { canMove, ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { counted, grouped, Table } from '../../kit/elements.js';
import { Hidden, PostForm } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { happenedName, NoteField, ReasonField, WhenField } from '../guia/registrar.js';
import { DE_VARIAS, type RegistroDeVarias } from '../guia/registrar.service.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import type { ScannedRow } from './dispatch.queries.js';

const PART = '/admin/despacho';

interface RegistrarPageProps {
  user: StaffUser;
  guias: string[];
  rows: ScannedRow[];
  action: string;
  back: string;
  /** Once it was refused. */
  outcome: Outcome | undefined;
  typed: TypedForm | undefined;
}

/** Form that registers one event of many guides: offers every state that is next of any of them. */
export function renderRegistrar(props: RegistrarPageProps): Promise<string> {
  const { user, guias, rows, action, back, outcome, typed } = props;
  const ready = (estado: GuiaEstado) => rows.filter((row) => canMove(row.estado, estado)).length;
  const offered = DE_VARIAS.filter((estado) => ready(estado) > 0);
  return renderInTurn(
    <StaffPage
      title={`Registrar en ${counted(guias.length, 'guía')}`}
      user={user}
      part={PART}
      back={[back, 'Despacho']}
      outcome={outcome}
    >
      <p class="soft">{standingText(rows)}</p>
      {offered.length === 0 ? (
        <p>
          De aquí no se registra nada en estas guías: ninguna puede pasar a recogida, en ruta o no se pudo.
        </p>
      ) : (
        <PostForm action={action} class="stack">
          <Hidden fields={{ guias }} />
          <Field
            label="Qué pasó"
            name="estado"
            typed={typed}
            options={[
              ['', 'Elija'],
              ...offered.map(
                (estado) =>
                  [
                    estado,
                    `${happenedName(estado)} (${grouped(ready(estado))} de ${grouped(guias.length)})`,
                  ] as const,
              ),
            ]}
          />
          {offered.includes('intento_fallido') && <ReasonField typed={typed} />}
          <WhenField typed={typed}>Hora del país de cada comercio. Vacío: ahora.</WhenField>
          <NoteField typed={typed} />
          <p class="soft">Queda en la historia a nombre de soporte, y en la auditoría como {user.name}.</p>
          <p>
            <button type="submit" class="btn main">
              <Icon name="check" />
              Registrar en {counted(guias.length, 'guía')}
            </button>
          </p>
        </PostForm>
      )}
    </StaffPage>,
  );
}

interface RegistradasPageProps {
  user: StaffUser;
  outcome: Outcome | undefined;
  /** Undefined where the form was sent before, or it still goes on. */
  made: RegistroDeVarias[] | undefined;
  back: string;
}

/** In how many guides it was registered, and in which not, and why. */
export function renderRegistradas({ user, outcome, made = [], back }: RegistradasPageProps): Promise<string> {
  const refused = made.flatMap(({ guia, rechazo }) => (rechazo ? [{ guia, rechazo }] : []));
  return renderInTurn(
    <StaffPage title="Registrar" user={user} part={PART} back={[back, 'Despacho']} outcome={outcome}>
      {made.length > 0 && (
        <p>
          <b data-hechas>{made.length - refused.length}</b> de {grouped(made.length)} quedaron registradas.
        </p>
      )}
      {refused.length > 0 && (
        <section>
          <h2>No se registró, y por qué</h2>
          <Table
            label="No se registró, y por qué"
            columns={['Guía', 'Por qué']}
            rows={refused.map(({ guia, rechazo }) => [
              /^\d{12}$/.test(guia) ? <GuiaLink guia={guia} /> : guia.slice(0, 40),
              (rechazo.errores ?? [])
                .map(({ mensaje }) => mensaje)
                .concat(rechazo.errores ? [] : rechazo.detail)
                .join(' ')
                .replaceAll('`', ''),
            ])}
            dataOf={(n) => ({ 'data-guia': refused[n]!.guia, 'data-rechazo': refused[n]!.rechazo.codigo })}
          />
        </section>
      )}
    </StaffPage>,
  );
}

/** `12 en «Recogida», 3 en «En ruta»`. */
function standingText(rows: readonly ScannedRow[]): string {
  const counts = new Map<GuiaEstado, number>();
  for (const { estado } of rows) counts.set(estado, (counts.get(estado) ?? 0) + 1);
  return [...counts].map(([estado, count]) => `${grouped(count)} en «${ESTADOS[estado].name}»`).join(', ');
}
