import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import type { AjusteRow } from '../../../cobros/ajustes.queries.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { MAX } from '../../../guias/guia/limits.js';
import { money } from '../../../guias/guia/local-format.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { Badge, NextPage, Table, When } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import type { StaffUser } from '../admin-access.js';
import { SETTLEMENTS } from '../closing-paths.js';
import { GuiaLink } from '../pages/guia-link.js';

interface AdjustmentsBoxProps {
  user: StaffUser;
  merchant: Comercio;
  /** First the pending ones. */
  ajustes: AjusteRow[];
  /** The last one of them, where more are pending. */
  more: string | undefined;
  typed?: TypedForm | undefined;
}

/** Pending adjustments of a merchant, the form of a new one, and buttons to remove them. */
export function AdjustmentsBox({ user, merchant, ajustes, more, typed }: AdjustmentsBoxProps) {
  const { id, moneda, pais } = merchant;
  const zone = timeZoneOf(pais);
  const isActing = mayAct(user, 'despacho');
  const path = `/admin/comercios/${id}/ajustes`;
  return (
    <section class="card stack" id="ajustes">
      <div class="row">
        <h2 class="grow">Ajustes de lo que se le paga</h2>
        {isActing && (
          <a class="btn small" href={`${SETTLEMENTS}?comercio=${id}`}>
            Sus liquidaciones
          </a>
        )}
      </div>
      {isActing && (
        <Ask label="Nuevo ajuste" confirm="Hacer el ajuste" action={path} isOpen={typed !== undefined}>
          <p>La siguiente liquidación lo toma. Con signo menos se le quita.</p>
          <Field label={`Monto, en ${moneda}`} name="monto" typed={typed} required maxLength={20} />
          <Field
            label="Por qué (el comercio lo lee)"
            name="motivo"
            typed={typed}
            required
            maxLength={MAX.motivo}
          />
          <Field label="Guía (opcional)" name="guia" typed={typed} maxLength={36} />
        </Ask>
      )}
      <Table
        label="Ajustes"
        columns={['Por qué', 'Guía', 'Hecho', ['Monto', 'sum'], 'Estado', ['Qué hacer', 'acts']]}
        empty="No tiene ninguno."
        rows={ajustes.map(({ id: ajuste, motivo, guia, creado_en, monto, liquidacion, automatico }) => [
          <span data-ajuste={ajuste}>{motivo}</span>,
          guia !== null && <GuiaLink guia={guia} />,
          <When at={creado_en.toISOString()} zone={zone} />,
          <span class="num">{money(monto, moneda, pais)}</span>,
          liquidacion === null ? (
            <Badge tone="care">pendiente</Badge>
          ) : isActing ? (
            <a href={`${SETTLEMENTS}/${liquidacion}`}>liquidado</a>
          ) : (
            'liquidado'
          ),
          isActing && liquidacion === null && !automatico && (
            <Ask label="Quitar" confirm="Sí, quitarlo" action={`${path}/${ajuste}/quitar`}>
              <p>El ajuste de {money(monto, moneda, pais)} deja de contar para la siguiente liquidación.</p>
            </Ask>
          ),
        ])}
      />
      <NextPage path={`/admin/comercios/${id}`} cursor={more} name="ajustes" id="ajustes" />
    </section>
  );
}
