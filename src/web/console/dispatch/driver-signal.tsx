import { Ago, Badge } from '../../kit/elements.js';
import type { DriverDay } from './closing.service.js';

/** ms; a driver's page that was seen later than this is up to date. */
const FRESH_MS = 5 * 60_000;

/** Whether the driver's page talks to the service; somebody with guides who is not heard of is to be looked after. */
export function Signal({ driver }: { driver: DriverDay }) {
  const { con_enlace, visto_en, abiertas } = driver;
  if (!con_enlace)
    return (
      <Badge tone="off" icon="clock">
        Sin enlace
      </Badge>
    );
  if (visto_en === null) return <Badge tone="off">No la ha abierto</Badge>;
  if (Date.now() - Date.parse(visto_en) < FRESH_MS)
    return (
      <Badge tone="good" icon="check">
        Al día
      </Badge>
    );
  return (
    <Badge tone={abiertas > 0 ? 'care' : 'off'} icon="clock">
      Visto <Ago at={visto_en} zone="UTC" />
    </Badge>
  );
}
