import type { EventoDeSoporte } from '../../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import { textosBut } from '../../../guias/guia/guia-fields.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import { capitalised } from '../../../platform/validation/text.js';
import { Badge, Facts, Time, When, type Fact } from '../../kit/elements.js';
import { MapLink, MapPoint } from '../../kit/shown-link.js';
import type { Visit } from '../visit.js';
import type { GuiaView } from './panel-guias.service.js';

interface GuiaFactsProps extends Pick<GuiaView, 'guia' | 'hasPiloto'> {
  visit: Visit;
  /** To the state where it stands. */
  move: EventoDeSoporte | undefined;
}

export function GuiaFacts({ visit: { merchant, zone }, guia, move, hasPiloto }: GuiaFactsProps) {
  const delivery = guia.estado === 'entregado' ? move : undefined;
  const hasNoPin = guia.advertencias.includes('entregado_sin_pin');
  return (
    <Facts
      facts={[
        ['Entregada', delivery && <When at={delivery.ocurrido_en} zone={zone} />],
        ['Recibió', delivery?.recibio],
        [hasNoPin ? 'Sin PIN' : 'Nota', delivery?.nota && `«${delivery.nota}»`],
        ['Referencia', guia.referencia],
        ['Dirección', [guia.direccion, guia.municipio, guia.departamento].filter(Boolean).join(', ')],
        ['Lugar', <Place guia={guia} />],
        [
          delivery ? 'Se entregó' : 'Se intentó',
          move?.distancia_m != null && `A ${move.distancia_m} m del lugar`,
        ],
        [
          'Teléfono',
          <a href={`tel:${guia.telefono}`} class="num">
            {groupedPhone(guia.telefono, merchant.country)}
          </a>,
        ],
        ...textosBut('referencia').map((texto): Fact => [capitalised(texto), guia[texto]]),
        ['Piloto', ESTADOS[guia.estado].isOpen && (hasPiloto ? 'Ya tiene uno' : 'Todavía no tiene')],
        ['Se recoge en', guia.recogida.nombre ?? guia.recogida.direccion],
        ['Creada', <Time at={guia.creada_en} zone={zone} />],
        ['Etiqueta impresa', guia.impresa_en !== null && <Time at={guia.impresa_en} zone={zone} />],
      ]}
    />
  );
}

function Place({ guia }: Pick<GuiaView, 'guia'>) {
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
