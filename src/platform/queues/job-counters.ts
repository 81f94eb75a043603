import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

/** Outcome of one run of a message's job. `unneeded`: it had been sent, or was no longer needed. */
export type MessageResult = 'sent' | 'retried' | 'paused' | 'failed' | 'omitted' | 'unneeded';

type DeliveryResult = 'delivered' | 'retried' | 'failed';

/** Counts outcomes of jobs in this process, for `/metrics`; without merchant, guide or phone. */
@Injectable()
export class JobCounters {
  private readonly messages = counter('messages_total', 'Attempts to send a message, by result.', [
    'provider',
    'result',
  ]);
  private readonly deliveries = counter(
    'webhook_deliveries_total',
    "Delivery attempts to merchants' endpoints, by result.",
    ['result'],
  );
  private readonly restored = counter(
    'jobs_restored_total',
    'Jobs lost with their queue or worker and re-enqueued.',
    ['queue'],
  );

  /** For the registry of `/metrics`. */
  get all(): Counter[] {
    return [this.messages, this.deliveries, this.restored];
  }

  message(provider: string, result: MessageResult): void {
    this.messages.inc({ provider, result });
  }

  delivery(result: DeliveryResult): void {
    this.deliveries.inc({ result });
  }

  restore(queue: string, jobs: number): void {
    this.restored.inc({ queue }, jobs);
  }
}

/** Not in prom-client's global registry: each application has its own. */
function counter(name: string, help: string, labelNames: string[]): Counter {
  return new Counter({ name, help, labelNames, registers: [] });
}
