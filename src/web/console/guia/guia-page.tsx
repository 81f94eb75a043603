import { EstadoBadge } from '../../kit/guia.js';
import { Note } from '../../kit/note.js';
import { mayAct } from '../../../platform/config/board-users.js';
import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { editableIn } from '../../../guias/changes/editable-fields.js';
import { ADVERTENCIAS, outlastingFor, type GuiaAdvertencia } from '../../../guias/guia/guia-advertencia.js';
import { ESTADOS, OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { isMove, standingMoves } from '../../../guias/guia/standing-moves.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import { money } from '../../../guias/guia/local-format.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { Band } from '../../kit/band.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { AuditTable } from '../pages/audit-table.js';
import type { Outcome } from '../audit/audit.service.js';
import { Badge } from '../../kit/elements.js';
import { Press } from '../../kit/post-form.js';
import { StaffPage } from '../pages/staff-page.js';
import { advertenciaText } from '../texts.js';
import { CobroForm } from './cobro-form.js';
import { isOfSettled } from './settled-text.js';
import { GuiaActions, NoteForm, type RefusedForm } from './guia-actions.js';
import { GuiaLoad, GuiaPlace } from './guia-facts.js';
import { GuiaTimeline } from './guia-timeline.js';
import type { GuiaOverview } from './guia-overview.service.js';
import { mayUndo } from './may-undo.js';
import { Registrar } from './registrar.js';
import type { PilotoOption } from './registrar.service.js';
import { situationOf } from './situation.js';
import { storyOf, type Vista } from './story.js';

interface GuiaPageProps extends GuiaOverview {
  user: StaffUser;
  outcome: Outcome | undefined;
  /** Whether the phone is shown whole, which has been logged. */
  showsPhone: boolean;
  /** The part of the timeline that is shown, and whether all of it. */
  vista: Vista;
  showsAll: boolean;
  refused: RefusedForm | undefined;
  /** Whose cash a delivery may be; undefined where nothing is registered. */
  pilotos: PilotoOption[] | undefined;
  tiles: MapTiles | null;
}

export function renderGuia(props: GuiaPageProps): Promise<string> {
  const { user, merchant, guia, acciones, showsPhone, isOptedOut, refused } = props;
  const zone = timeZoneOf(merchant.country);
  const canAct = mayAct(user, 'soporte');
  const { estado } = guia;
  const { name } = ESTADOS[estado];
  // The amount is of the delivery: earlier moves do not touch it.
  const mayTakeBackSettled = estado !== 'entregado' || mayAct(user, 'despacho');
  const canCorrect = {
    telefono: editableIn('telefono', 'soporte').includes(estado),
    destino: editableIn('maps_url', 'soporte').includes(estado),
    palabras: editableIn('notas', 'soporte').includes(estado),
    deshacer: mayUndo(props.eventos, mayTakeBackSettled ? undefined : props.cobro, Date.now()),
    cobro: estado === 'entregado' && mayAct(user, 'despacho'),
    notas: true,
    registrar: props.pilotos !== undefined,
  };
  // Where the form is no longer offered, there is no field to lead to.
  const outcome = refused
    ? {
        resultado: 'rechazado' as const,
        nota: refused.nota,
        ...(canCorrect[refused.form] &&
          !isOfSettled(refused.nota) && {
            faults: refused.typed.faults.map((fault) => ({
              ...fault,
              mensaje: fault.mensaje.replace(/^No se hizo: /, ''),
            })),
          }),
      }
    : props.outcome;
  const situation = situationOf(props);
  const phone = { e164: guia.telefono, text: groupedPhone(guia.telefono, merchant.country) };
  return renderInTurn(
    <StaffPage
      title={`Guía ${inFours(guia.guia)}`}
      back={['/admin', 'Hoy']}
      user={user}
      outcome={outcome}
      beside={
        <>
          {canAct && (
            <label class="vh">
              Número
              <input type="text" readOnly tabIndex={-1} value={guia.guia} data-copy />
            </label>
          )}
          {situation.title !== name && <EstadoBadge estado={estado} />}
          {isOptedOut && <Badge tone="care">Pidió no recibir mensajes</Badge>}
          <span class="end">
            {guia.external_ref !== null && (
              <>
                Pedido <b>{guia.external_ref}</b> ·{' '}
              </>
            )}
            {/* A test twin has no page of its own. */}
            {merchant.isTest ? (
              merchant.name
            ) : (
              <a href={`/admin/comercios/${merchant.id}`}>{merchant.name}</a>
            )}
          </span>
        </>
      }
    >
      {merchant.isTest && (
        <Note tone="care">
          Es una guía de prueba: nadie la recoge ni la entrega, y no se escribe a nadie.
        </Note>
      )}
      <Band {...situation} zone={zone}>
        {canAct && (
          <GuiaActions
            {...props}
            can={canCorrect}
            settled={settledOf(props)}
            step={situation.step}
            phone={showsPhone ? phone : undefined}
          />
        )}
      </Band>
      {props.pilotos && (
        <Registrar
          guia={guia}
          merchant={merchant}
          piloto={props.piloto}
          pilotos={props.pilotos}
          movedAt={movedAt(props.eventos)}
          zone={zone}
          usuario={user.name}
          typed={refused?.form === 'registrar' ? refused.typed : undefined}
        />
      )}
      <Warnings guia={guia.guia} codes={guia.advertencias} canAct={canAct} />
      <div class="split">
        <div>
          <GuiaPlace
            guia={guia}
            eventos={props.eventos}
            tiles={props.tiles}
            phone={
              showsPhone ? (
                <strong class="num">{phone.text}</strong>
              ) : (
                <>
                  termina en <b>{guia.telefono.slice(-2)}</b>
                  {canAct && <span class="soft t2"> · verlo queda en la auditoría</span>}
                </>
              )
            }
          />
          <GuiaLoad {...{ user, merchant, guia, zone }} cobro={props.cobro} piloto={props.piloto}>
            {canCorrect.cobro && (
              <CobroForm
                guia={guia}
                country={merchant.country}
                settled={settledOf(props)}
                typed={refused?.form === 'cobro' ? refused.typed : undefined}
                isAsked={refused?.form === 'cobro' && isOfSettled(refused.nota)}
              />
            )}
          </GuiaLoad>
          {canAct && <NoteForm guia={guia.guia} refused={refused} />}
          <details class="card stack">
            <summary>Lo que hizo soporte ({acciones.length})</summary>
            <AuditTable actions={acciones} zone={zone} isOfGuia />
          </details>
        </div>
        <GuiaTimeline
          guia={guia.guia}
          lines={storyOf({ ...props, textos: canAct ? props.textos : [] })}
          vista={props.vista}
          showsAll={props.showsAll}
          texts={canAct ? props.texts : new Map()}
          canAct={canAct}
          canApply={mayAct(user, 'despacho') && OPEN_ESTADOS.includes(guia.estado)}
          moneda={guia.moneda}
          country={merchant.country}
          zone={zone}
        />
      </div>
      <p class="soft">Horas de {zone}; la hora UTC aparece al señalarlas.</p>
    </StaffPage>,
  );
}

/** When the guide's state last changed, ISO 8601. */
function movedAt(eventos: GuiaOverview['eventos']): string | undefined {
  const last = standingMoves(eventos.filter(isMove)).at(-1);
  return last && (last.ocurrido_en ?? last.creado_en);
}

/** Warnings that stand in support's first page until somebody has seen them. */
const ATTENDED: readonly string[] = outlastingFor('soporte');

interface WarningsProps {
  guia: string;
  codes: string[];
  canAct: boolean;
}

function Warnings({ guia, codes, canAct }: WarningsProps) {
  if (codes.length === 0) return null;
  return (
    <Note tone="care">
      <ul>
        {codes.map((code) => (
          <li>
            {Object.hasOwn(ADVERTENCIAS, code) ? advertenciaText(code as GuiaAdvertencia) : code}
            {canAct && ATTENDED.includes(code) && (
              <Press action={`/admin/guias/${guia}/advertencias`} fields={{ codigo: code }}>
                Ya lo vi
              </Press>
            )}
          </li>
        ))}
      </ul>
    </Note>
  );
}

/** The collected amount of a delivered guide, where it is part of a settlement. */
function settledOf({ guia, cobro, merchant }: GuiaPageProps): string | undefined {
  if (guia.estado !== 'entregado' || (cobro?.liquidacion ?? null) === null) return undefined;
  return money(guia.cod_cobrado ?? 0, guia.moneda, merchant.country);
}
