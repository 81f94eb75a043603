import { bucketOfAddress, RateLimiter } from './rate-limiter.js';

/** Wrong secrets per minute of an address for a name; after that every secret is refused. */
const OF_NAME = 10;

/** Wrong secrets per minute of an address, for all names together. */
const OF_ADDRESS = 100;

/** Limits how often an address may guess a secret, on pages where people sign in. */
export class GuessLimits {
  private readonly ofName = new RateLimiter(OF_NAME);
  private readonly ofAddress = new RateLimiter(OF_ADDRESS);

  /**
   * Counts a try. Call it before the comparison, so that concurrent guesses cannot pass the limits.
   * @param name whose secret it is: a user, or the public part of a key.
   * @returns takes the count back, where the secret was right.
   * @throws AppError `demasiadas_solicitudes`
   */
  async count(ip: string, name = ''): Promise<{ refund(): Promise<void> }> {
    const address = bucketOfAddress(ip);
    const guesser = bucketOfAddress(ip, name);
    await this.ofAddress.count(address);
    await this.ofName.count(guesser);
    return {
      refund: async () => {
        await this.ofName.refund(guesser);
        await this.ofAddress.refund(address);
      },
    };
  }
}
