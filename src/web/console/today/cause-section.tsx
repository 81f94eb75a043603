import { mayAct } from '../../../platform/config/board-users.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import type { StaffUser } from '../admin-access.js';
import type { MasivaProgress } from '../../../support/bulk/bulk.queries.js';
import type { MasivaAccion } from '../../../support/bulk/masiva.entity.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { Ago, Badge, counted, Disc, grouped, Table, When } from '../../kit/elements.js';
import { Hidden, PostForm, Press } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { Icon, type IconName } from '../../kit/icon.js';
import type { CausaGroup, Clase } from '../../../support/causes/causes.queries.js';
import { causeTitle, countedTitle, explanationOf, MAIN, type Cause } from './cause.js';

const SHOWN = 8;

/** Different answers of the bridge that a cause shows. */
const SHOWN_WORDS = 3;

/** Address and hidden fields of an action with all guides of a cause, or those of one merchant. */
export const actOf = (causa: string, comercioId: string | null, accion: MasivaAccion) => ({
  action: `/admin/causas/${causa}`,
  fields: { accion, comercio: comercioId },
});

interface ActionsProps {
  cause: Cause;
  comercioId: string | null;
  guias: number;
  /** Name of the merchant, for screen readers. */
  of: string;
  look?: 'main' | 'small' | false;
  /** A note that was refused: it stays in its field. */
  refused?: string | undefined;
}

function Main({ cause: { clave, clase }, comercioId, guias, of, look = false }: ActionsProps) {
  const main = MAIN[clase];
  if (!main) return null;
  return (
    <Press {...actOf(clave, comercioId, main.accion)} look={look} icon={look !== 'small' && 'send'}>
      {guias === 1 ? main.one : `${main.many} ${grouped(guias)}`}
      <span class="vh"> ({of})</span>
    </Press>
  );
}

function PutOff({ cause: { clave }, comercioId, of }: ActionsProps) {
  return (
    <Press {...actOf(clave, comercioId, 'atender')} look="small text">
      Atendida hasta mañana<span class="vh"> ({of})</span>
    </Press>
  );
}

function Note({ cause: { clave }, comercioId, guias, of, refused }: ActionsProps) {
  const { action, fields } = actOf(clave, comercioId, 'anotar');
  return (
    <details class="fold" open={refused !== undefined}>
      <summary class="btn small">
        <Icon name="note" />
        Nota para todas<span class="vh"> ({of})</span>
      </summary>
      <PostForm action={action}>
        <Hidden fields={fields} />
        <Field
          label="Nota (la ve solo soporte)"
          name="texto"
          value={refused}
          isLong
          required
          maxLength={1_000}
        />
        <button type="submit" class="btn">
          {guias === 1 ? 'Guardar la nota' : `Guardar en ${grouped(guias)}`}
        </button>
      </PostForm>
    </details>
  );
}

interface CauseSectionProps {
  cause: Cause;
  user: StaffUser;
  running: MasivaProgress[];
  shown?: number;
  /** Whether its action is the page's most sensible one. */
  isMain?: boolean;
  isWhole?: boolean;
  /** A note that was refused. */
  refused?: string | undefined;
}

/** A cause: how many guides of which merchants since when, and what can be done with all of them. */
export function CauseSection(props: CauseSectionProps) {
  const { cause, user, running, shown = SHOWN, isMain = false, isWhole, refused } = props;
  const { clave, groups, guias } = cause;
  const canAct = mayAct(user, 'soporte');
  const isRunning = (comercioId: string | null) =>
    running.some(
      ({ causa, comercio_id, terminado_en }) =>
        causa === clave && terminado_en === null && (comercio_id === null || comercio_id === comercioId),
    );
  const rest = groups.slice(shown);
  const palabras = [...new Set(groups.flatMap((group) => group.palabras ?? []))].slice(0, SHOWN_WORDS);
  const [icon, tone] = PICTURES[cause.clase];
  const [only] = groups.length === 1 ? groups : [];
  const all = {
    cause,
    comercioId: only?.comercio_id ?? null,
    guias,
    of: only?.comercio ?? 'todos los comercios',
    refused,
  };
  const actionsOf = ({ comercio_id: comercioId, comercio: of, guias: count }: CausaGroup) => {
    if (isRunning(comercioId))
      return (
        <Badge tone="ask" icon="clock">
          En curso
        </Badge>
      );
    const own = { cause, comercioId, guias: count, of };
    return (
      <>
        {!only && <Main {...own} look="small" />}
        <PutOff {...own} />
      </>
    );
  };
  return (
    <section class="card stack even" id={clave}>
      <div class="row">
        <Disc tone={tone} icon={icon} />
        <span class="grow">
          {!isWhole && (
            <h2>
              <a href={`/admin/causas/${clave}`}>{countedTitle(cause)}</a>
            </h2>
          )}
          <span class="soft">{explanationOf(cause)}</span>
          {palabras.map((text) => (
            <p class="soft">
              El puente respondió: «<bdi>{text}</bdi>»
            </p>
          ))}
        </span>
        {canAct && !isRunning(all.comercioId) && <Main {...all} look={isMain && 'main'} />}
        {canAct && !isRunning(all.comercioId) && (
          <details class="fold" open={refused !== undefined}>
            <summary class="btn">
              <Icon name="more" />
              Más<span class="vh"> ({all.of})</span>
            </summary>
            <div class="row">
              <Note {...all} />
              {!only && <PutOff {...all} />}
            </div>
          </details>
        )}
      </div>
      <Table
        label={causeTitle(cause)}
        columns={['Comercio', 'Guías', 'Desde', 'La más antigua', ...(canAct ? [ACTS] : [])]}
        rows={groups.slice(0, shown).map((group) => {
          const zone = timeZoneOf(group.pais);
          return [
            <a href={`/admin/causas/${clave}?comercio=${group.comercio_id}`}>
              <b>{group.comercio}</b>
            </a>,
            grouped(group.guias),
            <When at={group.primera} zone={zone} />,
            <Ago at={group.primera} zone={zone} />,
            ...(canAct ? [actionsOf(group)] : []),
          ];
        })}
      />
      {rest.length > 0 && !isWhole && (
        <p>
          <a href={`/admin/causas/${clave}`}>y {counted(rest.length, 'comercio')} más</a>, con{' '}
          {grouped(rest.reduce((sum, group) => sum + group.guias, 0))} guías
        </p>
      )}
    </section>
  );
}

const ACTS = ['Qué hacer', 'acts'] as const;

const PICTURES: Record<Clase, [IconName, Tone]> = {
  mensajes: ['phone', 'bad'],
  'sin-confirmar': ['pin', 'care'],
  intentos: ['house', 'care'],
  advertencias: ['alert', 'care'],
};
