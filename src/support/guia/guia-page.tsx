import { mayAct } from '../../config/board-users.js';
import { askRefusal } from '../../guias/changes/ask-again.js';
import { EDITABLE_IN } from '../../guias/changes/editable-fields.js';
import { ADVERTENCIAS, type GuiaAdvertencia } from '../../guias/guia-advertencia.js';
import { ESTADOS } from '../../guias/guia-estado.js';
import { timeZoneOf } from '../../validation/time-zone.js';
import { renderPage } from '../../html/page.js';
import type { StaffUser } from '../admin-access.js';
import { AuditTable } from '../audit/audit-table.js';
import type { Outcome } from '../audit/audit.service.js';
import { Badge, Time } from '../pages/elements.js';
import { StaffPage } from '../pages/staff-page.js';
import { advertenciaText } from '../texts.js';
import { GuiaActions, PhoneButton } from './guia-actions.js';
import { GuiaDeliveries } from './guia-deliveries.js';
import { GuiaFacts } from './guia-facts.js';
import { GuiaHistory } from './guia-history.js';
import { GuiaMessages, triesOf } from './guia-messages.js';
import type { GuiaOverview } from './guia-overview.service.js';

/** Rows of each history on the page, the last ones; `?todo` shows all. */
const SHOWN = 25;

interface GuiaPageProps extends GuiaOverview {
  user: StaffUser;
  outcome: Outcome | undefined;
  /** Whether the phone is shown whole, which has been logged. */
  showsPhone: boolean;
  /** Whether the whole history is shown. */
  showsAll: boolean;
}

/** Everything about a guide, and the actions on it. */
export function renderGuia(props: GuiaPageProps): string {
  const { user, outcome, merchant, guia, eventos, mensajes, entregas, notas, acciones, showsPhone } = props;
  const zone = timeZoneOf(merchant.country);
  const canAct = mayAct(user, 'soporte');
  const last = <T,>(rows: T[]) => (props.showsAll ? rows : rows.slice(-SHOWN));
  const tries = triesOf(mensajes);
  const estado = guia.estado;
  const { name, tone, isOpen } = ESTADOS[estado];
  return renderPage(
    <StaffPage title={`Guía ${guia.guia}`} user={user} outcome={outcome}>
      <p>
        <Badge tone={tone}>{name}</Badge>{' '}
        <Badge tone={guia.direccion_confirmada ? 'good' : isOpen ? 'wait' : 'plain'}>
          {guia.direccion_confirmada ? 'Dirección confirmada' : 'Dirección sin confirmar'}
        </Badge>
      </p>
      {merchant.isTest && (
        <p class="notice wait">
          Es una guía de prueba: nadie la recoge ni la entrega, y no se escribe a nadie.
        </p>
      )}
      <Warnings codes={guia.advertencias} />
      <GuiaFacts
        merchant={merchant}
        guia={guia}
        cobro={props.cobro}
        zone={zone}
        phone={
          showsPhone ? (
            <strong>{guia.telefono}</strong>
          ) : (
            <PhoneButton guia={guia.guia} end={guia.telefono.slice(-2)} canAct={canAct} />
          )
        }
      />
      {canAct && (
        <GuiaActions
          guia={guia.guia}
          canAskAgain={askRefusal({ estado, advertencias: [] }) === undefined}
          isDenied={guia.advertencias.includes('destinatario_niega')}
          canCorrectPhone={EDITABLE_IN.telefono.includes(estado)}
          canCorrectDestination={EDITABLE_IN.maps_url.includes(estado)}
        />
      )}
      {notas.length > 0 && (
        <section>
          <h2>Notas de soporte</h2>
          {notas.map(({ usuario, texto, creado_en }) => (
            <>
              <h3>
                {usuario}, <Time at={creado_en} zone={zone} />
              </h3>
              <pre>{texto}</pre>
            </>
          ))}
        </section>
      )}
      <GuiaMessages
        guia={guia.guia}
        canAct={canAct}
        mensajes={mensajes}
        tries={tries}
        last={last}
        zone={zone}
      />
      <GuiaDeliveries guia={guia.guia} entregas={entregas} eventos={eventos} last={last} zone={zone} />
      <GuiaHistory eventos={eventos} last={last} zone={zone} />
      <section>
        <h2>Lo que hizo soporte</h2>
        <AuditTable actions={acciones} zone={zone} isOfGuia />
      </section>
      {!props.showsAll && [eventos, mensajes, tries, entregas].some((rows) => rows.length > SHOWN) && (
        <p>
          Se muestran los últimos {SHOWN} de cada lista.{' '}
          <a href={`/admin/guias/${guia.guia}?todo=si`}>Ver todo</a>
        </p>
      )}
      <p class="muted">Horas de {zone}; la hora UTC aparece al señalarlas.</p>
    </StaffPage>,
  );
}

function Warnings({ codes }: { codes: string[] }) {
  if (codes.length === 0) return null;
  return (
    <ul class="notice bad">
      {codes.map((code) => (
        <li>{Object.hasOwn(ADVERTENCIAS, code) ? advertenciaText(code as GuiaAdvertencia) : code}</li>
      ))}
    </ul>
  );
}
