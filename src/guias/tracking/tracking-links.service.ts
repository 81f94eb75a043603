import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';
import { LinkBase } from './link-base.js';
import { trackingToken, type TrackedGuia } from './tracking-token.js';

/** The links by which recipients confirm and follow their guides, for merchants to send. */
@Injectable()
export class TrackingLinksService {
  constructor(
    private readonly base: LinkBase,
    private readonly secrets: Secrets,
  ) {}

  /** Absolute URL of a guide's page; the same each time, until its phone changes. */
  linkTo(guia: TrackedGuia): string {
    return `${this.base.get()}/c/${trackingToken(guia, this.secrets.confirmationKey)}`;
  }
}
