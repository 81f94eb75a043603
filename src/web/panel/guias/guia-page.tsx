import type { MapTiles } from '../../../platform/config/map-tiles.js';
import { askRefusal } from '../../../guias/changes/ask-again.js';
import { RECOGIDA_EDITABLE_IN } from '../../../guias/changes/editable-fields.js';
import { ofEachText, type EditableCampo } from '../../../guias/guia/guia-fields.js';
import {
  ADVERTENCIA_MEANINGS,
  MUNICIPIO_DESCONOCIDO,
  outlastingFor,
  type GuiaAdvertencia,
} from '../../../guias/guia/guia-advertencia.js';
import { canMove, ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';
import { MOTIVOS, SHORT_MOTIVOS, type Motivo } from '../../../guias/guia/guia-motivo.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { EventoEntry, replacesAnswer } from '../../kit/evento-entry.js';
import { MAX } from '../../../guias/guia/limits.js';
import { money } from '../../../guias/guia/local-format.js';
import { MENSAJE_ESTADO_MEANINGS } from '../../../guias/guia/mensaje-estado.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import { moveTo } from '../../../guias/guia/standing-moves.js';
import { Band } from '../../kit/band.js';
import { capitalised } from '../../../platform/validation/text.js';
import { Ask, Hidden, Press } from '../../kit/post-form.js';
import { Check, Field } from '../../kit/field.js';
import { Icon } from '../../kit/icon.js';
import { Note } from '../../kit/note.js';
import { renderPage } from '../../kit/page.js';
import { DestinationMap } from '../../kit/place-map.js';
import { messageReason } from '../../../notifications/messages/failure-text.js';
import { chatLink } from '../../../platform/validation/phone.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { noticeOf, PanelPage, SeenForm, Steps } from '../pages/panel-page.js';
import type { PanelRecogida } from '../recogidas/panel-recogida.entity.js';
import { may, type Visit } from '../visit.js';
import { GuiaFacts } from './guia-facts.js';
import {
  beforeOf,
  CLEAR_PLACE,
  destinoOf,
  onNewVersion,
  textsOfGuia,
  type ShownChange,
} from './guia-form.js';
import type { GuiaView } from './panel-guias.service.js';

export type FormName = 'cambiar' | 'cancelar' | 'pedir';

/** A form of the page that was refused: it is shown open, with what was typed. */
export type RefusedForm = Refusal & { form: FormName };

/** Notice after a form of the page, by its word in the address. */
const DONE: Record<string, string> = {
  creada: 'La guía está creada.',
  conocida: 'Ese pedido ya tiene esta guía, con los mismos datos. No se creó otra.',
  cambiada: 'Se guardaron los cambios.',
  quitada: 'Se quitó el lugar, y se le pide otra vez al destinatario.',
  cancelada: 'La guía está cancelada.',
  pedida: 'Se pide la ubicación al destinatario.',
};

interface GuiaPageProps extends GuiaView {
  visit: Visit;
  tiles: MapTiles | null;
  /** The merchant's pickup points. */
  puntos: readonly PanelRecogida[];
  hecho?: string | undefined;
  /** The form that is shown open. */
  abrir?: string | undefined;
  refused?: RefusedForm | undefined;
}

/** A guide: where it stands, what to do, its data and its history. */
export function renderGuia(props: GuiaPageProps): string {
  const { visit, guia, eventos, tiles, hecho, refused } = props;
  const { merchant, zone } = visit;
  const move = moveTo(eventos, guia);
  const isAtDoor = guia.estado === 'intento_fallido' || guia.estado === 'entregado';
  return renderPage(
    <PanelPage
      title={guia.destinatario || 'Sin nombre'}
      visit={visit}
      part="/panel/guias"
      back={['/panel/guias', 'Guías']}
      sub={`Guía ${inFours(guia.guia)}`}
      done={noticeOf(DONE, hecho)}
      refusal={refused}
      aside={guia.external_ref !== null && <span class="soft t2 end">Pedido {guia.external_ref}</span>}
    >
      {hecho === 'creada' && may(visit, 'guias:escribir') && (
        <div class="row">
          <LabelLink guia={guia} look="btn main" />
          <a class="btn" href="/panel/guias/nueva">
            <Icon name="plus" />
            Otra guía
          </a>
        </div>
      )}
      <Standing {...props} isDone={hecho === 'creada'} />
      {!isMissing(guia) && <Progress guia={guia} />}
      <Warnings visit={visit} guia={guia} />
      <div class="split">
        <section class="stack" aria-labelledby="lugar">
          <h2 id="lugar">{guia.estado === 'entregado' ? 'Lo que consta de la entrega' : 'A dónde va'}</h2>
          <DestinationMap tiles={tiles} destino={guia.destino} move={isAtDoor ? move : undefined} />
          <div class="card stack">
            <GuiaFacts visit={visit} guia={guia} move={move} hasPiloto={props.hasPiloto} />
            <label class="field">
              Enlace de seguimiento para el destinatario
              <input type="text" readOnly value={guia.seguimiento} data-copy />
            </label>
          </div>
          <Amount visit={visit} guia={guia} />
        </section>
        <section class="stack" aria-labelledby="historia">
          <h2 id="historia">Lo que ha pasado</h2>
          <ol class="line">
            {eventos.toReversed().map((evento) => (
              <EventoEntry
                at={evento.ocurrido_en}
                evento={evento}
                isCorrection={replacesAnswer(eventos, evento)}
                zone={zone}
                moneda={guia.moneda}
                country={merchant.country}
                messageReason={messageReason}
                hidesPilotos
              />
            ))}
          </ol>
        </section>
      </div>
      <Actions {...props} />
    </PanelPage>,
  );
}

const REPORTED: GuiaAdvertencia = 'destinatario_no_recibio';

/** Whether the recipient says that it did not arrive. */
const isMissing = ({ advertencias }: GuiaView['guia']) => advertencias.includes(REPORTED);

/** Where it stands, and the next thing to do. @param isDone whether that is another guide. */
function Standing({ visit, guia, eventos, isDone }: GuiaPageProps & { isDone: boolean }) {
  const { estado, direccion_confirmada: isConfirmed, mensaje } = guia;
  const { name, tone, isOpen } = ESTADOS[estado];
  const isAsking = isOpen && !isConfirmed && estado !== 'intento_fallido';
  const isReported = isMissing(guia);
  const report = eventos.findLast(({ tipo }) => isReported && tipo === 'guia.destinatario_no_recibio');
  const move = report ?? moveTo(eventos, guia);
  const why = move?.motivo;
  const short = estado === 'intento_fallido' ? SHORT_MOTIVOS[why as Motivo] : undefined;
  const reasons = [
    why && Object.hasOwn(MOTIVOS, why) && `${capitalised(MOTIVOS[why as Motivo])}.`,
    move?.nota && `«${move.nota}».`,
    move?.recibio && `Recibió ${move.recibio}.`,
    isAsking && mensaje && `El mensaje ${MENSAJE_ESTADO_MEANINGS[mensaje.estado]}.`,
    isAsking && mensaje?.causa,
  ];
  const path = `/panel/guias/${guia.guia}`;
  const mayWrite = may(visit, 'guias:escribir');
  const isNext = !isDone && (estado === 'intento_fallido' || isReported);
  return (
    <Band
      tone={isReported ? 'bad' : isAsking ? 'ask' : tone}
      title={isReported ? 'Dijo que no lo recibió' : isAsking ? `${name}, sin confirmar` : (short ?? name)}
      since={move?.ocurrido_en ?? guia.creada_en}
      reason={reasons.filter(Boolean).join(' ')}
      zone={visit.zone}
    >
      <div class="row">
        <a class={isNext ? 'btn main' : 'btn'} href={whatsappLink(visit, guia)} rel="noreferrer noopener">
          <Icon name="speech" />
          Escribirle
        </a>
        <a class="btn" href={`tel:${guia.telefono}`}>
          <Icon name="phone" />
          Llamar
        </a>
        {estado === 'intento_fallido' && mayWrite && (
          <a class="btn" href={`${path}?abrir=cambiar`}>
            <Icon name="pin" />
            Cambiar el lugar
          </a>
        )}
        {mayWrite && askRefusal({ estado, advertencias: guia.advertencias }) === undefined && (
          <Press action={`${path}/pedir`} icon="send">
            Pedir la ubicación
          </Press>
        )}
      </div>
    </Band>
  );
}

const STEPS: [name: string, estados: readonly GuiaEstado[]][] = [
  ['Preparado', ['aceptado', 'en_camino_a_recoger']],
  ['Recogido', ['recogido']],
  ['En camino', ['en_ruta', 'intento_fallido']],
  ['Entregado', ['entregado']],
];

/** The steps to the door; none of a guide that no longer goes there. */
function Progress({ guia: { estado } }: Pick<GuiaPageProps, 'guia'>) {
  const current = STEPS.findIndex(([, estados]) => estados.includes(estado));
  const names = STEPS.map(([name]) => name);
  return current < 0 ? null : (
    <Steps label="Cuatro pasos" names={names} current={current} tone={ESTADOS[estado].tone} />
  );
}

/** Of warnings whose advice is about the API. */
const OWN_WORDS: Record<string, string> = {
  cod_distinto: 'Lo cobrado al entregar no es lo que había que cobrar: compare los montos',
  entrega_lejos: 'Se entregó a más de 300 m del lugar marcado: vea el mapa',
  entregado_sin_pin: 'Se entregó sin el PIN del destinatario: abajo está lo que anotó el mensajero',
  [MUNICIPIO_DESCONOCIDO]: 'El departamento no tiene un municipio con ese nombre: corríjalo si está mal',
  [REPORTED]: 'La mensajería también lo sabe y lo revisa con el mensajero. Cuando esté claro, quítelo de Hoy',
};

function Warnings({
  visit,
  guia: { guia, destinatario, advertencias },
}: Pick<GuiaPageProps, 'visit' | 'guia'>) {
  // What the band says is first.
  const codes = advertencias.toSorted((one, other) => Number(other === REPORTED) - Number(one === REPORTED));
  return codes.map((code) => (
    <Note tone="care">
      <span>{OWN_WORDS[code] ?? capitalised(ADVERTENCIA_MEANINGS[code] ?? code)}.</span>
      {may(visit, 'guias:escribir') && outlastingFor('comercio').includes(code as GuiaAdvertencia) && (
        <SeenForm guia={guia} codigo={code} of={destinatario || guia} />
      )}
    </Note>
  ));
}

function LabelLink({ guia: { guia }, look }: Pick<GuiaPageProps, 'guia'> & { look: string }) {
  return (
    <a class={look} href={`/panel/guias/${guia}/etiqueta`}>
      <Icon name="print" />
      Etiqueta
    </a>
  );
}

function Actions({ visit, guia, row, puntos, refused, abrir, hecho }: GuiaPageProps) {
  const path = `/panel/guias/${guia.guia}`;
  const mayWrite = may(visit, 'guias:escribir');
  const texts = textsOfGuia(row, visit.merchant.country);
  const typedIn = (form: FormName) => (refused?.form === form ? refused : undefined);
  const change = typedIn('cambiar');
  const isOld = change !== undefined && change.fields.version !== String(row.version);
  const shown: ShownChange | undefined = isOld
    ? onNewVersion(change.fields, texts, destinoOf(row))
    : change && { fields: change.fields, notes: {} };
  const typed = change && shown && { ...shown, faults: change.faults };
  return (
    <div class="row">
      {mayWrite && texts.size > 0 && (
        <Ask
          label="Cambiar"
          icon="pen"
          confirm="Guardar los cambios"
          action={`${path}/cambiar`}
          isOpen={abrir === 'cambiar' || change !== undefined}
        >
          <Hidden fields={{ version: row.version, [beforeOf('destino')]: destinoOf(row) }} />
          {[...texts].map(([campo, stored]) => (
            <>
              <input type="hidden" name={beforeOf(campo)} value={stored} />
              <Field
                {...FIELDS[campo]}
                name={campo}
                value={stored}
                typed={typed}
                note={shown?.notes[campo]}
              />
            </>
          ))}
          {texts.has('maps_url') && destinoOf(row) !== '' && (
            <Check
              label="El lugar marcado está mal: quitarlo y pedírselo al destinatario"
              name={CLEAR_PLACE}
              typed={typed}
            />
          )}
          {guia.estado === RECOGIDA_EDITABLE_IN && puntos.length > 0 && (
            <Field
              label="Dónde se recoge"
              name="recogida"
              typed={typed}
              options={[
                ['', `Como está: ${guia.recogida.nombre ?? guia.recogida.direccion ?? 'sin nombre'}`],
                ...puntos.map(({ id, nombre }) => [id, nombre] as const),
              ]}
            />
          )}
        </Ask>
      )}
      {(hecho !== 'creada' || !mayWrite) && <LabelLink guia={guia} look="btn" />}
      {mayWrite && canMove(guia.estado, 'cancelado') && (
        <Ask
          label="Cancelar"
          icon="stop"
          isRisk
          confirm="Sí, cancelar la guía"
          action={`${path}/cancelar`}
          isOpen={typedIn('cancelar') !== undefined}
        >
          <p>Nadie la recoge ni la entrega, y no se puede deshacer.</p>
          <Field
            label="Por qué (queda en el historial)"
            name="nota"
            typed={typedIn('cancelar')}
            maxLength={MAX.nota}
          />
        </Ask>
      )}
    </div>
  );
}

const FIELDS: Record<EditableCampo, { label: string } & Partial<Parameters<typeof Field>[0]>> = {
  nombre: { label: 'Nombre', maxLength: MAX.nombre },
  telefono: { label: 'Teléfono', type: 'tel', required: true, maxLength: 40 },
  departamento: { label: 'Departamento', required: true, maxLength: MAX.nombre },
  municipio: { label: 'Municipio', required: true, maxLength: MAX.nombre },
  direccion: { label: 'Dirección', isLong: true, maxLength: MAX.direccion },
  ...ofEachText(({ label, isLong, max }) => ({ label, isLong, maxLength: max })),
  cod_amount: {
    label: 'Por cobrar al entregar (0: nada)',
    inputMode: 'decimal',
    required: true,
    maxLength: 20,
  },
  maps_url: { label: 'Otro destino: enlace de mapa (vacío: queda como está)', maxLength: MAX.maps_url },
  lat: { label: 'o su latitud', inputMode: 'decimal', maxLength: 30 },
  lng: { label: 'y su longitud', inputMode: 'decimal', maxLength: 30 },
};

function Amount({ visit: { merchant }, guia }: Pick<GuiaPageProps, 'visit' | 'guia'>) {
  const { cod_amount, cod_cobrado, pago, moneda } = guia;
  if (cod_amount === 0 && cod_cobrado === null) return <p class="soft">No se cobra nada al entregar.</p>;
  const amount = (value: number) => money(value, moneda, merchant.country);
  if (pago === 'directo') return <p class="soft">Se le pagó directo a usted: la mensajería no cobró nada.</p>;
  return (
    <section class="card ticket" aria-label="Dinero">
      <div>
        <span class="soft">
          {cod_cobrado === null ? 'Por cobrar' : `Cobrado ${pago === null ? '' : PAGOS[pago]}`}
        </span>
        <div class="amount">{amount(cod_cobrado ?? cod_amount)}</div>
      </div>
      <div class="soft t2">
        {cod_cobrado !== null && cod_cobrado !== cod_amount && `Había que cobrar ${amount(cod_amount)}. `}
        {cod_cobrado === null ? 'Cuando se cobre, sale en ' : 'Cuándo se le paga: vea '}
        <a href="/panel/cobros">Dinero</a>.
      </div>
    </section>
  );
}

function whatsappLink(
  { merchant }: Visit,
  { telefono, destinatario, seguimiento }: GuiaView['guia'],
): string {
  const hello = destinatario === '' ? 'Hola' : `Hola, ${destinatario}`;
  const text = `${hello}. Aquí sigues tu envío de ${merchant.name}: ${seguimiento}`;
  return `${chatLink(telefono)}?text=${encodeURIComponent(text)}`;
}
