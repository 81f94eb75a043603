import { Injectable } from '@nestjs/common';

/** Time limits of deliveries, in ms; each is read when it is needed, so a test can change those of its application. */
@Injectable()
export class DeliveryLimits {
  /** One attempt, from the DNS lookup to the last byte of the response. */
  attemptMs = 15_000;

  /** The same, in the queue of quick deliveries; an endpoint that takes longer is slow. */
  quickAttemptMs = 3_000;

  /** How long `probar` waits for the outcome of a test: the API must answer within 5 s. */
  testWaitMs = 3_500;
}
