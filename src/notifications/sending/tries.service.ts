import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/env.js';
import { Coalescer } from '../../platform/database/coalescer.js';
import { Database } from '../../platform/database/database.js';
import { mayPassInParts } from '../../platform/database/sqlstate.js';
import { loadMensajes, type MensajeRow } from '../messages/messages.queries.js';
import { holdMensajes, type Held } from './outages.queries.js';
import { claimMensajes, settleMensajes, type Claim, type ClaimedRow, type Settled } from './tries.queries.js';

const BATCHES = { concurrency: 2, maxBatch: 64, isFaultOfOneCall: mayPassInParts };

/** Outcome of a call that must be made again: a statement takes one of each message, and one message of each number. */
const LATER = Symbol('later');
type Later = typeof LATER;

/**
 * Loads, claims, holds and settles messages, those of the same time in one statement: the fixed cost of a statement, from
 * round trip to commit, is higher than that of a message in it.
 */
@Injectable()
export class TriesService {
  private readonly loads = new Coalescer((ids: string[]) => this.loadAll(ids), BATCHES);
  private readonly claims = new Coalescer((claims: Claim[]) => this.claimAll(claims), BATCHES);
  private readonly settles = new Coalescer((settled: Settled[]) => this.settleAll(settled), BATCHES);
  private readonly holds = new Coalescer((held: Held[]) => this.holdAll(held), BATCHES);

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** A message and its guide as they are now; undefined if there is none. */
  load(mensajeId: string): Promise<MensajeRow | undefined> {
    return this.loads.call(mensajeId);
  }

  /** Claims a message for a try. @returns undefined if another process was faster. */
  claim(claim: Claim): Promise<ClaimedRow | undefined> {
    return soonerOrLater(this.claims, claim);
  }

  /** Records what became of a message. @returns whether that moved it on. */
  settle(settled: Settled): Promise<boolean> {
    return soonerOrLater(this.settles, settled);
  }

  /** Lets a message wait until its provider works again. @returns false if it works already, or another process was faster. */
  hold(held: Held): Promise<boolean> {
    return soonerOrLater(this.holds, held);
  }

  private async loadAll(ids: string[]): Promise<(MensajeRow | undefined)[]> {
    const { rows } = await this.database.query<MensajeRow>(loadMensajes(ids, this.config.messagingProvider));
    const mensajes = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => mensajes.get(id));
  }

  private async claimAll(claims: Claim[]): Promise<(ClaimedRow | undefined | Later)[]> {
    const chosen = withoutRepeats(claims, ({ mensaje, huella }) => [mensaje.id, huella?.toString('hex')]);
    const statement = claimMensajes([...chosen], this.config.messagesPerPhonePerDay);
    const { rows } = await this.database.query<ClaimedRow>(statement);
    const claimed = new Map(rows.map((row) => [row.id, row]));
    return claims.map((claim) => (chosen.has(claim) ? claimed.get(claim.mensaje.id) : LATER));
  }

  private async holdAll(held: Held[]): Promise<(boolean | Later)[]> {
    const chosen = withoutRepeats(held, ({ id }) => [id]);
    const statement = holdMensajes([...chosen], this.config.messagingProvider);
    const { rows } = await this.database.query<{ id: string }>(statement);
    return outcomes(held, chosen, rows);
  }

  private async settleAll(settled: Settled[]): Promise<(boolean | Later)[]> {
    const chosen = withoutRepeats(settled, ({ id }) => [id]);
    const { rows } = await this.database.query<{ id: string }>(settleMensajes([...chosen]));
    return outcomes(settled, chosen, rows);
  }
}

/** The outcome of a call, in whichever batch. */
async function soonerOrLater<In, Out>(calls: Coalescer<In, Out | Later>, input: In): Promise<Out> {
  let output: Out | Later;
  do output = await calls.call(input);
  while (output === LATER);
  return output;
}

/** Whether the statement changed the message of each call that it was given. */
function outcomes<In extends { id: string }>(
  calls: In[],
  chosen: Set<In>,
  rows: { id: string }[],
): (boolean | Later)[] {
  const changed = new Set(rows.map(({ id }) => id));
  return calls.map((call) => (chosen.has(call) ? changed.has(call.id) : LATER));
}

/** The calls that share no key with an earlier one. */
function withoutRepeats<In>(calls: In[], keysOf: (call: In) => (string | undefined)[]): Set<In> {
  const taken = new Set<string>();
  return new Set(
    calls.filter((call) => {
      const keys = keysOf(call).filter((key) => key !== undefined);
      if (keys.some((key) => taken.has(key))) return false;
      for (const key of keys) taken.add(key);
      return true;
    }),
  );
}
