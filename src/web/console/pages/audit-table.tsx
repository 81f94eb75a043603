import { Badge, Table, Time } from '../../kit/elements.js';
import { GuiaLink } from './guia-link.js';
import { ACCIONES, RESULTADOS } from '../audit/acciones.js';
import type { AuditRow } from '../audit/audit.queries.js';

const TONES = {
  hecho: 'good',
  en_curso: 'care',
  rechazado: 'off',
  fallo: 'bad',
  interrumpida: 'bad',
} as const;

/** Support's actions. @param zone IANA time zone of the times. */
export function AuditTable(props: { actions: AuditRow[]; zone: string; isOfGuia?: boolean }) {
  const { actions, zone, isOfGuia = false } = props;
  const columns = ['Cuándo', 'Quién', 'Qué', ...(isOfGuia ? [] : ['Sobre']), 'Resultado'];
  return (
    <Table
      label="Lo que hizo soporte"
      columns={columns}
      empty="Nadie de soporte ha hecho nada aquí."
      rows={actions.map((action) => [
        <Time at={action.creado_en} zone={zone} />,
        action.usuario,
        ACCIONES[action.accion],
        ...(isOfGuia ? [] : [<Subject {...action} />]),
        <>
          <Badge tone={TONES[action.resultado]}>{RESULTADOS[action.resultado]}</Badge> {action.nota}
        </>,
      ])}
    />
  );
}

function Subject({ guia, comercio_id, comercio, webhook_id, detalle }: AuditRow) {
  const fragment = webhook_id === null ? '' : `#w-${webhook_id}`;
  return (
    <>
      {guia !== null && (
        <>
          guía <GuiaLink guia={guia} />
        </>
      )}{' '}
      {comercio_id !== null && (
        <a href={`/admin/comercios/${comercio_id}${fragment}`}>{comercio ?? 'comercio'}</a>
      )}{' '}
      {detalle}
    </>
  );
}
