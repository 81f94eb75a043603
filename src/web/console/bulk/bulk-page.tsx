import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { Badge, counted, grouped, Table } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { GuiaLink } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import { NAMED, type MasivaProgress, type MasivaReason } from '../../../support/bulk/bulk.queries.js';
import type { MasivaAccion } from '../../../support/bulk/masiva.entity.js';

const TITLES: Record<MasivaAccion, (guias: string) => string> = {
  pedir: (guias) => `Pedir la ubicación a ${guias}`,
  reenviar: (guias) => `Enviar otra vez el mensaje de ${guias}`,
  anotar: (guias) => `Escribir una nota en ${guias}`,
  asignar: (guias) => `Asignar ${guias}`,
  atender: (guias) => `Atendidas hasta mañana: ${guias}`,
};

const DONE: Record<MasivaAccion, string> = {
  pedir: 'enviadas',
  reenviar: 'enviadas',
  anotar: 'anotadas',
  asignar: 'asignadas',
  atender: 'atendidas',
};

const countOf = (guias: number, comercio: string | null) =>
  comercio === null ? counted(guias, 'guía') : `${counted(guias, 'guía')} de ${comercio}`;

export const bulkTitle = ({ accion, total, comercio }: MasivaProgress) =>
  TITLES[accion](countOf(total, comercio));

/** @param comercio name of the merchant whose guides they are; null where they are of several. */
export const askTitle = (accion: MasivaAccion, guias: number, comercio: string | null) =>
  accion === 'atender'
    ? `Ocultar hasta mañana ${countOf(guias, comercio)}`
    : TITLES[accion](countOf(guias, comercio));

/** How far it is, in numbers. */
export function BulkProgress({ progress }: { progress: MasivaProgress }) {
  const { accion, total, faltan, por_salir, hechas, no, terminado_en } = progress;
  if (total === 0) return <p>Ninguna: esas guías ya no tienen esa causa.</p>;
  const isStopped = progress.detenida_en !== null;
  const isDone = isStopped || (terminado_en !== null && por_salir === 0);
  return (
    <>
      <p>
        <b>{grouped(hechas)}</b> {DONE[accion]}
        {por_salir > 0 && `, ${grouped(por_salir)} por salir`}
        {faltan > 0 && (isStopped ? `, ${grouped(faltan)} sin hacer` : `, faltan ${grouped(faltan)}`)}
        {no > 0 ? `, ${grouped(no)} no` : faltan > 0 ? '' : ', ninguna sin hacer'}.
      </p>
      {!isDone && (
        <progress max={total} value={hechas + no} aria-label={`${hechas + no} de ${total}`}>
          {hechas + no} de {total}
        </progress>
      )}
    </>
  );
}

interface BulkPageProps {
  user: StaffUser;
  progress: MasivaProgress;
  reasons: MasivaReason[];
  outcome: Outcome | undefined;
}

/** An action on many guides: how far it is, and which were not done, and why. */
export function renderBulk({ user, progress, reasons, outcome }: BulkPageProps): Promise<string> {
  const isEnded = progress.terminado_en !== null;
  const isStopped = progress.detenida_en !== null;
  const isRunning = !isEnded || progress.por_salir > 0;
  return renderInTurn(
    <StaffPage
      title={bulkTitle(progress)}
      back={['/admin', 'Hoy']}
      user={user}
      outcome={outcome}
      {...(isRunning && { script: 'hoy.js' })}
    >
      <section class="card stack" data-estado={isStopped ? 'detenida' : isEnded ? 'terminada' : 'en_curso'}>
        {isStopped && (
          <p>
            <Badge tone="care" icon="alert">
              Detenida
            </Badge>{' '}
            Lo que ya estaba hecho se queda así; lo demás no se hizo.
          </p>
        )}
        <BulkProgress progress={progress} />
        <p class="soft">
          Lo pidió {progress.usuario}. {isRunning && !isStopped && 'Sigue aunque cierre esta página.'}
        </p>
        {!isEnded && mayAct(user, 'soporte') && (
          <Ask label="Detener" confirm="Sí, detener" action={`/admin/masivas/${progress.id}/detener`} isRisk>
            <p>Lo que ya se hizo se queda así; lo que falta no se hace.</p>
          </Ask>
        )}
      </section>
      {reasons.length > 0 && (
        <section>
          <h2>No se hizo, y por qué</h2>
          <Table
            label="No se hizo, y por qué"
            columns={['Por qué', 'Guías', 'Cuáles']}
            rows={reasons.map(({ motivo, guias, numeros }) => [
              motivo,
              grouped(guias),
              <>
                {numeros.map((guia) => (
                  <>
                    <GuiaLink guia={guia} />{' '}
                  </>
                ))}
                {guias > NAMED && `y ${grouped(guias - NAMED)} más`}
              </>,
            ])}
          />
        </section>
      )}
    </StaffPage>,
  );
}
