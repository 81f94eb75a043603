import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { EDITABLE_IN, type EditableCampo } from '../../guias/changes/editable-fields.js';
import { OPEN_ESTADOS } from '../../guias/guia-estado.js';
import type { GuiaAdvertencia } from '../../guias/guia-advertencia.js';
import { MOTIVOS, type Motivo } from '../../guias/guia-motivo.js';
import type { EventoTipo } from '../../events/evento-tipo.js';
import { OMISIONES, type Omision } from '../../notifications/sending/send-decision.js';
import { ACTOR_NAMES, ESTADO_NAMES, EVENTO_NAMES, ORIGEN_NAMES, toneOf } from '../guia-names.js';
import { money, timeZoneOf } from '../../guias/local-format.js';
import { renderPage } from '../../html/page.js';
import type { HistoryEntry, TryEntry } from '../../notifications/messages/message-history.queries.js';
import type { DeliveryEntry } from '../../webhooks/deliveries/delivery-log.service.js';
import type { StaffUser } from '../admin-access.js';
import { AuditTable } from '../audit/audit-table.js';
import type { Outcome } from '../audit/audit.service.js';
import { Badge, Facts, grouped, Table, Time } from '../pages/elements.js';
import { MapLink, MapPoint } from '../pages/shown-link.js';
import { StaffPage } from '../pages/staff-page.js';
import {
  ADVERTENCIA_NAMES,
  CAMPO_NAMES,
  ENTREGA_ESTADO_NAMES,
  INTENTO_RESULTADO_NAMES,
  MENSAJE_ESTADO_NAMES,
  MENSAJE_TIPO_NAMES,
  WEBHOOK_EVENTO_NAMES_ES,
} from '../texts.js';
import { GuiaActions, PhoneButton } from './guia-actions.js';
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

/** Everything about a guide, and what can be done with it. */
export function renderGuia(props: GuiaPageProps): string {
  const { user, outcome, merchant, guia, eventos, mensajes, entregas, notas, acciones, showsPhone } = props;
  const zone = timeZoneOf(merchant.country);
  const canAct = user.role === 'soporte';
  const last = <T,>(rows: T[]) => (props.showsAll ? rows : rows.slice(-SHOWN));
  const estado = guia.estado;
  const tries = triesOf(mensajes);
  const firstAnswer = eventos.find(({ tipo }) => tipo === 'guia.confirmada');
  const isOpen = OPEN_ESTADOS.includes(estado);
  return renderPage(
    <StaffPage title={`Guía ${guia.guia}`} user={user} outcome={outcome}>
      <p>
        <Badge tone={toneOf(estado)}>{ESTADO_NAMES[estado]}</Badge>{' '}
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
      <Facts
        facts={[
          [
            'Comercio',
            // A test twin has no page of its own.
            merchant.isTest ? merchant.name : <a href={`/admin/comercios/${merchant.id}`}>{merchant.name}</a>,
          ],
          ['Referencia', guia.external_ref],
          ['Destinatario', guia.destinatario],
          [
            'Teléfono',
            showsPhone ? (
              <strong>{guia.telefono}</strong>
            ) : (
              <PhoneButton guia={guia.guia} end={guia.telefono.slice(-2)} canAct={canAct} />
            ),
          ],
          ['Dirección', [guia.direccion, guia.municipio, guia.departamento].filter(Boolean).join(', ')],
          ['Punto de referencia', guia.referencia],
          ['Destino', placeOf(guia.destino_lat, guia.destino_lng, guia.destino_maps_url)],
          ['Recogida', placeOf(guia.recogida_lat, guia.recogida_lng, guia.recogida_maps_url)],
          ['Lugar de recogida', [guia.recogida_nombre, guia.recogida_direccion].filter(Boolean).join(', ')],
          ['Enlaces que aún se leen', guia.enlaces_pendientes.join(' y ')],
          ['Contenido', guia.contenido],
          ['Notas para el piloto', guia.notas],
          ['Por cobrar', guia.cod_amount === 0 ? 'Nada' : money(guia.cod_amount, guia.moneda)],
          ['Cobrado', guia.cod_cobrado === null ? null : money(guia.cod_cobrado, guia.moneda)],
          ['Creada', <Time at={guia.creada_en} zone={zone} />],
          ['Último cambio', <Time at={guia.actualizada_en} zone={zone} />],
        ]}
      />
      {canAct && (
        <GuiaActions
          guia={guia.guia}
          canAskAgain={isOpen && !guia.direccion_confirmada}
          isDenied={guia.advertencias.includes('destinatario_niega')}
          canCorrectPhone={EDITABLE_IN.telefono.includes(estado)}
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
      <section>
        <h2>Mensajes al destinatario</h2>
        <Messages mensajes={last(mensajes)} zone={zone} />
        {tries.length > 0 && <Tries tries={last(tries)} zone={zone} />}
      </section>
      <section>
        <h2>Avisos al comercio</h2>
        <Deliveries guia={guia.guia} entregas={last(entregas)} eventos={eventos} zone={zone} />
      </section>
      <section>
        <h2>Historial</h2>
        <Table
          label="Historial"
          columns={['Cuándo', 'Qué', 'Quién', 'Por qué']}
          rows={last(eventos).map((evento) => [
            <Time at={evento.ocurrido_en} zone={zone} />,
            whatHappened(evento, evento.tipo === 'guia.confirmada' && evento !== firstAnswer),
            whoDid(evento),
            whyOf(evento),
          ])}
        />
      </section>
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
        <li>{ADVERTENCIA_NAMES[code as GuiaAdvertencia] ?? code}</li>
      ))}
    </ul>
  );
}

