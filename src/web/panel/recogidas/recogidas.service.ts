import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { LatField, LngField, MapsUrlField } from '../../../guias/dto/place.fields.js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { MAX } from '../../../guias/guia/limits.js';
import { linkError, refusedLinks } from '../../../guias/guia/link-errors.js';
import { linkWithoutPoint } from '../../../guias/links/link-outcome.js';
import { allFaults, toFormInput } from '../../../guias/lote/form-input.js';
import { readMapLinkIn } from '../../../locations/map-link.js';
import { isFarOutside } from '../../../locations/plausibility.js';
import type { Coordinates } from '../../../locations/reading.js';
import { resolveMapLink } from '../../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../../locations/short-links/short-link.client.js';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { TextField } from '../../../platform/validation/fields.js';
import { inspect, validValue } from '../../../platform/validation/read-input.js';
import { normalizeName } from '../../../platform/validation/text.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { PanelRecogida } from './panel-recogida.entity.js';

const MAX_PUNTOS = 50;

/** ms that a form waits for a map service; it is answered within five seconds. */
const LINK_MS = 2_500;

export class PuntoDto {
  @TextField({
    required: true,
    max: MAX.nombre,
    read: normalizeName,
    description: 'Cómo le dice el comercio.',
  })
  nombre: string;

  @TextField({
    required: true,
    max: MAX.direccion,
    multiline: true,
    description: 'Cómo lo reconoce el mensajero.',
  })
  direccion: string;

  @MapsUrlField({ description: 'Dónde es.' })
  maps_url?: string;

  @LatField({ description: 'Latitud, junto con `lng`.', example: 14.6349 })
  lat?: number;

  @LngField({ description: 'Longitud, junto con `lat`.', example: -90.5069 })
  lng?: number;
}

const CAMPOS = ['nombre', 'direccion', 'maps_url', 'lat', 'lng'];

@Injectable()
export class RecogidasService {
  constructor(
    private readonly database: Database,
    @InjectRepository(PanelRecogida) private readonly puntos: Repository<PanelRecogida>,
    private readonly ajustes: AjustesService,
    private readonly links: ShortLinkClient,
  ) {}

  /** A merchant's points: the usual one, then the others, the oldest first. */
  async of(comercioId: string): Promise<PanelRecogida[]> {
    const [all, { recogida_id }] = await Promise.all([
      this.puntos.find({ where: { comercio_id: comercioId }, order: { creado_en: 'asc', id: 'asc' } }),
      this.ajustes.of(comercioId),
    ]);
    const usual = all.find(({ id }) => id === recogida_id) ?? all[0];
    return usual ? [usual, ...all.filter((one) => one !== usual)] : [];
  }

  /**
   * Makes a point of a form, or changes one; without a place a known point stays where it is.
   * @param id of the point that is changed. @param max points that the merchant has then; 1: of more, none is made, and nothing is said.
   * @returns whether it is far from the merchant's country.
   * @throws AppError `validacion`, `enlace_…`; `no_encontrado`, also for another merchant's point.
   */
  async save(
    { id: comercio_id, country }: Merchant,
    form: Form,
    id?: string,
    max = MAX_PUNTOS,
  ): Promise<{ isFar: boolean }> {
    const before = id === undefined ? undefined : await this.find(comercio_id, id);
    const { nombre, direccion, ...place } = readPunto(form);
    const { lat, lng } = await this.placeOf(comercio_id, place, before);
    const punto = { nombre, direccion, lat, lng };
    const ownId = before?.id ?? v7();
    if (before) await this.puntos.update({ comercio_id, id: ownId }, punto);
    else await this.insert({ comercio_id, id: ownId, ...punto }, max);
    if (form.siempre === 'si') await this.ajustes.rememberRecogida(comercio_id, ownId);
    return { isFar: isFarOutside(country, { lat, lng }) };
  }

  /** Makes a merchant's first point of where one of its guides is picked up. */
  async saveFirst(comercio_id: string, guia: GuiaDetalleRow | undefined): Promise<void> {
    const { recogida_lat: lat = null, recogida_lng: lng = null } = guia ?? {};
    if (!guia || lat === null || lng === null) return;
    const nombre = guia.recogida_nombre ?? guia.recogida_direccion?.slice(0, MAX.nombre) ?? 'Mi tienda';
    const direccion = guia.recogida_direccion ?? nombre;
    await this.insert({ comercio_id, id: v7(), nombre, direccion, lat, lng }, 1);
  }

