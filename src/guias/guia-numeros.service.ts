import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { Database } from '../database/database.js';
import { GuiaNumerador } from './guia-numero.js';

/** What one visit to the sequence reserves: its increment in the schema. */
const BLOCK = 1_000;

/**
 * Hands out guide numbers without a query each: a block of sequence values is reserved at a time, the next
 * one before the last is used up. Values of a process that ends are lost, which costs nothing.
 */
@Injectable()
export class GuiaNumeros {
  private readonly numerador: GuiaNumerador;
  private next = 0;
  private end = 0;
  private reserve: number | undefined;
  private refill: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    secrets: Secrets,
  ) {
    this.numerador = new GuiaNumerador(secrets.guiaNumeroKey);
  }

  async take(): Promise<string> {
    while (this.next === this.end) {
      if (this.reserve === undefined) await this.startRefill();
      if (this.next === this.end && this.reserve !== undefined) {
        [this.next, this.end, this.reserve] = [this.reserve, this.reserve + BLOCK, undefined];
      }
    }
    if (this.end - this.next === BLOCK / 2) void this.startRefill().catch(() => undefined);
    return this.numerador.numero(this.next++);
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
