import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';
import { Database } from '../../database/database.js';
import { GuiaNumeroGenerator } from './guia-numero.js';

/** What one visit to the sequence reserves: its increment in the schema. */
const BLOCK = 1_000;

/** Numbers made at a time. */
const BATCH = 100;

/**
 * Hands out guide numbers without a query each: a block of sequence values is reserved at a time, the next
 * one before the last is used up. Values of a process that ends are lost, which costs nothing.
 */
@Injectable()
export class GuiaNumerosService {
  private readonly numerador: GuiaNumeroGenerator;
  private ready: string[] = [];
  private next = 0;
  private end = 0;
  private reserve: number | undefined;
  private refill: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    secrets: Secrets,
  ) {
    this.numerador = new GuiaNumeroGenerator(secrets.guiaNumeroKey);
  }

  async take(): Promise<string> {
    return this.ready.pop() ?? this.make();
  }

  private async make(): Promise<string> {
    while (this.next === this.end) {
      if (this.reserve === undefined) await this.startRefill();
      if (this.next === this.end && this.reserve !== undefined) {
        [this.next, this.end, this.reserve] = [this.reserve, this.reserve + BLOCK, undefined];
      }
    }
    // Another caller may have made some while this one waited.
    const made = this.ready.pop();
    if (made !== undefined) return made;
    const count = Math.min(BATCH, this.end - this.next);
    // Taken from the end, so the last comes first.
    this.ready = this.numerador.numerosFrom(this.next, count).reverse();
    this.next += count;
    if (this.end - this.next === BLOCK / 2) void this.startRefill().catch(() => undefined);
    return this.ready.pop()!;
  }

  private startRefill(): Promise<void> {
    this.refill ??= this.database
      .query<{ start: string }>({ text: `select nextval('guias_numero') as start` })
      .then(({ rows }) => {
        this.reserve = Number(rows[0]!.start);
      })
      .finally(() => {
        this.refill = undefined;
      });
    return this.refill;
  }
}
