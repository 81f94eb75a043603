import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Raw, Repository } from 'typeorm';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { Database } from '../../../platform/database/database.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import { textTypes } from '../../../platform/database/text-types.js';
import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import { differingFields } from '../../../guias/create/differing-fields.js';
import { CrearGuiaDto, toNewGuia } from '../../../guias/dto/crear-guia.dto.js';
import { DETAILED, type GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { CAMPO_NAMES } from '../../../guias/history/evento-names.js';
import { COLUMNS } from '../../../guias/lote/csv-header.js';
import { withPlainAmount } from '../../../guias/lote/amount-text.js';
import { allFaults, toFormInput } from '../../../guias/lote/form-input.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { readMapLinkIn } from '../../../locations/map-link.js';
import { departmentsOf, placesByKey } from '../../../locations/places/places.js';
import { placeKey } from '../../../locations/places/place-key.js';
import type { Coordinates } from '../../../locations/reading.js';
import { resolveMapLink } from '../../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../../locations/short-links/short-link.client.js';
import type { CountryCode } from 'libphonenumber-js';
import { inspect, validValue } from '../../../platform/validation/read-input.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import type { PanelRecogida } from '../recogidas/panel-recogida.entity.js';
import { chosenPunto, hasPickup, RecogidasService, toPickup } from '../recogidas/recogidas.service.js';
import { PanelSesion } from '../session/panel-sesion.entity.js';
import type { Visit } from '../visit.js';
import { REGRESO } from './regreso.js';
import { safe } from '../importar/file-table.js';
import { notesOfMissing, readChat } from './chat/chat-reading.js';
import { MAX_CHAT } from './chat/chat-text.js';

/** ms that a page waits for a map service; the guide does not need the point. */
const POINT_MS = 1_500;

/** ms in which an equal guide without a reference is asked about. */
const TWIN_MS = 10 * 60_000;

/** The form's field that says that an equal guide is wanted. */
export const OTRA_IGUAL = 'otra_igual';

/** The form's hidden field that says whose session it was made in. */
export const COMERCIO = 'comercio';

export interface NuevaView {
  texto: string;
  fields: Form;
  /** By field: why it is to be looked at. */
  notes: Texts;
  /** How many fields the text filled; undefined before one was read. */
  filled?: number;
  /** Whether a text was pasted that is not kept any more. */
  isGone?: boolean;
  /** Of the destination, where its link has one. */
  point?: Coordinates | undefined;
  /** The merchant's pickup points, the usual one first. */
  puntos: PanelRecogida[];
  departamentos: string[];
  /** Of the chosen department. */
  municipios: string[];
}

@Injectable()
export class NuevaService {
  constructor(
    private readonly database: Database,
    @InjectRepository(PanelSesion) private readonly sessions: Repository<PanelSesion>,
    private readonly guias: GuiasService,
    private readonly ajustes: AjustesService,
    private readonly recogidas: RecogidasService,
    private readonly links: ShortLinkClient,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** An empty form, but for what is remembered. */
  async empty({ merchant }: Visit): Promise<NuevaView> {
    const { guia } = await this.ajustes.of(merchant.id);
    return this.view(merchant, { texto: '', fields: guia, notes: {} });
  }

  /** Keeps with the session what a customer wrote, for an hour: no text of a person stands in an address. */
  async keepText({ sesion }: Visit, texto: string): Promise<void> {
    const kept = { texto: safe(texto, MAX_CHAT), texto_en: () => 'now()' };
    await this.sessions.update({ huella: sesion }, kept);
  }

  private async textOf({ sesion }: Visit): Promise<string> {
    const texto_en = Raw((column) => `${column} > now() - interval '1 hour'`);
    const session = await this.sessions.findOneBy({ huella: sesion, texto_en });
    return session?.texto ?? '';
  }

  /** The form filled from what a customer wrote, as it is kept. */
  async fill(visit: Visit): Promise<NuevaView> {
    const { merchant } = visit;
    const texto = await this.textOf(visit);
    if (texto === '') return { ...(await this.empty(visit)), isGone: true };
    const [{ guia }, places] = await Promise.all([
      this.ajustes.of(merchant.id),
      placesByKey(merchant.country),
    ]);
    const reading = readChat(texto, { country: merchant.country, currency: merchant.currency, places });
    const found = Object.entries(reading);
    const fields: Form = { ...guia };
    const filled = found.filter(([, { valor }]) => valor !== '').length;
    const notes: Texts = filled === 0 ? {} : notesOfMissing(reading);
    // Without a table of places, the text may well name one.
    const hasPlace =
      places.size === 0 || found.some(([name]) => name === 'municipio' || name === 'departamento');
    for (const name of ['departamento', 'municipio']) {
      if (hasPlace) delete fields[name];
      else if (fields[name] !== undefined) notes[name] = 'Es el de la última guía. ¿Está bien?';
    }
    for (const [name, { valor, nota }] of found) {
      fields[name] = valor;
      if (nota !== undefined) notes[name] = nota;
    }
    const point = await this.pointOf(merchant.id, fields.maps_url);
    return this.view(merchant, { texto, fields, notes, filled, point });
  }

  /** The form as it was sent, with its point on the map and the municipalities of its department. */
  async again(visit: Visit, fields: Form): Promise<NuevaView> {
    const { merchant } = visit;
    const [texto, point] = await Promise.all([
      this.textOf(visit),
      this.pointOf(merchant.id, fields.maps_url),
    ]);
    return this.view(merchant, { texto, fields, notes: {}, point });
  }

  /** The point of a pasted link; undefined where it has none, or its service does not answer in time. */
  async pointOf(comercioId: string, text = ''): Promise<Coordinates | undefined> {
    if (text === '' || readMapLinkIn(text).kind === 'unreadable') return undefined;
    const link = await resolveMapLink(text, comercioId, this.links, performance.now() + POINT_MS);
    return link.kind === 'coordinates' ? { lat: link.lat, lng: link.lng } : undefined;
  }

  /**
   * Makes the guide of a form, by the rules of the API; or finds the one that has its reference and the same data.
   * @throws AppError `validacion`, also where the reference is of a guide with other data, or the form of another session;
   *   `enlace_…`
   */
  async create(visit: Visit, sent: Form, deadline: number): Promise<{ numero: string; isNew: boolean }> {
    const { merchant } = visit;
    if (sent[COMERCIO] !== undefined && sent[COMERCIO] !== merchant.id) throw ofOtherSession(merchant);
    const puntos = await this.recogidas.of(merchant.id);
    const typed = Object.fromEntries(Object.entries(sent).filter(([name]) => COLUMNS.includes(name)));
    const punto = sent.recogida || !hasPickup(typed) ? chosenPunto(puntos, sent.recogida) : undefined;
    const texts = { ...typed, ...(punto && toPickup(punto)) };
    const { input, faults } = toFormInput(withPlainAmount(texts, merchant));
    const { country, currency } = merchant;
    const { value, errors } = inspect(CrearGuiaDto, input, { country, currency });
    const dto = validValue({ value, errors: allFaults(faults, errors) });
    if (sent[REGRESO] === 'si' && sent[OTRA_IGUAL] !== 'si') await this.refuseTwin(merchant.id, dto);
    const { guia, isDuplicate, differing } = await this.guias.create(merchant, dto, deadline);
    if (differing.length > 0) throw AppError.validation([takenReference(guia.guia, differing)]);
    // The guide is made: that nothing is remembered must not look as if it were not.
    await Promise.all([
      this.keepText(visit, ''),
      this.ajustes.rememberGuia(merchant.id, texts),
      puntos.length === 0 && this.rememberPickup(merchant.id, guia.guia),
    ]).catch((error: unknown) => this.logger.warn({ err: error }, 'what a form typed was not remembered'));
    return { numero: guia.guia, isNew: !isDuplicate };
  }

  /** The pickup of a merchant's first guide becomes its first point. */
  private async rememberPickup(comercioId: string, numero: string): Promise<void> {
    const made = await this.guias.findOwn(comercioId, [numero]);
    await this.recogidas.saveFirst(comercioId, made.get(numero));
  }

  /**
   * Asks before a second equal guide: a browser's way back shows a sent form with its texts and a new key.
   * @throws AppError `validacion`
   */
  private async refuseTwin(comercioId: string, dto: CrearGuiaDto): Promise<void> {
    const newGuia = toNewGuia(dto);
    if (newGuia.external_ref !== null) return;
    const query = newGuiasTo(comercioId, newGuia.telefono, Date.now() - TWIN_MS);
    const { rows } = await this.database.query<GuiaDetalleRow>(query);
    const twin = rows.find((row) => differingFields(dto, newGuia, row).length === 0);
    if (twin) throw AppError.validation([equalGuia(twin.guia)]);
  }

  private async view(
    { id, country }: Merchant,
    shown: Omit<NuevaView, 'departamentos' | 'municipios' | 'puntos'>,
  ): Promise<NuevaView> {
    return {
      ...shown,
      puntos: await this.recogidas.of(id),
      departamentos: departmentsOf(country).map(({ nombre }) => nombre),
      municipios: municipiosOf(country, shown.fields.departamento),
    };
  }
}

/** The municipalities of a department, for suggestions. */
export function municipiosOf(country: CountryCode, departamento = ''): string[] {
  const key = placeKey(departamento.slice(0, 120));
  return departmentsOf(country).find(({ nombre }) => placeKey(nombre) === key)?.municipios ?? [];
}

/** Of a tab that was open while somebody signed in with the key of another shop, or of test mode. */
function ofOtherSession({ name, isTest }: Merchant): AppError {
  const now = `${name}${isTest ? ', en modo de prueba' : ''}`;
  return new AppError('validacion', {
    detail: `Esta página se abrió con otra clave, y ahora la sesión es de ${now}. No se creó nada. Si la guía es de esa tienda, revise dónde se recoge y créela; si no, entre otra vez con su clave.`,
  });
}

function equalGuia(numero: string): FieldError {
  const mensaje = `Hace poco se creó la guía ${inFours(numero)} con los mismos datos. Si es otro envío igual, márquelo aquí y cree la guía; si no, ya está hecha.`;
  return { campo: OTRA_IGUAL, codigo: 'requerido', mensaje };
}

/** @param differing fields of the guide that has the reference, as the API names them. */
function takenReference(numero: string, differing: string[]): FieldError {
  const names = new Set(differing.map((campo) => CAMPO_NAMES[campo]));
  return {
    campo: 'external_ref',
    codigo: 'formato',
    mensaje: `Ya es de la guía ${inFours(numero)}, que tiene otros datos: ${[...names].join(', ')}. Escriba otro número de pedido, o cambie esa guía.`,
  };
}

/** Guides to one phone that are compared with a new one. */
const MAX_COMPARED = 20;

/**
 * A merchant's newest guides to a phone, without a reference and not cancelled. The index is of the reversed phone.
 * @param since ms, when the oldest was made
 */
function newGuiasTo(comercioId: string, telefono: string, since: number): QueryConfig {
  const text = `select ${DETAILED} from guias where comercio_id = $1 and reverse(telefono) = reverse($2)
    and id >= $3 and external_ref is null and estado <> 'cancelado'
    order by id desc limit ${MAX_COMPARED}`;
  return { text, values: [comercioId, telefono, firstIdAt(since)], types: textTypes };
}
