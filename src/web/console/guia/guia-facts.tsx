import type { CountryCode } from 'libphonenumber-js';
import type { ComponentChildren } from 'preact';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import type { MapTiles } from '../../../platform/config/map-tiles.js';
import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import { TEXTS, textosBut } from '../../../guias/guia/guia-fields.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { mayAct } from '../../../platform/config/board-users.js';
import type { StaffUser } from '../admin-access.js';
import { SETTLEMENTS } from '../closing-paths.js';
import { money } from '../../../guias/guia/local-format.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import type { PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import { chatLink, groupedPhone } from '../../../platform/validation/phone.js';
import { Ago, Badge, Facts, Time, type Fact } from '../../kit/elements.js';
import type { CobroDeGuia } from './guia-cobro.queries.js';
import { DestinationMap } from '../../kit/place-map.js';
import { MapLink, MapPoint } from '../../kit/shown-link.js';

interface GuiaPlaceProps {
  guia: GuiaDetalleRow;
  /** Oldest first. */
  eventos: EventoDeSoporte[];
  tiles: MapTiles | null;
  /** The recipient's phone, as far as it is shown. */
  phone: ComponentChildren;
}

/** To whom and where: the map of the destination, and of where the courier was last. */
export function GuiaPlace({ guia, eventos, tiles, phone }: GuiaPlaceProps) {
  const { destino_lat: lat, destino_lng: lng, direccion_confirmada: isConfirmed } = guia;
  const move = eventos.findLast(({ tipo }) => tipo === 'guia.estado_cambiado');
  return (
    <section class="card stack" aria-labelledby="lugar">
      <h2 id="lugar">A dónde va</h2>
      <DestinationMap tiles={tiles} destino={{ lat, lng }} move={move} />
      <Facts
        facts={[
          ['Destinatario', guia.destinatario && <b>{guia.destinatario}</b>],
          ['Teléfono', phone],
          ['Referencia', guia.referencia],
          ['Dirección', [guia.direccion, guia.municipio, guia.departamento].filter(Boolean).join(', ')],
          [
            'Destino',
            <>
              <Badge
                tone={isConfirmed ? 'good' : ESTADOS[guia.estado].isOpen ? 'ask' : 'off'}
                icon={isConfirmed ? 'check' : 'pin'}
              >
                {isConfirmed ? 'Dirección confirmada' : 'Dirección sin confirmar'}
              </Badge>{' '}
              {placeOf(lat, lng, guia.destino_maps_url)}
            </>,
          ],
          ...textosBut('referencia', 'contenido').map((texto): Fact => [TEXTS[texto].label, guia[texto]]),
          ['Enlaces que aún se leen', guia.enlaces_pendientes.join(' y ')],
        ]}
      />
    </section>
  );
}

interface GuiaLoadProps {
  user: StaffUser;
  merchant: Merchant;
  guia: GuiaDetalleRow;
  cobro: CobroDeGuia | undefined;
  piloto: PilotoDto | undefined;
  zone: string;
  /** Actions with its money. */
  children: ComponentChildren;
}

export function GuiaLoad({ user, merchant, guia, cobro, piloto, zone, children }: GuiaLoadProps) {
  const canDispatch = mayAct(user, 'despacho');
  const shown = (amount: number) => <b class="amount mid">{money(amount, guia.moneda, merchant.country)}</b>;
  return (
    <section class="card stack" aria-labelledby="lleva">
      <h2 id="lleva">Qué lleva</h2>
      <Facts
        facts={[
          ['Por cobrar', guia.cod_amount === 0 ? 'Nada' : shown(guia.cod_amount)],
          ['Cobrado', collectedFact(guia, shown)],
          ...(guia.pago === 'directo' ? [] : moneyFacts(cobro, zone, canDispatch)),
          ['Contenido', guia.contenido],
          [
            'Piloto',
            piloto ? (
              <Driver {...{ piloto, zone, canDispatch }} country={merchant.country} />
            ) : (
              'Nadie la tiene'
            ),
          ],
          [
            'Recogida',
            <>
              {[guia.recogida_nombre, guia.recogida_direccion].filter(Boolean).join(', ')}{' '}
              {placeOf(guia.recogida_lat, guia.recogida_lng, guia.recogida_maps_url)}
            </>,
          ],
          ['Creada', <Time at={guia.creada_en} zone={zone} />],
          ['Último cambio', <Time at={guia.actualizada_en} zone={zone} />],
        ]}
      />
      {children}
    </section>
  );
}

function collectedFact({ cod_cobrado, pago }: GuiaDetalleRow, shown: (amount: number) => ComponentChildren) {
  if (cod_cobrado === null) return null;
  if (pago === 'directo') return `Nada: se pagó ${PAGOS.directo}`;
  return (
    <>
      {shown(cod_cobrado)} {pago !== null && PAGOS[pago]}
    </>
  );
}

/** Who has the parcel, and how to reach them. */
function Driver(props: { piloto: PilotoDto; country: CountryCode; zone: string; canDispatch: boolean }) {
  const { piloto, country, zone, canDispatch } = props;
  const { id, nombre, telefono, visto_en } = piloto;
  return (
    <>
      <b>{canDispatch ? <a href={`/admin/despacho/pilotos/${id}`}>{nombre}</a> : nombre}</b>
      {telefono !== null && (
        <>
          {' · '}
          <a href={`tel:${telefono}`} class="num">
            {groupedPhone(telefono, country)}
          </a>
          {' · '}
          <a href={chatLink(telefono)} rel="noreferrer noopener">
            WhatsApp
          </a>
        </>
      )}
      <span class="soft t2">
        {' '}
        ·{' '}
        {visto_en === null ? (
          'nunca visto'
        ) : (
          <>
            visto <Ago at={visto_en} zone={zone} />
          </>
        )}
      </span>
    </>
  );
}

/** Whether the amount collected has reached the merchant. */
function moneyFacts(cobro: CobroDeGuia | undefined, zone: string, canOpen: boolean): Fact[] {
  if (!cobro?.cobrado_en) return [];
  const { liquidacion, liquidada_en, pagada_en, referencia_pago } = cobro;
  if (liquidacion === null || liquidada_en === null) return [['Liquidación', 'Todavía en ninguna']];
  return [
    [
      'Liquidación',
      <>
        <Time at={liquidada_en} zone={zone} />,{' '}
        {canOpen ? <a href={`${SETTLEMENTS}/${liquidacion}`}>{liquidacion}</a> : liquidacion}
      </>,
    ],
    [
      'Pagada al comercio',
      pagada_en === null ? (
        'Todavía no'
      ) : (
        <>
          <Time at={pagada_en} zone={zone} />, referencia {referencia_pago}
        </>
      ),
    ],
  ];
}

function placeOf(lat: number | null, lng: number | null, url: string | null) {
  if (lat === null && lng === null && url === null) return null;
  // Pasted coordinates say the same as the point.
  const isLink = url !== null && /\p{L}/u.test(url);
  return (
    <>
      {lat !== null && lng !== null && <MapPoint lat={lat} lng={lng} />} {isLink && <MapLink url={url} />}
    </>
  );
}
