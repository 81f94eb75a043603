import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import {
  CORRECTION_MINUTES,
  type AnsweredGuia,
  type ConfirmedPlace,
} from '../guias/changes/guia-confirmations.queries.js';
import { GuiaConfirmationsService } from '../guias/changes/guia-confirmations.service.js';
import type { GuiaKey } from '../guias/guia-key.js';
import { linkIn, resolveMapLink, type ResolvedLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { findOpenLink, mintLinks, type OpenLinkRow } from './confirmations.queries.js';
import { tokenHash, tokenOf } from './token.js';

/** What a recipient's link shows: never who they are or where. */
export interface OpenConfirmation {
  /** Merchant's name. */
  comercio: string;
  /** Guide number. */
  guia: string;
  municipio: string;
  /** Null until the recipient confirms. */
  confirmed: {
    /** ISO 8601; until then another answer corrects this one. */
    correctableUntil: string;
    /** Whether the place is far from the merchant's country. */
    isFar: boolean;
  } | null;
}

/** What a recipient answers: coordinates or a map link; coordinates win. */
export interface RecipientAnswer {
  lat?: number;
  lng?: number;
  maps_url?: string;
  referencia?: string;
  /** Metres. */
  precision?: number;
}

/** The recipient's side of a guide: the link they are sent, and the place they answer with. */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiaConfirmationsService,
    private readonly secrets: Secrets,
    private readonly links: ShortLinkClient,
  ) {}

  /** Makes the links of messages work for 7 days from now; links made before keep their time. */
  async mint(mensajes: ({ mensajeId: string; secuencia: number } & GuiaKey)[]): Promise<void> {
    const links = mensajes.map(({ mensajeId, ...link }) => ({
      huella: tokenHash(this.token(mensajeId))!,
      ...link,
    }));
    await this.database.query(mintLinks(links));
  }

  /** The secret part of a message's link, derived from the message's id: it is not stored. */
  token(mensajeId: string): string {
    return tokenOf(mensajeId, this.secrets.confirmationKey);
  }

  /** Undefined for unknown, expired and closed tokens alike. */
  async find(token: string): Promise<OpenConfirmation | undefined> {
    const link = await this.findLink(token);
    return (
      link &&
      toOpenConfirmation(link, link.confirmada_en && { confirmedAt: link.confirmada_en, isFar: link.lejos })
    );
  }

  /**
   * Confirms the guide of a token, or corrects it.
   * @throws AppError `no_encontrado`; `validacion` or `enlace_…` where the answer is no place.
   */
  async confirm(token: string, answer: RecipientAnswer): Promise<OpenConfirmation> {
    const link = await this.findLink(token);
    if (!link) throw notOpen();
    const confirmacion = { ...(await this.placeOf(answer, link.guia_id)), origen: 'pagina' as const };
    const confirmada = await this.guias.confirm(keyOf(link), confirmacion);
    // Closed between the two statements.
    if (!confirmada) throw notOpen();
    return toOpenConfirmation(link, confirmada);
  }

  /** The coordinates sent, or those of the link. @throws AppError */
  private async placeOf(answer: RecipientAnswer, guiaId: string): Promise<Omit<ConfirmedPlace, 'origen'>> {
    const { lat, lng, maps_url, referencia, precision } = answer;
    if (lat !== undefined && lng !== undefined) return { lat, lng, referencia, precision };
    if (maps_url === undefined) {
      const mensaje = 'Envía `lat` y `lng`, o un enlace de mapa en `maps_url`.';
      throw AppError.validation([{ campo: 'maps_url', codigo: 'requerido', mensaje }]);
    }
    return { ...toPlace(await resolveMapLink(maps_url, guiaId, this.links), linkIn(maps_url)), referencia };
  }

  private async findLink(token: string): Promise<OpenLinkRow | undefined> {
    const huella = tokenHash(token);
    if (!huella) return undefined;
    const { rows } = await this.database.query<OpenLinkRow>(findOpenLink(huella));
    return rows[0];
  }
}

const notOpen = () => new AppError('no_encontrado', { detail: 'Este enlace ya no está disponible.' });

const keyOf = (link: OpenLinkRow): AnsweredGuia => ({
  comercioId: link.comercio_id,
  guiaId: link.guia_id,
  telefonoSecuencia: link.telefono_secuencia,
});

function toOpenConfirmation(
  { comercio, guia, municipio }: OpenLinkRow,
  confirmada: { confirmedAt: Date; isFar: boolean } | null,
): OpenConfirmation {
  if (!confirmada) return { comercio, guia, municipio, confirmed: null };
  const until = new Date(confirmada.confirmedAt.getTime() + CORRECTION_MINUTES * 60_000);
  const { isFar } = confirmada;
  return { comercio, guia, municipio, confirmed: { correctableUntil: until.toISOString(), isFar } };
}

/** @throws AppError `validacion` or `enlace_…` where an answer is no place. */
function toPlace(found: ResolvedLink, link: string): { lat: number; lng: number; mapsUrl: string } {
  switch (found.kind) {
    case 'coordinates':
      return { lat: found.lat, lng: found.lng, mapsUrl: link };
    case 'unreadable':
      throw AppError.validation([
        { campo: 'maps_url', codigo: 'formato', mensaje: 'Eso no es un enlace de mapa ni unas coordenadas.' },
      ]);
    case 'unsupported':
      throw linkError('enlace_no_soportado', 'Ese enlace no es de un mapa que conozcamos.');
    case 'broken':
      throw linkError('enlace_roto', 'El mapa dice que ese enlace ya no existe. Comparte uno nuevo.');
    case 'silent':
      throw linkError(
        'no_disponible',
        'El mapa no responde ahora. Intenta de nuevo en un minuto, o usa tu ubicación.',
      );
    default:
      throw linkError(
        'enlace_sin_coordenadas',
        'Ese enlace no dice el punto exacto. Comparte un pin, o usa tu ubicación.',
      );
  }
}

function linkError(
  codigo: 'enlace_no_soportado' | 'enlace_sin_coordenadas' | 'enlace_roto' | 'no_disponible',
  mensaje: string,
): AppError {
  return new AppError(codigo, { detail: mensaje, errores: [{ campo: 'maps_url', codigo, mensaje }] });
}
