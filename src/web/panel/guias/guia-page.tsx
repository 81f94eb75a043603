import { Note } from '../../kit/note.js';
import type { MapTiles } from '../../../config/map-tiles.js';
import { askRefusal } from '../../../guias/changes/ask-again.js';
import type { EditableCampo } from '../../../guias/changes/editable-fields.js';
import { ADVERTENCIA_MEANINGS } from '../../../guias/guia-advertencia.js';
import { canMove, ESTADOS } from '../../../guias/guia-estado.js';
import { MOTIVOS, type Motivo } from '../../../guias/guia-motivo.js';
import { inFours } from '../../../guias/guia-digits.js';
import { EventoEntry, replacesAnswer } from '../../kit/evento-entry.js';
import { MAX } from '../../../guias/limits.js';
import { money } from '../../../guias/local-format.js';
import { MENSAJE_ESTADO_MEANINGS } from '../../../guias/mensaje-estado.js';
import { moveTo } from '../../../guias/standing-moves.js';
import { Band } from '../../kit/band.js';
import { capitalised } from '../../kit/capitalised.js';
import { Ask, Badge, Clave, Facts, Time } from '../../kit/elements.js';
import { Field } from '../../kit/field.js';
import { renderPage } from '../../kit/page.js';
import { PlaceMap } from '../../kit/place-map.js';
import { MapLink, MapPoint } from '../../kit/shown-link.js';
import { messageReason } from '../../../notifications/messages/failure-text.js';
import { chatLink, groupedPhone } from '../../../validation/phone.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import { may, type Visit } from '../visit.js';
import { beforeOf, destinoOf, onNewVersion, textsOfGuia, type ShownChange } from './guia-form.js';
import type { GuiaView } from './panel-guias.service.js';

export type FormName = 'cambiar' | 'cancelar' | 'pedir';

/** A form of the page that was refused: it is shown open, with what was typed. */
export type RefusedForm = Refusal & { form: FormName };

/** What a form of the page did, by its word in the address. */
const DONE: Record<string, string> = {
  creada: 'La guía está creada.',
  conocida: 'Ese pedido ya tiene esta guía, con los mismos datos. No se creó otra.',
  cambiada: 'Se guardaron los cambios.',
  cancelada: 'La guía está cancelada.',
  pedida: 'Se pide la ubicación al destinatario.',
};

interface GuiaPageProps extends GuiaView {
  visit: Visit;
  tiles: MapTiles | null;
  hecho?: string | undefined;
  /** The form that is shown open. */
  abrir?: string | undefined;
  refused?: RefusedForm | undefined;
}

/** A guide: where it stands, what to do, its data and its history. */
export function renderGuia(props: GuiaPageProps): string {
  const { visit, guia, eventos, tiles, hecho = '', refused } = props;
  const { merchant, zone } = visit;
  const { lat, lng } = guia.destino;
  const done = Object.hasOwn(DONE, hecho) ? DONE[hecho] : undefined;
  return renderPage(
    <PanelPage title={`Guía ${inFours(guia.guia)}`} visit={visit} done={done} refusal={refused}>
      <Standing {...props} />
      {guia.advertencias.length > 0 && (
        <Note tone="care">
          <ul>
            {guia.advertencias.map((code) => (
              <li>{capitalised((ADVERTENCIA_MEANINGS[code] ?? code).replaceAll('`', ''))}.</li>
            ))}
          </ul>
        </Note>
      )}
      <Actions {...props} />
      <div class="split">
        <section class="card stack" aria-label="Datos">
          {lat !== null && lng !== null && (
            <PlaceMap label="Mapa: el destino" tiles={tiles} at={{ lat, lng }} tried={null} />
          )}
          <GuiaFacts visit={visit} guia={guia} />
          <label class="field">
            Enlace de seguimiento para el destinatario
            <input type="text" readOnly value={guia.seguimiento} data-copy />
          </label>
        </section>
        <section class="card stack" aria-labelledby="historia">
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
    </PanelPage>,
  );
}

function Standing({ visit: { zone }, guia, eventos }: GuiaPageProps) {
  const { estado, direccion_confirmada: isConfirmed, mensaje } = guia;
  const { name, tone, isOpen } = ESTADOS[estado];
  const isAsking = isOpen && !isConfirmed && estado !== 'intento_fallido';
  const move = moveTo(eventos, guia);
  const why = move?.motivo;
  const reasons = [
    why && Object.hasOwn(MOTIVOS, why) && `${capitalised(MOTIVOS[why as Motivo])}.`,
    move?.nota && `«${move.nota}».`,
    move?.recibio && `Recibió ${move.recibio}.`,
    isAsking && mensaje && `El mensaje ${MENSAJE_ESTADO_MEANINGS[mensaje.estado]}.`,
    isAsking && mensaje?.causa,
  ];
  return (
    <Band
      tone={isAsking ? 'ask' : tone}
      title={isAsking ? `${name}, sin confirmar` : name}
      since={move?.ocurrido_en ?? guia.creada_en}
      reason={reasons.filter(Boolean).join(' ')}
      zone={zone}
    />
  );
}

