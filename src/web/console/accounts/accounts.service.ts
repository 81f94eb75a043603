import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import type { CountryCode } from 'libphonenumber-js';
import { prefixOf } from '../../../auth/keys/api-key.js';
import {
  ApiKeysService,
  keyModeOf,
  type KeyOwner,
  type KeyWithMerchant,
  type NewKey,
} from '../../../auth/keys/api-keys.service.js';
import { isWorking } from '../../../auth/keys/clave-api.entity.js';
import { expiryOf } from '../../../auth/keys/datos-de-clave.form.js';
import { MERCHANT_SCOPES, OPERATOR_SCOPES, type Scope } from '../../../auth/keys/scopes.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import type { Operador } from '../../../auth/operators/operador.entity.js';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import { findRequestsOfKey } from '../../../auth/solicitudes/request-log.queries.js';
import type { Solicitud } from '../../../auth/solicitudes/solicitud.entity.js';
import type { StaffUser } from '../admin-access.js';
import type { Subject } from '../audit/audit.queries.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { CausesService } from '../causes/causes.service.js';
import { CLASES, type CausaGroup, type Clase } from '../../../support/causes/causes.queries.js';
import type { AccountRef } from './account-kind.js';
import type { EndpointAccount } from './endpoint-account.js';
import type { WatchedEndpoint } from './endpoint-box.js';
import { EndpointOverviewService } from './endpoint-overview.service.js';
import { ClaveForm, ComercioForm, NuevoComercioForm, OperadorForm, RotarForm } from './account.forms.js';
import {
  listMerchants,
  listOperators,
  PAGE,
  type Account,
  type MerchantAccount,
} from './accounts.queries.js';

const HOUR_MS = 3_600_000;

/** Requests of a leaked key that its page lists: the newest. The command lists more. */
export const MAX_SHOWN = 200;

/** A new key, and what the one before it did, if it leaked; null where that could not be read. */
export type RotatedKey = NewKey & { did?: Solicitud[] | null };

export interface SentOfAccount {
  form: 'cuenta' | 'clave' | 'rotar' | 'revocar' | 'ajuste' | 'quitar';
  done: Done<unknown>;
  /** Shown on this page alone. */
  newKey?: RotatedKey | undefined;
}

export type WatchedMerchant = MerchantAccount & { enHoy: Record<Clase, number> };

interface KeyHolder {
  merchant?: Comercio;
  operator?: Operador;
  keys: KeyWithMerchant[];
}

export interface OperatorOverview {
  account: EndpointAccount;
  /** Newest first. */
  keys: KeyWithMerchant[];
  endpoints: WatchedEndpoint[];
}

