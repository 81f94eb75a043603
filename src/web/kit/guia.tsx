import { inFours } from '../../guias/guia/guia-digits.js';
import { ESTADOS, type GuiaEstado } from '../../guias/guia/guia-estado.js';
import { Badge } from './elements.js';
import type { IconName } from './icon.js';

export const ESTADO_ICONS: Record<GuiaEstado, IconName> = {
  aceptado: 'box',
  en_camino_a_recoger: 'box',
  recogido: 'box',
  en_ruta: 'bike',
  intento_fallido: 'house',
  entregado: 'check',
  en_devolucion: 'back',
  devuelto: 'back',
  cancelado: 'stop',
  extraviado: 'alert',
};

/** @param text in place of the state's name. */
export function EstadoBadge({ estado, text }: { estado: GuiaEstado; text?: string | undefined }) {
  return (
    <Badge tone={ESTADOS[estado].tone} icon={ESTADO_ICONS[estado]}>
      {text ?? ESTADOS[estado].name}
    </Badge>
  );
}

/** The number of a guide, its last four bold: people say these. */
export function GuiaNumber({ guia }: { guia: string }) {
  return (
    <span class="num">
      {inFours(guia.slice(0, -4))} <b>{guia.slice(-4)}</b>
    </span>
  );
}
