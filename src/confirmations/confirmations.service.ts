import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import { correctableUntil, isConfirmable } from '../guias/changes/confirmable.js';
import { GuiaConfirmationsService } from '../guias/changes/guia-confirmations.service.js';
import { toAnsweredGuia, type ConfirmedPlace } from '../guias/changes/recipient-answer.js';
import type { GuiaEstado } from '../guias/guia-estado.js';
import type { GuiaKey } from '../guias/guia-key.js';
import { standingMoves } from '../guias/standing-moves.js';
import { currencySymbol, groupedAmount } from '../guias/local-format.js';
import { claimedId, isTokenOf } from '../guias/tracking/tracking-token.js';
import type { Coordinates } from '../locations/reading.js';
import { linkIn } from '../locations/map-link.js';
import { resolveMapLink, type ResolvedLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { guiaOfMessage, guiaOfTracking, mintLinks, type LinkedGuiaRow } from './confirmations.queries.js';
import type { ConfirmarDto } from './dto/confirmar.dto.js';
import { tokenHash, tokenOf } from './token.js';

/** What a recipient's link shows: never a phone, a person's name or the pickup point. */
export interface RecipientGuia {
  /** Merchant's name. */
  comercio: string;
  /** ISO 3166 code of the merchant's country. */
  pais: CountryCode;
  /** E.164: where the recipient reaches the merchant by WhatsApp; null if nowhere. */
  contacto: string | null;
  /** Guide number. */
  guia: string;
  municipio: string;
  /** What is in the parcel; empty if the merchant did not say. */
  contenido: string;
  /** What is paid on delivery, like `Q 349.50`; null if nothing. */
  cobro: string | null;
  estado: GuiaEstado;
  /** Its states so far, in order and without those taken back; `en` is ISO 8601; `motivo` why it was not delivered. */
  pasos: Omit<LinkedGuiaRow['pasos'][number], 'tipo'>[];
  /** Whether the recipient may answer: confirm, or correct. */
  takesAnswers: boolean;
  /** Whether the recipient said that the parcel is not theirs. */
  isDenied: boolean;
  /** The pickup point, rounded so that it shows the town and not the house; null where it is not known. */
  cerca: Coordinates | null;
  /** Whether it is a test guide, of which no parcel arrives. */
  isTest: boolean;
  /** Null until the recipient confirms. */
  confirmed: {
    /** ISO 8601; until then another answer corrects this one. */
    correctableUntil: string;
    /** Whether the place is far from the merchant's country. */
    isFar: boolean;
    /** The landmark that is saved; empty if none is. */
    referencia: string;
  } | null;
  /** The confirmed destination; null where its coordinates are not known. */
  destino: Coordinates | null;
}

/** A valid link of a recipient, and its guide as it was when the link was opened. */
export interface RecipientLink {
  row: LinkedGuiaRow;
  /** What the recipient sees of the row. */
  guia: RecipientGuia;
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

  /** Makes the links of messages valid for 7 days from now; links made before keep their expiry. */
  async mint(mensajes: ({ mensajeId: string; secuencia: number } & GuiaKey)[]): Promise<void> {
    const links = mensajes.map(({ mensajeId, ...link }) => ({
      huella: tokenHash(this.token(mensajeId))!,
      ...link,
    }));
    await this.database.query(mintLinks(links));
  }

  /** The secret part of a message's link: derived from the message's id, not stored. */
  token(mensajeId: string): string {
    return tokenOf(mensajeId, this.secrets.confirmationKey);
  }

  /** Undefined for unknown and expired tokens alike. */
  async find(token: string): Promise<RecipientLink | undefined> {
    const row = await this.findRow(token);
    return row && { row, guia: toRecipientGuia(row) };
  }

  /**
   * Confirms the guide of a link, or corrects it.
   * @throws AppError `guia_no_modificable` if the guide accepts no answer any more; `enlace_…` if a map link has no coordinates.
   */
  async confirm({ row }: RecipientLink, answer: ConfirmarDto): Promise<RecipientGuia> {
    if (!takesAnswers(row)) throw notOpen();
    const confirmacion = { ...(await this.placeOf(answer, row.guia_id)), origen: 'pagina' as const };
    const confirmada = await this.guias.confirm(toAnsweredGuia(row), confirmacion);
    // Closed since the link was opened.
    if (!confirmada) throw notOpen();
    return toRecipientGuia({
      ...row,
      niega: false,
      confirmada_en: confirmada.confirmedAt,
      lejos: confirmada.isFar,
      direccion_confirmada: true,
      referencia: confirmacion.referencia ?? row.referencia,
      destino_lat: confirmacion.lat,
      destino_lng: confirmacion.lng,
    });
  }

  /**
   * Tells the merchant that the parcel is not the recipient's, and stops the messages about it until the merchant
   * changes the phone or the recipient confirms after all. Idempotent.
   * @throws AppError `no_encontrado` where the phone has changed meanwhile; `guia_no_modificable` where the guide has ended.
   */
  async deny({ row }: RecipientLink): Promise<RecipientGuia> {
    switch (await this.guias.deny(toAnsweredGuia(row))) {
      case 'denied':
        return toRecipientGuia({ ...row, niega: true });
      case 'ended':
        throw new AppError('guia_no_modificable', { detail: 'Este envío ya terminó.' });
      case 'other_phone':
        throw new AppError('no_encontrado', { detail: 'Este enlace no está disponible.' });
    }
  }

  /** The coordinates sent, or those of the link. @throws AppError */
  private async placeOf(answer: ConfirmarDto, guiaId: string): Promise<Omit<ConfirmedPlace, 'origen'>> {
    const { lat, lng, maps_url, referencia, precision } = answer;
    if (lat !== undefined && lng !== undefined) return { lat, lng, referencia, precision };
    const found = await resolveMapLink(maps_url!, guiaId, this.links);
    return { ...toPlace(found, linkIn(maps_url!)), referencia };
  }

  private async findRow(token: string): Promise<LinkedGuiaRow | undefined> {
    const id = claimedId(token);
    if (id !== undefined) {
      const { rows } = await this.database.query<LinkedGuiaRow>(guiaOfTracking(id));
      const guia = rows[0] && { id: rows[0].guia_id, telefono_secuencia: rows[0].telefono_secuencia };
      return guia && isTokenOf(token, guia, this.secrets.confirmationKey) ? rows[0] : undefined;
    }
    const huella = tokenHash(token);
    if (!huella) return undefined;
    const { rows } = await this.database.query<LinkedGuiaRow>(guiaOfMessage(huella));
    return rows[0];
  }
}

const notOpen = () =>
  new AppError('guia_no_modificable', { detail: 'Ya no se puede cambiar aquí dónde entregar.' });

const takesAnswers = (row: LinkedGuiaRow) => row.vigente && isConfirmable(row, row.ahora);

function toRecipientGuia(row: LinkedGuiaRow): RecipientGuia {
  const { comercio, pais, contacto, guia, municipio, contenido, estado, pasos, confirmada_en } = row;
  const { niega: isDenied, de_prueba: isTest, moneda, cod_amount, destino_lat: lat, destino_lng: lng } = row;
  const cobro =
    Number(cod_amount) > 0 ? `${currencySymbol(moneda, pais)} ${groupedAmount(cod_amount)}` : null;
  const destino = row.direccion_confirmada && lat !== null && lng !== null ? { lat, lng } : null;
  const confirmed =
    confirmada_en === null
      ? null
      : {
          correctableUntil: correctableUntil(confirmada_en),
          isFar: row.lejos,
          referencia: row.referencia ?? '',
        };
  const parcel = { comercio, pais, contacto, guia, municipio, contenido, cobro };
  return {
    ...parcel,
    estado,
    pasos: standingMoves(pasos),
    takesAnswers: takesAnswers(row),
    isDenied,
    isTest,
    cerca: roundedPickup(row),
    confirmed,
    destino,
  };
}

/** Degrees; about 5 km. */
const ROUNDED_TO = 0.05;

function roundedPickup({ recogida_lat, recogida_lng }: LinkedGuiaRow): Coordinates | null {
  if (recogida_lat === null || recogida_lng === null) return null;
  const [lat, lng] = [recogida_lat, recogida_lng].map((degrees) =>
    Number((Math.round(degrees / ROUNDED_TO) * ROUNDED_TO).toFixed(2)),
  );
  return { lat: lat!, lng: lng! };
}

/** @throws AppError `validacion` or `enlace_…` if a link has no coordinates. */
function toPlace(found: ResolvedLink, link: string): { lat: number; lng: number; mapsUrl: string } {
  switch (found.kind) {
    case 'coordinates':
      return { lat: found.lat, lng: found.lng, mapsUrl: link };
    case 'unreadable':
      throw AppError.validation([
        { campo: 'maps_url', codigo: 'formato', mensaje: 'Eso no es un enlace de mapa ni unas coordenadas.' },
      ]);
    case 'unsupported':
      throw linkError('enlace_no_soportado', 'Ese enlace no lleva a un lugar de un mapa que conozcamos.');
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
