import { RESULTADOS_DE_INTENTO } from '../../notifications/messages/mensaje-intento.entity.js';
import { ESTADOS_DE_MENSAJE } from '../../notifications/messages/mensaje-estado.js';
import type { HistoryEntry, TryEntry } from '../../notifications/messages/message-history.queries.js';
import { MENSAJE_TIPO_NAMES } from '../../notifications/providers/messaging-provider.js';
import { Badge, Clave, grouped, Table, Time } from '../pages/elements.js';

interface MessagesProps {
  /** Number. */
  guia: string;
  /** Whether the user may send one that waits. */
  canAct: boolean;
  /** Oldest first. */
  mensajes: HistoryEntry[];
  tries: TryOfMessage[];
  /** The rows of each table that are shown. */
  last: <Row>(rows: Row[]) => Row[];
  zone: string;
}

/** The messages to the recipient, and each try. */
export function GuiaMessages({ guia, canAct, mensajes, tries, last, zone }: MessagesProps) {
  return (
    <section>
      <h2>Mensajes al destinatario</h2>
      <Messages guia={guia} canAct={canAct} mensajes={last(mensajes)} zone={zone} />
      {tries.length > 0 && <Tries tries={last(tries)} zone={zone} />}
    </section>
  );
}

type MessageTableProps = Pick<MessagesProps, 'guia' | 'canAct' | 'mensajes' | 'zone'>;

function Messages({ guia, canAct, mensajes, zone }: MessageTableProps) {
  return (
    <Table
      label="Mensajes al destinatario"
      columns={['Creado', 'Mensaje', 'Estado', 'Intentos', 'Último cambio', 'Causa', 'Próximo intento']}
      rows={mensajes.map(({ id, creado_en, tipo, estado, intentos, actualizado_en, proximo_en, causa }) => [
        <Time at={creado_en} zone={zone} />,
        MENSAJE_TIPO_NAMES[tipo],
        <Badge tone={ESTADOS_DE_MENSAJE[estado].tone}>{ESTADOS_DE_MENSAJE[estado].name}</Badge>,
        intentos,
        <Time at={actualizado_en} zone={zone} />,
        causa,
        estado === 'pendiente' && (
          <>
            <Time at={proximo_en} zone={zone} />
            {canAct && (
              <form method="post" action={`/admin/guias/${guia}/mensajes/${id}/enviar`}>
                <Clave />
                <button type="submit">Enviar ahora</button>
              </form>
            )}
          </>
        ),
      ])}
    />
  );
}

interface TryOfMessage extends TryEntry {
  mensaje: HistoryEntry;
}

/** The tries of all messages, oldest first. */
export function triesOf(mensajes: HistoryEntry[]): TryOfMessage[] {
  return mensajes
    .flatMap((mensaje) => mensaje.historial.map((one) => ({ ...one, mensaje })))
    .sort((a, b) => a.en.localeCompare(b.en));
}

function Tries({ tries, zone }: { tries: TryOfMessage[]; zone: string }) {
  return (
    <>
      <h3>Cada intento</h3>
      <Table
        label="Intentos de enviar los mensajes"
        columns={['Cuándo', 'Mensaje creado', 'Qué pasó', 'Causa']}
        rows={tries.map(({ en, mensaje, resultado, veces, causa }) => [
          <Time at={en} zone={zone} />,
          <Time at={mensaje.creado_en} zone={zone} />,
          <>
            <Badge tone={RESULTADOS_DE_INTENTO[resultado].tone}>
              {RESULTADOS_DE_INTENTO[resultado].name}
            </Badge>
            {veces > 1 && ` ${grouped(veces)} veces; aquí la última`}
          </>,
          causa,
        ])}
      />
    </>
  );
}
