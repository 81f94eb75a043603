import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import type { PanelAjuste, Texts } from './panel-ajuste.entity.js';

/** Fields of a guide that are the same for most guides of a shop. */
const REMEMBERED = /^(?:departamento|municipio|recogida\..*)$/;

/** Headings that are remembered for a merchant; the newest stay. */
const MAX_COLUMNAS = 300;

type Remembered = Pick<PanelAjuste, 'guia' | 'columnas'>;

/** What the panel remembers for a merchant, so that nobody types it again. */
@Injectable()
export class AjustesService {
  constructor(private readonly database: Database) {}

  async of(comercioId: string): Promise<Remembered> {
    const { rows } = await this.database.query<Remembered>({
      text: 'select guia, columnas from panel_ajustes where comercio_id = $1',
      values: [comercioId],
    });
    return rows[0] ?? { guia: {}, columnas: {} };
  }

  /** Remembers pickup, department and municipality. @param texts of a form that made a guide. */
  async rememberGuia(comercioId: string, texts: Partial<Texts>): Promise<void> {
    const kept = Object.entries(texts).filter(([name, text]) => REMEMBERED.test(name) && text !== '');
    await this.set(comercioId, 'guia', Object.fromEntries(kept));
  }

  async rememberColumnas(comercioId: string, columnas: Texts): Promise<void> {
    const { columnas: known } = await this.of(comercioId);
    const all = Object.entries({ ...known, ...columnas }).slice(-MAX_COLUMNAS);
    await this.set(comercioId, 'columnas', Object.fromEntries(all));
  }

  private async set(comercioId: string, column: keyof Remembered, value: Partial<Texts>): Promise<void> {
    await this.database.query({
      text: `insert into panel_ajustes (comercio_id, ${column}) values ($1, $2)
        on conflict (comercio_id) do update set ${column} = excluded.${column}`,
      values: [comercioId, JSON.stringify(value)],
    });
  }
}

/**
 * A pickup of which only the link, or only the coordinates, were replaced in a form that began with what is remembered: the
 * other half is of the place before.
 */
export function withReplacedPickup(texts: Partial<Texts>, remembered: Texts): Partial<Texts> {
  const {
    'recogida.maps_url': link = '',
    'recogida.lat': lat = '',
    'recogida.lng': lng = '',
    ...rest
  } = texts;
  const hasNewLink = link !== (remembered['recogida.maps_url'] ?? '');
  const hasNewPoint =
    lat !== (remembered['recogida.lat'] ?? '') || lng !== (remembered['recogida.lng'] ?? '');
  if (link !== '' && hasNewLink && !hasNewPoint) return { ...rest, 'recogida.maps_url': link };
  if (lat !== '' && lng !== '' && hasNewPoint && !hasNewLink)
    return { ...rest, 'recogida.lat': lat, 'recogida.lng': lng };
  return texts;
}
