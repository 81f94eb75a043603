import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { AppModule } from '../../app.module.js';
import { loadConfig } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { createOpenApiDocument } from '../../platform/openapi/openapi-document.js';
import { DOCUMENTED_WEBHOOKS } from '../../webhooks/openapi-webhooks.js';

/** Writes the OpenAPI document, without a database. */
export async function writeOpenApi({ out }: { out: string }): Promise<void> {
  const options = {
    config: loadConfig({}),
    secrets: new Secrets(''),
    databaseUrl: 'postgres://unused',
    boardUsers: undefined,
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(options, pino({ level: 'silent' })),
    new FastifyAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  const document = createOpenApiDocument(app, DOCUMENTED_WEBHOOKS);
  try {
    writeFileSync(out, `${JSON.stringify(document, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`--out: ${out} cannot be written (${code}); name a file in a folder that exists`, {
      cause: error,
    });
  }
}
