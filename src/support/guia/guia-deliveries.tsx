import type { EventoDeSoporte } from '../../guias/dto/evento.dto.js';
import { ESTADOS } from '../../guias/guia-estado.js';
import type { DeliveryEntry } from '../../webhooks/deliveries/delivery-log.service.js';
import { ESTADOS_DE_ENTREGA } from '../../webhooks/deliveries/webhook-entrega.entity.js';
import { avisoName } from '../../webhooks/endpoints/webhook-evento.js';
import { Badge, Table, Time } from '../pages/elements.js';
import { capitalised } from '../texts.js';

interface DeliveriesProps {
  /** Guide number. */
  guia: string;
  /** Oldest first. */
  entregas: DeliveryEntry[];
  /** All of the guide; a delivery has the number of its event. */
  eventos: EventoDeSoporte[];
  /** The deliveries that are shown. */
  last: <Row>(rows: Row[]) => Row[];
  zone: string;
}

/** The deliveries to the merchant's endpoints. */
export function GuiaDeliveries({ guia, entregas, eventos, last, zone }: DeliveriesProps) {
  const estados = new Map(eventos.map(({ secuencia, estado }) => [secuencia, estado]));
  const nameOf = ({ evento, secuencia }: DeliveryEntry) => {
    const name = capitalised(avisoName(evento));
    const estado = evento === 'guia.estado_cambiado' ? estados.get(secuencia) : undefined;
    return estado ? `${name}: ${ESTADOS[estado].name}` : name;
  };
  return (
    <section>
      <h2>Avisos al comercio</h2>
      <Table
        label="Avisos al comercio"
        columns={['Creado', 'Aviso', 'Endpoint', 'Estado', 'Intentos', 'Causa']}
        rows={last(entregas).map((entrega) => {
          const { name, tone } = ESTADOS_DE_ENTREGA[entrega.estado];
          const next = entrega.proximo_intento_en;
          return [
            <Time at={entrega.creado_en} zone={zone} />,
            <a href={`/admin/guias/${guia}/avisos/${entrega.webhook}/${entrega.id}`}>{nameOf(entrega)}</a>,
            entrega.host,
            <>
              <Badge tone={tone}>{name}</Badge>
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
    </section>
  );
}
