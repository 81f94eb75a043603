import { Injectable } from '@nestjs/common';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { GuiaNumeroGenerator } from '../guia/guia-numero.js';

/** Values that one `nextval` reserves: the increment of the sequence in the schema. */
export const GUIA_NUMERO_BLOCK = 1_000;

/** Numbers generated at a time: a hundred cost a tenth of one by one. */
const BATCH = 100;

/**
 * Assigns guide numbers without a query each: it reserves blocks of sequence values, each before the previous block is
 * used up. A process that ends loses the rest of its block, which is harmless.
 */
@Injectable()
export class GuiaNumerosService {
  private readonly generator: GuiaNumeroGenerator;
  private ready: string[] = [];
  private next = 0;
  private end = 0;
  private reserve: number | undefined;
  private refill: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    secrets: Secrets,
  ) {
    this.generator = new GuiaNumeroGenerator(secrets.guiaNumeroKey);
  }

  async take(): Promise<string> {
    return this.ready.pop() ?? this.make();
  }

  private async make(): Promise<string> {
    while (this.next === this.end) {
      if (this.reserve === undefined) await this.startRefill();
      else [this.next, this.end, this.reserve] = [this.reserve, this.reserve + GUIA_NUMERO_BLOCK, undefined];
    }
    // Another caller may have generated numbers while this one waited.
    const made = this.ready.pop();
    if (made !== undefined) return made;
    const count = Math.min(BATCH, this.end - this.next);
    // `take` pops from the end.
    this.ready = this.generator.numerosFrom(this.next, count).reverse();
    this.next += count;
    const isHalfUsed = this.end - this.next <= GUIA_NUMERO_BLOCK / 2;
    if (isHalfUsed && this.reserve === undefined) void this.startRefill().catch(() => undefined);
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
