import type { DemoKeys } from '../auth/merchants/demo-merchant.js';
import type { MetricSample } from '../health/metrics.js';

/** Sent by a process once it serves. */
export interface Ready {
  /** Undefined for workers whose port is taken. */
  port: number | undefined;
  /** Sent only by the first process. */
  demoKeys: DemoKeys | undefined;
}

/** From a process to the supervisor. */
export type FromChild =
  | ({ type: 'ready' } & Ready)
  /** The process ends before it was ready; `message` is for a person. */
  | { type: 'failed'; message: string }
  | { type: 'scrape'; id: number }
  | { type: 'sample'; id: number; metrics: MetricSample[] };

/** From the supervisor to a process. */
export type FromSupervisor =
  /** Stop gracefully. `elapsedMs`: since the stop began. */
  | { type: 'stop'; elapsedMs: number }
  | { type: 'sample'; id: number }
  /** The answer to `scrape`. */
  | { type: 'metrics'; id: number; text: string };