function Messages({ mensajes, zone }: { mensajes: HistoryEntry[]; zone: string }) {
  return (
    <Table
      label="Mensajes al destinatario"
      columns={['Creado', 'Mensaje', 'Estado', 'Intentos', 'Último cambio', 'Causa']}
      rows={mensajes.map(({ creado_en, tipo, estado, intentos, actualizado_en, causa }) => [
        <Time at={creado_en} zone={zone} />,
        MENSAJE_TIPO_NAMES[tipo],
        <Badge tone={MENSAJE_ESTADO_NAMES[estado][1]}>{MENSAJE_ESTADO_NAMES[estado][0]}</Badge>,
        intentos,
        <Time at={actualizado_en} zone={zone} />,
        causa,
      ])}
    />
  );
}

interface TryOfMessage extends TryEntry {
  mensaje: HistoryEntry;
}

/** The tries of all messages, oldest first. */
function triesOf(mensajes: HistoryEntry[]): TryOfMessage[] {
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
            <Badge tone={INTENTO_RESULTADO_NAMES[resultado][1]}>
              {INTENTO_RESULTADO_NAMES[resultado][0]}
            </Badge>
            {veces > 1 && ` ${grouped(veces)} veces; aquí la última`}
          </>,
          causa,
        ])}
      />
    </>
  );
}

interface DeliveriesProps {
  guia: string;
  entregas: DeliveryEntry[];
  /** All of the guide, which say what each delivery is about. */
  eventos: EventoDeSoporte[];
  zone: string;
}

function Deliveries({ guia, entregas, eventos, zone }: DeliveriesProps) {
  const estados = new Map(eventos.map(({ secuencia, estado }) => [secuencia, estado]));
  const nameOf = ({ evento, secuencia }: DeliveryEntry) => {
    const name = WEBHOOK_EVENTO_NAMES_ES[evento as keyof typeof WEBHOOK_EVENTO_NAMES_ES];
    const estado = evento === 'guia.estado_cambiado' ? estados.get(secuencia) : undefined;
    return estado ? `${name}: ${ESTADO_NAMES[estado]}` : name;
  };
  return (
    <Table
      label="Avisos al comercio"
      columns={['Creado', 'Aviso', 'Endpoint', 'Estado', 'Intentos', 'Causa']}
      rows={entregas.map((entrega) => {
        const [estado, tone] = ENTREGA_ESTADO_NAMES[entrega.estado];
        const next = entrega.proximo_intento_en;
        return [
          <Time at={entrega.creado_en} zone={zone} />,
          <a href={`/admin/guias/${guia}/avisos/${entrega.webhook}/${entrega.id}`}>{nameOf(entrega)}</a>,
          entrega.host,
          <>
            <Badge tone={tone}>{estado}</Badge>
            {next !== null && (
              <>
                {' '}
                se reintenta <Time at={next} zone={zone} />
              </>
            )}
          </>,
          entrega.intentos,
          entrega.causa,
        ];
      })}
    />
  );
}

function whoDid({ actor, usuario, operador }: EventoDeSoporte): string {
  const name = usuario ?? operador;
  return name === null ? ACTOR_NAMES[actor] : `${ACTOR_NAMES[actor]} (${name})`;
}

/** @param isCorrection whether the recipient's answer replaces an earlier one. */
function whatHappened({ tipo, estado, origen }: EventoDeSoporte, isCorrection: boolean): string {
  const name = isCorrection ? 'Se corrigió la dirección' : EVENTO_NAMES[tipo];
  if (origen !== null && Object.hasOwn(ORIGEN_NAMES, origen)) return `${name} ${ORIGEN_NAMES[origen]}`;
  return estado !== null && tipo !== 'guia.creada' ? `${name}: ${ESTADO_NAMES[estado]}` : name;
}

function reasonOf(tipo: EventoTipo, motivo: string): string {
  if (tipo === 'guia.mensaje_omitido' && Object.hasOwn(OMISIONES, motivo))
    return OMISIONES[motivo as Omision];
  if (tipo === 'guia.mensaje_fallido') return `código del proveedor: ${motivo}`;
  return Object.hasOwn(MOTIVOS, motivo) ? MOTIVOS[motivo as Motivo] : motivo;
}

function whyOf({ tipo, motivo, nota, campos, recibio, distancia_m }: EventoDeSoporte): string {
  return [
    motivo !== null && reasonOf(tipo, motivo),
    campos !== null &&
      `cambió: ${campos.map((campo) => CAMPO_NAMES[campo as EditableCampo] ?? campo).join(', ')}`,
    recibio !== null && `recibió: ${recibio}`,
    distancia_m !== null && `a ${distancia_m} m del destino`,
    nota,
  ]
    .filter(Boolean)
    .map((part) => String(part).replace(/\.$/, ''))
    .join('. ');
}

function placeOf(lat: number | null, lng: number | null, url: string | null) {
  if (lat === null && lng === null && url === null) return null;
  return (
    <>
      {lat !== null && lng !== null && <MapPoint lat={lat} lng={lng} />}{' '}
      {url !== null && <MapLink url={url} />}
    </>
  );
}
