import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../../config/env.js';

/** The origin of the links that recipients get. */
@Injectable()
export class LinkBase {
  constructor(
    private readonly config: Config,
    private readonly host: HttpAdapterHost,
  ) {}

  /** PUBLIC_URL, else localhost with the port in use; without a slash at the end. */
  get(): string {
    if (this.config.publicUrl !== undefined) return this.config.publicUrl;
    const server = this.host.httpAdapter?.getHttpServer() as { address?(): AddressInfo | null } | undefined;
    return `http://localhost:${server?.address?.()?.port ?? this.config.port}`;
  }
}
