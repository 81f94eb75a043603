import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import { Secrets } from '../platform/config/secrets.js';
import { Database } from '../platform/database/database.js';
import { AppError } from '../platform/errors/app-error.js';
import { isConfirmable, takesNotesAlone } from '../guias/changes/confirmable.js';
import { GuiaConfirmationsService } from '../guias/changes/guia-confirmations.service.js';
import { placeVersion } from '../guias/changes/place-version.js';
import type { Pago } from '../guias/guia/pago.js';
import { GOOD_PRECISION_M } from '../guias/guia/good-precision.js';
import { toAnsweredGuia, type ConfirmedPlace } from '../guias/changes/recipient-answer.js';
import { OPEN_ESTADOS, type GuiaEstado } from '../guias/guia/guia-estado.js';
import { standingMoves } from '../guias/guia/standing-moves.js';
import { money } from '../guias/guia/local-format.js';
import { claimedId, isTokenOf } from '../guias/tracking/tracking-token.js';
import { centreOf } from '../locations/places/places.js';
import type { Coordinates } from '../locations/reading.js';
import { linkIn } from '../locations/map-link.js';
import { resolveMapLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import {
  checkNoteAlone,
  imprecise,
  notOpen,
  placeChanged,
  tooManyCorrections,
  toPlace,
} from './answer-errors.js';
import { guiaOfMessage, guiaOfTracking, type LinkedGuiaRow } from './confirmations.queries.js';
import type { ConfirmarDto } from './dto/confirmar.dto.js';
import { PIN_ESTADOS, pinOf } from '../guias/pin/pin.js';
import { tokenHash, tokenOf } from './token.js';

/** Contents of a recipient's page: never a phone, a person's name or the pickup point. */
export interface RecipientGuia {
  /** Merchant's name. */
  comercio: string;
  /** ISO 3166 code of the merchant's country. */
  pais: CountryCode;
  /** E.164: where the recipient reaches the merchant by WhatsApp; null if nowhere. */
  contacto: string | null;
  guia: string;
  municipio: string;
  /** Contents of the parcel; empty if the merchant did not say. */
  contenido: string;
  /** Amount due on delivery, like `Q 349.50`; null if nothing. */
  cobro: string | null;
  estado: GuiaEstado;
  /** Its states so far, in order and without those taken back; `en` is ISO 8601; `motivo` why it was not delivered. */
  pasos: Omit<LinkedGuiaRow['pasos'][number], 'tipo' | 'secuencia'>[];
  takesAnswers: boolean;
  /** Whether they may only say a word to the driver, who is on the way. */
  takesNotes: boolean;
  /** When the recipient may correct again after too many corrections, ISO 8601; null where that is not the reason. */
  correctableFrom: string | null;
  /** Whether the last attempt failed and the recipient has not answered since: the page asks again. */
  asksAgain: boolean;
  /** Whether an attempt failed, so that the page takes a note for the driver. */
  hasFailed: boolean;
  isDenied: boolean;
  /** About where the recipient's municipality is; null for one that the table of places does not have. */
  centro: Coordinates | null;
  /** Where the map opens: there, or at the pickup point, rounded so that it shows the town and not the house. */
  cerca: Coordinates | null;
  isOptedOut: boolean;
  isTest: boolean;
  /** Whether the destination is known, by the recipient or the merchant. */
  isKnown: boolean;
  isConfirmed: boolean;
  /** Whether the known place is far from the merchant's country. */
  isFar: boolean;
  /** The landmark of a known destination; empty if there is none. */
  referencia: string;
  /** Amount paid on delivery, like `cobro`; null if nothing, or before it. */
  pagado: string | null;
  /** How; null where nothing was due, or before it. */
  pago: Pago | null;
  /** Whether the recipient may say that the delivered parcel did not arrive. */
  canReport: boolean;
  /** Whether they have said so. */
  isReported: boolean;
  /** PIN that the recipient tells the driver: four digits; null where none is asked for, or not yet. */
  pin: string | null;
  /** The recipient's last note for the driver; empty if there is none. */
  nota: string;
  /** Names the known destination, so that an answer says on which one it was given; empty where there is none. */
  version: string;
  /** The known destination; null where its coordinates are not known. */
  destino: Coordinates | null;
}

/** A valid link of a recipient, and its guide as it was when the link was opened. */
export class RecipientLink {
  constructor(
    readonly token: string,
    readonly row: LinkedGuiaRow,
    private readonly pinKey: Buffer,
  ) {}

  /** Made when it is asked for: a program's answer needs none. */
  get guia(): RecipientGuia {
    return toRecipientGuia(this.row, this.pinKey);
  }
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

  /** The secret part of a message's link: derived from the message's id, not stored. */
  token(mensajeId: string): string {
    return tokenOf(mensajeId, this.secrets.confirmationKey);
  }

  huella(mensajeId: string): Buffer {
    return tokenHash(this.token(mensajeId))!;
  }

  /** Undefined for unknown and expired tokens alike. */
  async find(token: string): Promise<RecipientLink | undefined> {
    const row = await this.findRow(token);
    return row && new RecipientLink(token, row, this.secrets.pinKey);
  }

  /** The guide as it is now. @throws AppError `no_encontrado` where its phone has changed meanwhile */
  async again({ token }: RecipientLink): Promise<RecipientGuia> {
    const link = await this.find(token);
    if (!link) throw noSuchLink();
    return link.guia;
  }

  /**
   * Confirms the guide of a link, corrects it, or keeps a note for the driver.
   * @returns whether its destination is known then.
   * @throws AppError `guia_no_modificable` if the guide accepts no answer, or no further correction now; `precision_baja` for
   *   an imprecise place that nobody has accepted; `lugar_cambiado` where another place was saved since; `enlace_…` if a map
   *   link has no coordinates.
   */
  async confirm({ row }: RecipientLink, answer: ConfirmarDto): Promise<boolean> {
    // Before a map service is asked. Whether it is a correction, or a repeat of what is saved, is decided later.
    if (!row.vigente || !OPEN_ESTADOS.includes(row.estado)) throw notOpen();
    if (takesNotesAlone(row)) checkNoteAlone(answer);
    if (isRough(answer) && !answer.precision_aceptada) throw imprecise(answer.precision_m!);
    const { referencia, nota, version } = answer;
    const place = {
      ...(await this.placeOf(answer, row.guia_id)),
      referencia,
      nota,
      version,
      origen: 'pagina' as const,
    };
    const saved = await this.guias.confirm(toAnsweredGuia(row), place);
    // Closed since the link was opened. An answer of the page is the newest.
    if (saved === 'closed' || saved === 'older') throw notOpen();
    if (saved !== 'saved' && 'savedPlace' in saved) throw placeChanged(saved.savedPlace, place);
    if (saved !== 'saved') throw tooManyCorrections(saved.correctableFrom);
    return row.direccion_confirmada || place.lat !== undefined;
  }

  /**
   * Tells the merchant that the parcel is not the recipient's, and stops the messages about it until the merchant
   * changes the phone or the recipient confirms after all. Idempotent.
   * @throws AppError `no_encontrado` where the phone has changed meanwhile; `guia_no_modificable` where the guide has ended.
   */
  async deny({ row }: RecipientLink): Promise<void> {
    const outcome = await this.guias.deny(toAnsweredGuia(row));
    if (outcome === 'ended') throw new AppError('guia_no_modificable', { detail: 'Este envío ya terminó.' });
    if (outcome === 'other_phone') throw noSuchLink();
  }

  /**
   * Warns that the delivered parcel did not arrive. Idempotent.
   * @throws AppError `no_encontrado` where the phone has changed meanwhile; `guia_no_modificable` where the guide was not
   *   delivered, or too long ago.
   */
  async reportNonReceipt({ row }: RecipientLink, texto: string | undefined): Promise<void> {
    const outcome = await this.guias.reportNonReceipt(toAnsweredGuia(row), texto);
    if (outcome === 'closed')
      throw new AppError('guia_no_modificable', {
        detail: 'Solo se avisa en los 7 días después de la entrega.',
      });
    if (outcome === 'other_phone') throw noSuchLink();
  }

  /** The coordinates sent, or those of the link; nothing where a note comes alone. @throws AppError */
  private async placeOf(answer: ConfirmarDto, guiaId: string): Promise<Pick<ConfirmedPlace, PlaceField>> {
    const { lat, lng, maps_url, precision, precision_m: precisionM } = answer;
    if (lat !== undefined && lng !== undefined) return { lat, lng, precision, precisionM };
    if (maps_url === undefined) return {};
    return { ...toPlace(await resolveMapLink(maps_url, guiaId, this.links), linkIn(maps_url)), precisionM };
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

/** The same for links that never existed and those that have ended. */
export function noSuchLink(): AppError {
  return new AppError('no_encontrado', { detail: 'Este enlace no está disponible.' });
}

type PlaceField = 'lat' | 'lng' | 'mapsUrl' | 'precision' | 'precisionM';

/** Whether an answer has a place whose position may be another house's. */
const isRough = ({ lat, maps_url, precision_m }: ConfirmarDto) =>
  precision_m !== undefined &&
  precision_m > GOOD_PRECISION_M &&
  (lat !== undefined || maps_url !== undefined);

const isOpen = (row: LinkedGuiaRow) => row.vigente && isConfirmable(row);

function toRecipientGuia(row: LinkedGuiaRow, pinKey: Buffer): RecipientGuia {
  const { comercio, pais, contacto, guia, municipio, contenido, estado, direccion_confirmada: isKnown } = row;
  const { moneda, cod_amount, destino_lat: lat, destino_lng: lng } = row;
  const pasos = standingMoves(row.pasos);
  const amountOf = (amount: string | null) =>
    amount !== null && Number(amount) > 0 ? money(amount, moneda, pais) : null;
  const isOnTheWay = row.vigente && takesNotesAlone(row);
  const correctableFrom = (isOpen(row) && isKnown) || isOnTheWay ? row.corregible_desde : null;
  const centro = centreOf(pais, row);
  const takesAnswers = isOpen(row) && correctableFrom === null;
  const parcel = { comercio, pais, contacto, guia, municipio, contenido, cobro: amountOf(cod_amount) };
  return {
    ...parcel,
    estado,
    pasos,
    takesAnswers,
    takesNotes: isOnTheWay && correctableFrom === null,
    correctableFrom,
    asksAgain:
      takesAnswers && estado === 'intento_fallido' && (row.respondida ?? 0) < (pasos.at(-1)?.secuencia ?? 0),
    hasFailed: pasos.some((paso) => paso.estado === 'intento_fallido'),
    isDenied: row.niega,
    isOptedOut: row.de_baja,
    isTest: row.de_prueba,
    centro,
    cerca: centro ?? roundedPickup(row),
    isKnown,
    isConfirmed: isKnown && row.confirmada_en !== null,
    isFar: row.lejos,
    referencia: (isKnown && row.referencia) || '',
    nota: row.nota ?? '',
    pin: row.con_pin && !row.niega && PIN_ESTADOS.includes(estado) ? pinOf(row.guia_id, pinKey) : null,
    pagado: amountOf(row.cod_cobrado),
    pago: row.pago,
    canReport: row.vigente && row.reclamable && !row.reclamada,
    isReported: row.reclamada,
    version: placeVersion(row),
    destino: isKnown && lat !== null && lng !== null ? { lat, lng } : null,
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
