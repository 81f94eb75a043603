import './node-errors.js';
import type { AddressInfo } from 'node:net';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Config } from '../../src/config/env.js';
import {
  ConfirmationsService,
  type OpenConfirmation,
  type RecipientAnswer,
} from '../../src/confirmations/confirmations.service.js';
import { PageController } from '../../src/confirmations/page.controller.js';
import { PageLimits } from '../../src/confirmations/page-limits.js';
import { AppError } from '../../src/errors/app-error.js';
import { ProblemFilter } from '../../src/errors/problem.filter.js';
import { registerFormBody } from '../../src/http/form-body.js';
import { registerJsonBody } from '../../src/http/json-body.js';

export const COMERCIO = 'Zapatería La Huella';
export const GUIA = '483920175567';
export const MUNICIPIO = 'Quetzaltenango';

/** A link that the stand-in for the service knows to have no coordinates. */
export const LINK_WITHOUT_PLACE = 'https://www.google.com/maps/place/Iglesia';

export interface ConfirmationHarness {
  /** http://127.0.0.1:port */
  url: string;
  /** Opens a link and returns its path. */
  open(state?: Partial<OpenConfirmation>): string;
  /** What was confirmed, in order. */
  answers: RecipientAnswer[];
  close(): Promise<void>;
}

/** The recipient's page on HTTP with everything of its own, and no database behind it. */
export async function startConfirmationHarness(tiles?: Config['tiles']): Promise<ConfirmationHarness> {
  const links = new Map<string, OpenConfirmation>();
  const answers: RecipientAnswer[] = [];
  const service: Pick<ConfirmationsService, 'find' | 'confirm'> = {
    find: (token) => Promise.resolve(links.get(token)),
    confirm: (token, answer) => {
      if (answer.maps_url === LINK_WITHOUT_PLACE && answer.lat === undefined) {
        const codigo = 'enlace_sin_coordenadas';
        return Promise.reject(
          new AppError(codigo, { errores: [{ campo: 'maps_url', codigo, mensaje: 'Sin coordenadas.' }] }),
        );
      }
      answers.push({ ...answer });
      const corregibleHasta = new Date(Date.now() + 15 * 60_000).toISOString();
      const confirmed = { ...links.get(token)!, confirmada: { corregibleHasta } };
      links.set(token, confirmed);
      return Promise.resolve(confirmed);
    },
  };
  const module = await Test.createTestingModule({
    controllers: [PageController],
    providers: [
      PageLimits,
      { provide: ConfirmationsService, useValue: service },
      { provide: Config, useValue: { tiles } },
    ],
  }).compile();
  const adapter = new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true },
    // A browser opens connections ahead of need; one that never asks for anything would hold up the end.
    forceCloseConnections: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  registerJsonBody(fastify);
  registerFormBody(fastify);
  const app = module.createNestApplication<NestFastifyApplication>(adapter, {
    bodyParser: false,
    logger: false,
  });
  app.useGlobalFilters(new ProblemFilter(pino({ enabled: false }), []));
  await app.listen(0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`,
    open: (state) => {
      const token = `enlace-${links.size + 1}`;
      links.set(token, { comercio: COMERCIO, guia: GUIA, municipio: MUNICIPIO, confirmada: null, ...state });
      return `/c/${token}`;
    },
    answers,
    close: () => app.close(),
  };
}
