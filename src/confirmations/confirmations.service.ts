import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { arrayLiteral } from '../database/array-literal.js';
import { Database } from '../database/database.js';
import { AppError } from '../errors/app-error.js';
import {
  CORRECTION_MINUTES,
  whereConfirmable,
  type AnsweredGuia,
  type ConfirmedPlace,
} from '../guias/changes/guia-confirmations.queries.js';
import { GuiaConfirmationsService } from '../guias/changes/guia-confirmations.service.js';
import type { GuiaKey } from '../guias/guia-key.js';
import { linkIn, resolveMapLink, type ResolvedLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { TOKEN_DAYS, tokenHash, tokenOf } from './token.js';

/** What a recipient's link shows: never who they are or where. */
export interface OpenConfirmation {
  /** The merchant's name. */
  comercio: string;
  /** Guide number. */
  guia: string;
  municipio: string;
  /** Null while it is open; else until when it may be corrected, ISO 8601, and whether it is far from the merchant's country. */
  confirmada: { corregibleHasta: string; isFar: boolean } | null;
}

/** What a recipient answers: coordinates, or a map link; coordinates win. */
export interface RecipientAnswer {
  lat?: number;
  lng?: number;
  maps_url?: string;
  referencia?: string;
  /** Metres. */
  precision?: number;
}

interface OpenRow {
  comercio_id: string;
  guia_id: string;
  comercio: string;
  guia: string;
  municipio: string;
  confirmada_en: Date | null;
  lejos: boolean;
  telefono_secuencia: number | null;
}

const MINT = `insert into confirmaciones (huella, comercio_id, guia_id, secuencia, creada_en, expira_en)
  select huella, comercio_id, guia_id, secuencia, now(), now() + interval '${TOKEN_DAYS} days'
  from unnest($1::bytea[], $2::uuid[], $3::uuid[], $4::integer[]) as nueva (huella, comercio_id, guia_id, secuencia)
  on conflict do nothing`;

const FIND = `select g.comercio_id, g.id as guia_id, c.nombre as comercio, g.guia, g.municipio, g.confirmada_en,
    'destino_fuera_del_pais' = any (g.advertencias) as lejos, g.telefono_secuencia
  from confirmaciones t
  join guias g on g.comercio_id = t.comercio_id and g.id = t.guia_id
  join comercios c on c.id = t.comercio_id
  where t.huella = $1 and t.expira_en > now() and coalesce(t.secuencia, 0) >= coalesce(g.telefono_secuencia, 0)
    and ${whereConfirmable('g')}`;

/** The recipient's side of a guide: the link they are sent, and the place they answer with. */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiaConfirmationsService,
    private readonly secrets: Secrets,
    private readonly links: ShortLinkClient,
  ) {}

  /** Makes the links of messages work, for 7 days from now; those made before stay as they are. */
  async mint(mensajes: ({ mensajeId: string; secuencia: number } & GuiaKey)[]): Promise<void> {
    const huellas = mensajes.map(({ mensajeId }) => tokenHash(this.token(mensajeId)));
    const values = [
      huellas,
      arrayLiteral(mensajes.map((one) => one.comercioId)),
      arrayLiteral(mensajes.map((one) => one.guiaId)),
      arrayLiteral(mensajes.map((one) => one.secuencia)),
    ];
    await this.database.query({ name: 'confirmaciones-mint', text: MINT, values });
  }

  /** The secret part of a message's link; made again whenever it is needed, and kept nowhere. */
  token(mensajeId: string): string {
    return tokenOf(mensajeId, this.secrets.confirmationKey);
  }

  /** Undefined for unknown, expired and closed tokens alike. */
  async find(token: string): Promise<OpenConfirmation | undefined> {
    const row = await this.row(token);
    return (
      row &&
      toOpenConfirmation(row, row.confirmada_en && { confirmedAt: row.confirmada_en, isFar: row.lejos })
    );
  }

  /**
   * Confirms the guide of a token, or corrects it.
   * @throws AppError `no_encontrado`; `validacion` or `enlace_…` where the answer is no place.
   */
  async confirm(token: string, answer: RecipientAnswer): Promise<OpenConfirmation> {
    const row = await this.row(token);
    if (!row) throw notOpen();
    const confirmacion = { ...(await this.placeOf(answer, row.guia_id)), origen: 'pagina' as const };
    const confirmada = await this.guias.confirm(keyOf(row), confirmacion);
    // Closed between the two statements.
    if (!confirmada) throw notOpen();
    return toOpenConfirmation(row, confirmada);
  }

  /** Coordinates, or what a link says of them. @throws AppError */
  private async placeOf(answer: RecipientAnswer, guiaId: string): Promise<Omit<ConfirmedPlace, 'origen'>> {
    const { lat, lng, maps_url, referencia, precision } = answer;
    if (lat !== undefined && lng !== undefined) return { lat, lng, referencia, precision };
    if (maps_url === undefined) {
      const mensaje = 'Envía `lat` y `lng`, o un enlace de mapa en `maps_url`.';
      throw AppError.validation([{ campo: 'maps_url', codigo: 'requerido', mensaje }]);
    }
    return { ...toPlace(await resolveMapLink(maps_url, guiaId, this.links), linkIn(maps_url)), referencia };
  }

  private async row(token: string): Promise<OpenRow | undefined> {
    const huella = tokenHash(token);
    if (!huella) return undefined;
    const { rows } = await this.database.query<OpenRow>({
      name: 'confirmacion',
      text: FIND,
      values: [huella],
    });
    return rows[0];
  }
}

const notOpen = () => new AppError('no_encontrado', { detail: 'Este enlace ya no está disponible.' });

const keyOf = (row: OpenRow): AnsweredGuia => ({
  comercioId: row.comercio_id,
  guiaId: row.guia_id,
  telefonoSecuencia: row.telefono_secuencia,
});

function toOpenConfirmation(
  { comercio, guia, municipio }: OpenRow,
  confirmada: { confirmedAt: Date; isFar: boolean } | null,
): OpenConfirmation {
  if (!confirmada) return { comercio, guia, municipio, confirmada: null };
  const until = new Date(confirmada.confirmedAt.getTime() + CORRECTION_MINUTES * 60_000);
  const { isFar } = confirmada;
  return { comercio, guia, municipio, confirmada: { corregibleHasta: until.toISOString(), isFar } };
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