function Actions({ visit, guia, row, refused, abrir }: GuiaPageProps) {
  const path = `/panel/guias/${guia.guia}`;
  const { estado, advertencias } = guia;
  const mayWrite = may(visit, 'guias:escribir');
  const texts = textsOfGuia(row, visit.merchant.country);
  const typedIn = (form: FormName) => (refused?.form === form ? refused : undefined);
  const change = typedIn('cambiar');
  const isOld = change !== undefined && change.fields.version !== String(row.version);
  const shown: ShownChange | undefined = isOld
    ? onNewVersion(change.fields, texts, destinoOf(row))
    : change && { fields: change.fields, notes: {} };
  return (
    <div class="row">
      <a class="btn" href={whatsappLink(visit, guia)} rel="noreferrer noopener">
        Escribirle por WhatsApp
      </a>
      <a class="btn" href={`tel:${guia.telefono}`}>
        Llamar
      </a>
      <a class="btn" href={`${path}/etiqueta`}>
        Etiqueta
      </a>
      {mayWrite && askRefusal({ estado, advertencias }) === undefined && (
        <form method="post" action={`${path}/pedir`}>
          <Clave />
          <button type="submit" class="btn">
            Pedir la ubicación
          </button>
        </form>
      )}
      {mayWrite && texts.size > 0 && (
        <Ask
          label="Cambiar"
          confirm="Guardar los cambios"
          action={`${path}/cambiar`}
          isOpen={abrir === 'cambiar' || change !== undefined}
        >
          <input type="hidden" name="version" value={row.version} />
          <input type="hidden" name={beforeOf('destino')} value={destinoOf(row)} />
          {[...texts].map(([campo, stored]) => (
            <>
              <input type="hidden" name={beforeOf(campo)} value={stored} />
              <Field
                {...FIELDS[campo]}
                name={campo}
                value={stored}
                typed={change && shown && { ...shown, faults: change.faults }}
                note={shown?.notes[campo]}
              />
            </>
          ))}
        </Ask>
      )}
      {mayWrite && canMove(estado, 'cancelado') && (
        <Ask
          label="Cancelar"
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
  referencia: { label: 'Punto de referencia', isLong: true, maxLength: MAX.referencia },
  contenido: { label: 'Contenido', maxLength: MAX.contenido },
  cod_amount: {
    label: 'Por cobrar al entregar (0: nada)',
    inputMode: 'decimal',
    required: true,
    maxLength: 20,
  },
  notas: { label: 'Notas para el piloto', isLong: true, maxLength: MAX.notas },
  maps_url: { label: 'Otro destino: enlace de mapa (vacío: queda como está)', maxLength: MAX.maps_url },
  lat: { label: 'o su latitud', inputMode: 'decimal', maxLength: 30 },
  lng: { label: 'y su longitud', inputMode: 'decimal', maxLength: 30 },
};

function GuiaFacts({ visit: { merchant, zone }, guia }: Pick<GuiaPageProps, 'visit' | 'guia'>) {
  const amount = (value: number) => <b class="num">{money(value, guia.moneda, merchant.country)}</b>;
  return (
    <Facts
      facts={[
        ['Para', guia.destinatario],
        ['Teléfono', <span class="num">{groupedPhone(guia.telefono, merchant.country)}</span>],
        ['Por cobrar', guia.cod_amount > 0 ? amount(guia.cod_amount) : 'Nada'],
        ['Cobrado', guia.cod_cobrado !== null && amount(guia.cod_cobrado)],
        ['Destino', `${guia.municipio}, ${guia.departamento}`],
        ['Dirección', guia.direccion],
        ['Referencia', guia.referencia],
        ['Lugar', <Place guia={guia} />],
        ['Contenido', guia.contenido],
        ['Notas', guia.notas],
        ['Pedido', guia.external_ref],
        ['Recogida', guia.recogida.nombre ?? guia.recogida.direccion],
        ['Creada', <Time at={guia.creada_en} zone={zone} />],
        ['Etiqueta impresa', guia.impresa_en !== null && <Time at={guia.impresa_en} zone={zone} />],
      ]}
    />
  );
}

function Place({ guia }: Pick<GuiaPageProps, 'guia'>) {
  const { lat, lng, maps_url } = guia.destino;
  const isConfirmed = guia.direccion_confirmada;
  return (
    <>
      {lat !== null && lng !== null ? (
        <MapPoint lat={lat} lng={lng} />
      ) : (
        maps_url && <MapLink url={maps_url} />
      )}{' '}
      <Badge tone={isConfirmed ? 'good' : 'ask'}>{isConfirmed ? 'confirmado' : 'sin confirmar'}</Badge>
    </>
  );
}

/** Opens the chat with the recipient, with the tracking link written. */
function whatsappLink(
  { merchant }: Visit,
  { telefono, destinatario, seguimiento }: GuiaView['guia'],
): string {
  const hello = destinatario === '' ? 'Hola' : `Hola, ${destinatario}`;
  const text = `${hello}. Aquí sigues tu envío de ${merchant.name}: ${seguimiento}`;
  return `${chatLink(telefono)}?text=${encodeURIComponent(text)}`;
}
