import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Database } from '../../database/database.js';
import { isFarOutside } from '../../locations/plausibility.js';
import { recordEvento } from '../../events/record-evento.js';
import { RelayService } from '../../events/relay.service.js';
import { DESTINO_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import { TOUCH } from './guia-version.js';

/** Minutes in which a recipient may correct a confirmation. */
export const CORRECTION_MINUTES = 15;

/** Which guide: the key of `guias`. */
export interface GuiaKey {
  comercioId: string;
  guiaId: string;
}

/** A guide whose recipient has answered. */
export interface Respondida extends GuiaKey {
  /** The event since which its phone is the recipient's, as it was when the answer was read. */
  telefonoSecuencia: number | null;
}

/** Where the recipient says to be. */
export interface Confirmacion {
  lat: number;
  lng: number;
  /** The link they sent, where it was one. */
  mapsUrl?: string;
  /** A landmark, in place of the one known so far. */
  referencia?: string;
  /** How they told us. */
  origen: 'pagina' | 'whatsapp' | 'sandbox';
  /** Metres, where the device says. */
  precision?: number;
}

/** The condition under which a recipient may say where they are. */
export const CONFIRMABLE = `estado in (${OPEN_ESTADOS.map((estado) => `'${estado}'`).join(', ')})
  and (not direccion_confirmada or confirmada_en > now() - interval '${CORRECTION_MINUTES} minutes')`;

const WITHOUT_SETTLED_WARNINGS = `array(select aviso from unnest(advertencias) aviso
  where aviso not in (${DESTINO_ADVERTENCIAS.map((code) => `'${code}'`).join(', ')}))`;

const CONFIRM = `with confirmada as (
  update guias set destino_lat = $3, destino_lng = $4, destino_maps_url = $5, referencia = coalesce($6, referencia),
    direccion_confirmada = true, confirmada_en = coalesce(confirmada_en, now()),
    advertencias = ${WITHOUT_SETTLED_WARNINGS} || $9::text[], ${TOUCH}
  where comercio_id = $1 and id = $2 and telefono_secuencia is not distinct from $10 and ${CONFIRMABLE}
  returning comercio_id, id, version, confirmada_en
), evento as (
  ${recordEvento({ from: 'confirmada', id: '$7::uuid', tipo: 'guia.confirmada', actor: 'destinatario', datos: '$8::jsonb' })}
)
select confirmada_en from confirmada`;

const warn = (tipo: 'guia.mensaje_fallido' | 'guia.mensaje_omitido') => `with avisada as (
  update guias set ${TOUCH}, advertencias = case
      when direccion_confirmada or $3 = any (advertencias) then advertencias else array_append(advertencias, $3) end
  where comercio_id = $1 and id = $2
    and not exists (select from eventos where comercio_id = $1 and guia_id = $2 and id = $4)
  returning comercio_id, id, version
)
${recordEvento({ from: 'avisada', id: '$4::uuid', tipo, actor: 'sistema', datos: '$5::jsonb' })}
on conflict do nothing`;

const WARN = {
  'guia.mensaje_fallido': warn('guia.mensaje_fallido'),
  'guia.mensaje_omitido': warn('guia.mensaje_omitido'),
};

const UNWARN = `update guias set advertencias = array_remove(advertencias, $3), ${TOUCH}
  where comercio_id = $1 and id = $2 and $3 = any (advertencias)`;

const ASK = `with pedida as (
  update guias set version = version + 1 where guia = $1 and not direccion_confirmada and ${CONFIRMABLE}
  returning comercio_id, id, version
)
${recordEvento({ from: 'pedida', id: '$2::uuid', tipo: 'guia.confirmacion_pedida', actor: 'sistema' })}`;

/** What happens to a guide after its creation: each change is one guarded statement with its event. */
@Injectable()
export class GuiaChangesService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /**
   * Confirms the destination, or corrects it within 15 minutes of the first confirmation.
   * @returns when it was first confirmed, and whether the place is far from the merchant's country; undefined where the guide is closed, confirmed for longer, or has another phone by now.
   */
  async confirm(guia: Respondida, { lat, lng, mapsUrl, referencia, origen, precision }: Confirmacion) {
    const datos = { origen, ...(precision !== undefined && { precision }) };
    const country = await this.countryOf(guia.comercioId);
    const warnings: GuiaAdvertencia[] = isFarOutside(country, { lat, lng }) ? ['destino_fuera_del_pais'] : [];
    const { rows } = await this.database.query<{ confirmada_en: Date }>({
      name: 'guia-confirm',
      text: CONFIRM,
      values: [
        ...[guia.comercioId, guia.guiaId, lat, lng, mapsUrl, referencia, v7(), datos, warnings],
        guia.telefonoSecuencia,
      ],
    });
    this.relay.wake();
    return rows[0] && { en: rows[0].confirmada_en, isFar: warnings.length > 0 };
  }

  private async countryOf(comercioId: string): Promise<string> {
    const query = {
      name: 'comercio-pais',
      text: 'select pais from comercios where id = $1',
      values: [comercioId],
    };
    const { rows } = await this.database.query<{ pais: string }>(query);
    return rows[0]?.pais ?? '';
  }

  /**
   * Sets a warning on a guide that is not confirmed, once, and records why.
   * @param eventoId the same for the same occasion: a repeat records nothing more.
   */
  async warn(
    guia: GuiaKey,
    advertencia: GuiaAdvertencia,
    evento: { id: string; tipo: 'guia.mensaje_fallido' | 'guia.mensaje_omitido'; datos: object },
  ): Promise<void> {
    const values = [guia.comercioId, guia.guiaId, advertencia, evento.id, evento.datos];
    await this.database.query({ text: WARN[evento.tipo], values });
    this.relay.wake();
  }

  /** Takes a warning back: what it said is mended. */
  async unwarn({ comercioId, guiaId }: GuiaKey, advertencia: GuiaAdvertencia): Promise<void> {
    const values = [comercioId, guiaId, advertencia];
    await this.database.query({ name: 'guia-unwarn', text: UNWARN, values });
  }

  /**
   * Has the recipient asked again, by guide number.
   * @returns the id of the message to come; undefined where there is nothing to ask: no such guide, closed or confirmed.
   */
  async askAgain(guiaNumero: string): Promise<string | undefined> {
    const id = v7();
    const { rowCount } = await this.database.query({ text: ASK, values: [guiaNumero, id] });
    this.relay.wake();
    return rowCount ? id : undefined;
  }
}
