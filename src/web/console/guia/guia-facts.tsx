import type { ComponentChildren } from 'preact';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import type { MapTiles } from '../../../config/map-tiles.js';
import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import type { GuiaDetalleRow } from '../../../guias/guia-row.js';
import { money } from '../../../guias/local-format.js';
import { Facts, Time, type Fact } from '../../kit/elements.js';
import type { CobroDeGuia } from './guia-cobro.queries.js';
import { PlaceMap } from '../../kit/place-map.js';
import { MapLink, MapPoint } from '../../kit/shown-link.js';

interface GuiaFactsProps {
  merchant: Merchant;
  guia: GuiaDetalleRow;
  cobro: CobroDeGuia | undefined;
  zone: string;
  /** The recipient's phone, as far as it is shown. */
  phone: ComponentChildren;
}

interface GuiaPlaceProps {
  guia: GuiaDetalleRow;
  /** Oldest first. */
  eventos: EventoDeSoporte[];
  tiles: MapTiles | null;
}

/** The map of the destination, and of where the courier was last. */
export function GuiaPlace({ guia, eventos, tiles }: GuiaPlaceProps) {
  const { destino_lat: lat, destino_lng: lng } = guia;
  if (lat === null || lng === null) return null;
  const move = eventos.findLast(({ tipo }) => tipo === 'guia.estado_cambiado');
  const tried =
    move !== undefined && move.lat !== null && move.lng !== null ? { lat: move.lat, lng: move.lng } : null;
  return (
    <PlaceMap
      label={`Mapa: el destino${tried ? ', y dónde estaba el mensajero' : ''}`}
      tiles={tiles}
      at={{ lat, lng }}
      tried={tried}
    />
  );
}

/** The fields of a guide. */
export function GuiaFacts({ merchant, guia, cobro, zone, phone }: GuiaFactsProps) {
  const shown = (amount: number) => money(amount, guia.moneda, merchant.country);
  return (
    <Facts
      facts={[
        ['Destinatario', guia.destinatario],
        ['Teléfono', phone],
        ['Dirección', [guia.direccion, guia.municipio, guia.departamento].filter(Boolean).join(', ')],
        ['Punto de referencia', guia.referencia],
        ['Destino', placeOf(guia.destino_lat, guia.destino_lng, guia.destino_maps_url)],
        ['Recogida', placeOf(guia.recogida_lat, guia.recogida_lng, guia.recogida_maps_url)],
        ['Lugar de recogida', [guia.recogida_nombre, guia.recogida_direccion].filter(Boolean).join(', ')],
        ['Enlaces que aún se leen', guia.enlaces_pendientes.join(' y ')],
        ['Contenido', guia.contenido],
        ['Notas para el piloto', guia.notas],
        ['Por cobrar', guia.cod_amount === 0 ? 'Nada' : <b>{shown(guia.cod_amount)}</b>],
        ['Cobrado', guia.cod_cobrado === null ? null : <b>{shown(guia.cod_cobrado)}</b>],
        ...moneyFacts(cobro, zone),
        ['Creada', <Time at={guia.creada_en} zone={zone} />],
        ['Último cambio', <Time at={guia.actualizada_en} zone={zone} />],
      ]}
    />
  );
}

/** Whether the amount collected has reached the merchant. */
function moneyFacts(cobro: CobroDeGuia | undefined, zone: string): Fact[] {
  if (!cobro?.cobrado_en) return [];
  const { liquidacion, liquidada_en, pagada_en, referencia_pago } = cobro;
  if (liquidacion === null || liquidada_en === null) return [['Liquidación', 'Todavía en ninguna']];
  return [
    [
      'Liquidación',
      <>
        <Time at={liquidada_en} zone={zone} />, {liquidacion}
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