  /** @throws AppError `no_encontrado`, also for another merchant's point. */
  async find(comercio_id: string, id: string): Promise<PanelRecogida> {
    const punto = isUuid(id) ? await this.puntos.findOneBy({ comercio_id, id }) : null;
    if (punto) return punto;
    throw new AppError('no_encontrado', { detail: 'Ese punto de recogida ya no está.' });
  }

  /** Makes a point the usual one. @throws AppError `no_encontrado` */
  async use(comercioId: string, id: string): Promise<void> {
    const punto = await this.find(comercioId, id);
    await this.ajustes.rememberRecogida(comercioId, punto.id);
  }

  /** @throws AppError `no_encontrado` */
  async remove(comercio_id: string, id: string): Promise<void> {
    const punto = await this.find(comercio_id, id);
    await this.puntos.delete({ comercio_id, id: punto.id });
  }

  /** @throws AppError `validacion` where the merchant has as many already. */
  private insert(punto: Omit<PanelRecogida, 'creado_en'>, max = MAX_PUNTOS): Promise<void> {
    const { comercio_id } = punto;
    return this.database.managed(comercio_id, async (manager) => {
      // Two forms do not count without each other.
      await manager.query('select from comercios where id = $1 for no key update', [comercio_id]);
      if ((await manager.countBy(PanelRecogida, { comercio_id })) < max)
        await manager.insert(PanelRecogida, punto);
      else if (max === MAX_PUNTOS)
        throw new AppError('validacion', {
          detail: `Ya tiene ${MAX_PUNTOS} puntos de recogida. Quite uno que no use.`,
        });
    });
  }

  /** @throws AppError `validacion`, `enlace_…` */
  private async placeOf(
    comercioId: string,
    { lat, lng, maps_url }: Pick<PuntoDto, 'lat' | 'lng' | 'maps_url'>,
    before: Coordinates | undefined,
  ): Promise<Coordinates> {
    if (maps_url !== undefined && readMapLinkIn(maps_url).kind === 'unsupported')
      throw refusedLinks([linkError('maps_url', 'enlace_no_soportado')]);
    if (lat !== undefined && lng !== undefined) return { lat, lng };
    if (maps_url === undefined) {
      if (before) return before;
      throw wrong('maps_url', 'Diga dónde es: pegue el enlace del mapa, o escriba sus coordenadas.');
    }
    const link = await resolveMapLink(maps_url, comercioId, this.links, performance.now() + LINK_MS);
    if (link.kind === 'coordinates') return link;
    if (link.kind !== 'silent') throw refusedLinks([linkWithoutPoint(link, 'maps_url')]);
    throw wrong(
      'maps_url',
      'El servicio de mapas no contesta. Espere un momento y guarde otra vez, o escriba las coordenadas.',
    );
  }
}

const wrong = (campo: string, mensaje: string): AppError =>
  AppError.validation([{ campo, codigo: 'requerido', mensaje }]);

/** @throws AppError `validacion` */
function readPunto(form: Form): PuntoDto {
  const own = Object.fromEntries(CAMPOS.map((campo) => [campo, form[campo]]));
  const { input, faults } = toFormInput(own);
  const { value, errors } = inspect(PuntoDto, input, {});
  return validValue({ value, errors: allFaults(faults, errors) });
}

const NO_SUCH_PUNTO: FieldError = {
  campo: 'recogida',
  codigo: 'formato',
  mensaje: 'Ese punto de recogida ya no está. Elija uno de la lista.',
};

/** The point that a form chose; the usual one where it has no choice. @throws AppError `validacion` */
export function chosenPunto(puntos: PanelRecogida[], id: string | undefined): PanelRecogida | undefined {
  if (id === undefined || id === '') return puntos[0];
  const punto = puntos.find((one) => one.id === id.toLowerCase());
  if (punto) return punto;
  throw AppError.validation([NO_SUCH_PUNTO]);
}

/** A point as the fields of a guide's form. */
export function toPickup({ nombre, direccion, lat, lng }: PanelRecogida): Texts {
  return {
    'recogida.lat': String(lat),
    'recogida.lng': String(lng),
    'recogida.nombre': nombre,
    'recogida.direccion': direccion,
  };
}

/** A form's `recogida.…` as the form of a point. */
export function puntoOf(fields: Form): Form {
  const own = Object.fromEntries(CAMPOS.map((campo) => [campo, fields[`recogida.${campo}`]]));
  const nombre = own.nombre || own.direccion?.slice(0, MAX.nombre) || 'Mi tienda';
  return { ...own, nombre, direccion: own.direccion || nombre };
}

export const hasPickup = (fields: Form): boolean =>
  Object.entries(fields).some(([name, text]) => name.startsWith('recogida.') && Boolean(text?.trim()));
