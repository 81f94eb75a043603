import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Coalescer } from '../../platform/database/coalescer.js';
import { Database } from '../../platform/database/database.js';
import { mayPassInParts } from '../../platform/database/sqlstate.js';
import { loadMensajes, type MensajeRow } from '../messages/messages.queries.js';
import {
  acceptMensajes,
  claimMensajes,
  type Accepted,
  type Claim,
  type ClaimedRow,
} from './tries.queries.js';

const BATCHES = { concurrency: 2, maxBatch: 64, isFaultOfOneCall: mayPassInParts };

/** Outcome of a claim; `later` if it must be made again. */
type ClaimOutcome = ClaimedRow | undefined | 'later';

/**
 * Loads, claims and accepts messages, those of the same time in one statement: the fixed cost of a statement, from round trip
 * to commit, is higher than that of a message in it.
 */
@Injectable()
export class TriesService {
  private readonly loads = new Coalescer((ids: string[]) => this.loadAll(ids), BATCHES);
  private readonly claims = new Coalescer((claims: Claim[]) => this.claimAll(claims), BATCHES);
  private readonly acceptances = new Coalescer((accepted: Accepted[]) => this.acceptAll(accepted), BATCHES);

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** A message and its guide as they are now; undefined if there is none. */
  load(mensajeId: string): Promise<MensajeRow | undefined> {
    return this.loads.call(mensajeId);
  }

  /** Claims a message for a try. @returns undefined if another process was faster. */
  async claim(claim: Claim): Promise<ClaimedRow | undefined> {
    let outcome: ClaimOutcome;
    do outcome = await this.claims.call(claim);
    while (outcome === 'later');
    return outcome;
  }

  /** Records that the provider accepted a message. */
  accept(accepted: Accepted): Promise<void> {
    return this.acceptances.call(accepted);
  }

  private async loadAll(ids: string[]): Promise<(MensajeRow | undefined)[]> {
    const { rows } = await this.database.query<MensajeRow>(loadMensajes(ids, this.config.messagingProvider));
    const mensajes = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => mensajes.get(id));
  }

  private async claimAll(claims: Claim[]): Promise<ClaimOutcome[]> {
    const chosen = withoutRepeats(claims);
    const statement = claimMensajes([...chosen], this.config.messagesPerPhonePerDay);
    const { rows } = await this.database.query<ClaimedRow>(statement);
    const claimed = new Map(rows.map((row) => [row.id, row]));
    return claims.map((claim) => (chosen.has(claim) ? claimed.get(claim.mensaje.id) : 'later'));
  }

  private async acceptAll(accepted: Accepted[]): Promise<void[]> {
    await this.database.query(acceptMensajes(accepted));
    return accepted.map(() => undefined);
  }
}

/** The first claim of each message and of each number: a statement can count one message against a number's quota. */
function withoutRepeats(claims: Claim[]): Set<Claim> {
  const taken = new Set<string>();
  return new Set(
    claims.filter(({ mensaje, huella }) => {
      const keys = huella ? [mensaje.id, huella.toString('hex')] : [mensaje.id];
      if (keys.some((key) => taken.has(key))) return false;
      for (const key of keys) taken.add(key);
      return true;
    }),
  );
}
