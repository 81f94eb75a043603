import type { ComponentChildren } from 'preact';
import { nextEstados, ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { MOTIVOS } from '../../../guias/guia/guia-motivo.js';
import { MAX } from '../../../guias/guia/limits.js';
import { PAGO_CODES, PAGOS, USUAL_PAGO } from '../../../guias/guia/pago.js';
import { money } from '../../../guias/guia/local-format.js';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { capitalised } from '../../../platform/validation/text.js';
import { When } from '../../kit/elements.js';
import { PostForm } from '../../kit/post-form.js';
import { Check, Choices, Field, type TypedForm } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import type { PilotoOption } from './registrar.service.js';

/** Without one it is the usual one: none is sent with another state. */
const PAGO_OPTIONS = PAGO_CODES.map(
  (one) => [one === USUAL_PAGO ? '' : one, capitalised(PAGOS[one])] as const,
);

interface RegistrarProps {
  guia: GuiaDetalleRow;
  merchant: Merchant;
  piloto: PilotoOption | undefined;
  pilotos: PilotoOption[];
  /** When its state last changed, ISO 8601; undefined for never. */
  movedAt: string | undefined;
  zone: string;
  usuario: string;
  typed: TypedForm | undefined;
}

export function happenedName(estado: GuiaEstado, from?: GuiaEstado): string {
  if (estado === 'intento_fallido') return 'No se pudo entregar';
  return estado === 'recogido' && from === 'en_ruta' ? 'Volvió a bodega' : ESTADOS[estado].name;
}

/** Form for an event that nobody could report: the next states, and the fields of each. */
export function Registrar(props: RegistrarProps) {
  const { guia, merchant, piloto, pilotos, movedAt, zone, usuario, typed } = props;
  const next = nextEstados(guia.estado);
  const chosen = typed?.fields['estado'] ?? (next.length === 1 ? next[0] : undefined);
  const needsReason = next.includes('intento_fallido');
  return (
    <details class="card stack" id="registrar" open={typed !== undefined}>
      <summary>
        <b>Registrar…</b> <span class="soft">lo que pasó y nadie pudo mandar</span>
      </summary>
      <PostForm action={`/admin/guias/${guia.guia}/registrar`} class="stack">
        <div class={next.includes('entregado') ? 'split' : 'stack'}>
          <div>
            <Choices
              label="Qué pasó"
              name="estado"
              type="radio"
              options={next.map((estado) => [estado, happenedName(estado, guia.estado)])}
              chosen={[chosen]}
              typed={typed}
              required
            />
            <WhenField typed={typed}>
              {movedAt === undefined ? (
                'Vacío: ahora.'
              ) : (
                <>
                  Después de <When at={movedAt} zone={zone} />. Vacío: ahora.
                </>
              )}
            </WhenField>
            {needsReason && <ReasonField typed={typed} />}
            <NoteField typed={typed} />
          </div>
          {next.includes('entregado') && (
            <div>
              <h3>Si se entregó: dinero y quién recibió</h3>
              <Field label="Cobró" name="cod_cobrado" inputMode="decimal" typed={typed} maxLength={40}>
                <span class="soft t2">
                  {guia.cod_amount > 0
                    ? `Debía cobrar ${money(guia.cod_amount, guia.moneda, merchant.country)}. Si no cobró nada, 0.`
                    : 'No debía cobrar nada.'}
                </span>
              </Field>
              {guia.cod_amount > 0 && (
                <Field label="Cómo pagó" name="pago" typed={typed} options={PAGO_OPTIONS}>
                  <span class="soft t2">Directo al comercio: sin monto, no se cobra nada.</span>
                </Field>
              )}
              <Field
                label="De quién es el efectivo"
                name="piloto"
                typed={typed}
                options={[
                  [
                    '',
                    piloto === undefined
                      ? 'De nadie: no tiene piloto'
                      : `De quien la lleva: ${piloto.nombre}`,
                  ],
                  ...pilotos.map(({ id, nombre }) => [id, nombre] as const),
                ]}
              />
              <Field label="Quién recibió" name="recibio" typed={typed} maxLength={MAX.recibio} />
              <Field label="PIN, si el comercio lo pide" name="pin" typed={typed} maxLength={MAX.pin} />
              <Check label="Entregada sin PIN: la nota dice por qué" name="sin_pin" typed={typed} />
            </div>
          )}
        </div>
        <div class="row">
          <span class="soft grow">
            Queda en la historia a nombre de soporte, y en la auditoría como {usuario}.
          </span>
          <button type="submit" class="btn main">
            <Icon name="check" />
            Registrar
          </button>
        </div>
      </PostForm>
    </details>
  );
}

interface OwnFieldProps {
  typed: TypedForm | undefined;
}

export function WhenField({ typed, children }: OwnFieldProps & { children: ComponentChildren }) {
  return (
    <Field label="A qué hora" name="ocurrido_en" type="datetime-local" typed={typed}>
      <span class="soft t2">{children}</span>
    </Field>
  );
}

export function ReasonField({ typed }: OwnFieldProps) {
  return (
    <Field
      label="Por qué no se pudo"
      name="motivo"
      typed={typed}
      options={[
        ['', 'Solo si no se pudo'],
        ...Object.entries(MOTIVOS).map(([code, text]) => [code, capitalised(text)] as const),
      ]}
    />
  );
}

export function NoteField({ typed }: OwnFieldProps) {
  return <Field label="Nota (la ve el comercio)" name="nota" typed={typed} isLong maxLength={MAX.nota} />;
}
