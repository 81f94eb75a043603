import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { trackingToken, type TrackedGuia } from './tracking-token.js';

@Injectable()
export class TrackingLinksService {
  constructor(
    private readonly config: Config,
    private readonly secrets: Secrets,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Their origin: PUBLIC_URL, else localhost with the port in use; without a slash at the end. */
  origin(): string {
    if (this.config.publicUrl !== undefined) return this.config.publicUrl;
    const server = this.host.httpAdapter?.getHttpServer() as { address?(): AddressInfo | null } | undefined;
    return `http://localhost:${server?.address?.()?.port ?? this.config.port}`;
  }

  /** Absolute URL of a guide's page, for its merchant to send; the same each time, until its phone changes. */
  linkTo(guia: TrackedGuia): string {
    return `${this.origin()}/c/${trackingToken(guia, this.secrets.confirmationKey)}`;
  }
}
