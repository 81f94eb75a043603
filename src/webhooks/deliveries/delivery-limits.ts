import { Injectable } from '@nestjs/common';

/** Timeouts of deliveries, in ms. Read at each use, so that tests can change them. */
@Injectable()
export class DeliveryLimits {
  /** One attempt, from the DNS lookup to the last byte of the response. */
  attemptMs = 15_000;

  /** Timeout in the quick queue; an endpoint that takes longer becomes slow. */
  quickAttemptMs = 3_000;

  /** How long `probar` waits for the outcome of a test: the API must answer within 5 s. */
  testWaitMs = 3_500;
}