/** Sets up merchants, operators and their keys. Each action is audited, and done once for each form. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly database: Database,
    private readonly merchants: MerchantsService,
    private readonly operators: OperatorsService,
    private readonly keys: ApiKeysService,
    private readonly watched: EndpointOverviewService,
    private readonly causes: CausesService,
    private readonly audit: AuditService,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @param page from 1. */
  async listMerchants(q: string, page: number): Promise<{ accounts: MerchantAccount[]; hasMore: boolean }> {
    const rows = await this.database.staff.rows<MerchantAccount>(listMerchants(q, (page - 1) * PAGE));
    return { accounts: rows.slice(0, PAGE), hasMore: rows.length > PAGE };
  }

  /** The same, each with its guides that stand in *Hoy*. */
  async watchedMerchants(
    q: string,
    page: number,
  ): Promise<{ accounts: WatchedMerchant[]; hasMore: boolean }> {
    const [{ accounts, hasMore }, ...groups] = await Promise.all([
      this.listMerchants(q, page),
      ...CLASES.map((clase) => this.causes.groupsOf(clase)),
    ]);
    const count = (id: string, all: CausaGroup[]) =>
      all.reduce((sum, one) => (one.comercio_id === id && !one.atendida ? sum + one.guias : sum), 0);
    const watched = accounts.map((account) => {
      const counts = CLASES.map((clase, n) => [clase, count(account.id, groups[n]!)] as const);
      return { ...account, enHoy: Object.fromEntries(counts) as Record<Clase, number> };
    });
    return { accounts: watched, hasMore };
  }

  /** @param page from 1. */
  async listOperators(page: number): Promise<{ accounts: Account[]; hasMore: boolean }> {
    const rows = await this.database.staff.rows<Account>(listOperators((page - 1) * PAGE));
    return { accounts: rows.slice(0, PAGE), hasMore: rows.length > PAGE };
  }

  /** @throws AppError `no_encontrado` */
  async operator(id: string): Promise<OperatorOverview> {
    const account = await this.watched.accountOf({ kind: 'operadores', id });
    const [keys, endpoints] = await Promise.all([
      this.keys.list({ operador_id: id }),
      this.watched.list(account),
    ]);
    return { account, keys, endpoints };
  }

  private async holder({ kind, id }: AccountRef): Promise<KeyHolder> {
    if (kind === 'operadores')
      return {
        operator: await this.operators.findOrFail(id),
        keys: await this.keys.list({ operador_id: id }),
      };
    return { merchant: await this.merchants.findOrFail(id), keys: await this.keys.list({ comercio_id: id }) };
  }

  createMerchant(form: Sent<StaffUser>): Promise<Done<Comercio>> {
    const country = form.fields.pais?.trim().toUpperCase() as CountryCode | undefined;
    return this.audit.perform(form, 'crear_comercio', {}, async () => {
      const dto = readInput(NuevoComercioForm, form.fields, { ...(country && { country }) });
      const { nombre, pais, moneda, telefono_contacto = null, correo } = dto;
      const of = pais as CountryCode;
      const made = await this.merchants.create(nombre, of, moneda, telefono_contacto, false, correo);
      return [made, `Se creó el comercio ${nombre}. Haga ahora su primera clave.`];
    });
  }

  async updateMerchant(form: Sent<StaffUser>, id: string): Promise<Done<Comercio>> {
    const merchant = await this.merchants.findOrFail(id);
    return this.audit.perform(form, 'cambiar_comercio', { comercioId: id }, async () => {
      const dto = readInput(ComercioForm, form.fields, { country: merchant.pais });
      const { nombre, telefono_contacto = null, con_pin, correo } = dto;
      const changed = await this.merchants.update(id, {
        nombre,
        telefono_contacto,
        ...(con_pin && { con_pin: con_pin === 'si' }),
        ...(correo !== undefined && { correo }),
      });
      return [changed, 'Se guardaron los cambios.'];
    });
  }

  createOperator(form: Sent<StaffUser>): Promise<Done<Operador>> {
    return this.audit.perform(
      form,
      'crear_operador',
      { detalle: form.fields.nombre?.slice(0, 120) },
      async () => {
        const { nombre } = readInput(OperadorForm, form.fields, {});
        if (await this.operators.find(nombre))
          throw AppError.validation([
            { campo: 'nombre', codigo: 'formato', mensaje: 'Ya hay un operador con ese nombre.' },
          ]);
        const made = await this.operators.findOrCreate(nombre);
        return [made, `Se creó el operador ${nombre}. Haga ahora su primera clave.`];
      },
    );
  }

  async createKey(form: Sent<StaffUser>, of: AccountRef): Promise<Done<RotatedKey>> {
    const { merchant, operator } = await this.holder(of);
    return this.audit.perform(form, 'crear_clave', subjectOf({ merchant, operator }), async () => {
      const dto = readInput(ClaveForm, form.fields, {});
      const { etiqueta, modo, alcances } = dto;
      const isTest = modo === 'prueba' && merchant !== undefined;
      const owner: KeyOwner = merchant
        ? { comercio_id: isTest ? (await this.merchants.testTwinOf(merchant)).id : merchant.id }
        : { operador_id: operator!.id };
      const key = await this.keys.create(owner, {
        label: etiqueta,
        expiresAt: expiryOf(dto, timeZoneOf(merchant?.pais ?? this.config.defaultCountry)),
        scopes: scopesOf(alcances, merchant !== undefined),
        mode: isTest ? 'test' : 'live',
      });
      return [key, `Se creó la clave ${prefixOf(key.identifier, isTest ? 'test' : 'live')}.`];
    });
  }

  /** Of a key that leaked, `did` is what it did in the last 30 days; null where that could not be read. */
  async rotateKey(form: Sent<StaffUser>, of: AccountRef, keyId: string): Promise<Done<RotatedKey>> {
    const account = await this.holder(of);
    const key = findKey(account, keyId);
    const prefix = prefixOf(key.identificador, keyModeOf(key));
    return this.audit.perform(form, 'rotar_clave', { ...subjectOf(account), detalle: prefix }, async () => {
      const { horas, filtrada } = readInput(RotarForm, form.fields, {});
      if (!isWorking(key))
        throw new AppError('transicion_invalida', { detail: 'Esa clave ya no funciona. Haga otra.' });
      const isLeaked = filtrada === 'si';
      const fresh = await this.keys.rotate(key, Number(horas) * HOUR_MS, isLeaked);
      const did = isLeaked ? await this.whatDid(key.id) : undefined;
      const ends = isLeaked || Number(horas) === 0 ? 'ya no funciona' : `funciona ${horas} horas más`;
      return [
        { ...fresh, did },
        `Se creó ${prefixOf(fresh.identifier, keyModeOf(key))} en su lugar; ${prefix} ${ends}.`,
      ];
    });
  }

  /** Null where it could not be read: the new key is shown once, whatever becomes of the list. */
  private async whatDid(keyId: string): Promise<Solicitud[] | null> {
    try {
      return (await this.database.query<Solicitud>(findRequestsOfKey(keyId, MAX_SHOWN))).rows;
    } catch (error) {
      this.logger.warn({ err: error }, 'what a leaked key did could not be read');
      return null;
    }
  }

  async revokeKey(form: Sent<StaffUser>, of: AccountRef, keyId: string): Promise<Done<Date>> {
    const account = await this.holder(of);
    const key = findKey(account, keyId);
    const prefix = prefixOf(key.identificador, keyModeOf(key));
    return this.audit.perform(form, 'revocar_clave', { ...subjectOf(account), detalle: prefix }, async () => {
      const revoked = await this.keys.revoke(key.id);
      return [revoked, `La clave ${prefix} deja de funcionar en 5 segundos.`];
    });
  }
}

function findKey({ keys }: KeyHolder, id: string): KeyWithMerchant {
  const key = isUuid(id) ? keys.find((one) => one.id === id) : undefined;
  if (!key) throw new AppError('no_encontrado', { detail: 'No existe esa clave.' });
  return key;
}

function subjectOf({ merchant, operator }: Omit<KeyHolder, 'keys'>): Subject {
  return merchant ? { comercioId: merchant.id } : { detalle: operator!.nombre };
}

/** Undefined for all scopes that the owner's keys have by default. @throws AppError `validacion` for another owner's. */
function scopesOf(chosen: string | undefined, isMerchant: boolean): Scope[] | undefined {
  if (chosen === undefined || chosen === 'todos') return undefined;
  const known: readonly string[] = isMerchant ? MERCHANT_SCOPES : OPERATOR_SCOPES;
  if (!known.includes(chosen))
    throw AppError.validation([
      { campo: 'alcances', codigo: 'formato', mensaje: `Debe ser uno de: ${known.join(', ')}.` },
    ]);
  return [chosen as Scope];
}
