import {
  applyDecorators,
  createParamDecorator,
  Get,
  HttpCode,
  HttpStatus,
  Post,
  UseInterceptors,
  type ExecutionContext,
} from '@nestjs/common';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../platform/http/public.js';
import type { Scope } from '../../auth/keys/scopes.js';
import type { StaffRole } from '../../platform/config/board-users.js';
import { PageAnswerInterceptor } from './page-answer.js';

/** The scope that a merchant's page needs, or `entrada`: also without a session, or `enlace`: the secret of its link alone. */
export type MerchantNeed = Scope | 'entrada' | 'enlace';

/** Whom a page is for, and what they need. Staff with the role `lectura` may send only forms that change nothing. */
type PageNeed = { who: 'staff'; need: StaffRole } | { who: 'merchant'; need: MerchantNeed };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a page's route, which needs no API key: `guardPages` asks for what stands here. */
    page?: PageNeed;
  }
}

type PageOptions = PageNeed & { path?: string | string[] };
type FormConfig = Pick<FastifyContextConfig, 'bodyLimit' | 'formList' | 'takesFile'>;

const route = (method: MethodDecorator, page: PageNeed, config: FastifyContextConfig = {}) =>
  applyDecorators(method, Public({ ...config, page }), UseInterceptors(PageAnswerInterceptor));

/** A page, or a file that it offers. Returns its HTML, a `PageAnswer` or the file. */
export function Page({ path = '', ...page }: PageOptions): MethodDecorator {
  return route(Get(path), page);
}

/** Takes a form; returns as `Page`. @param config further bodies, and the list that the form repeats. */
export function PageForm({ path = '', ...page }: PageOptions, config: FormConfig = {}): MethodDecorator {
  return applyDecorators(HttpCode(HttpStatus.OK), route(Post(path), page, { takesForm: true, ...config }));
}

/** Whom the guard let in: somebody of staff, or of a merchant. */
export const visitorOf = ({ adminUser, visit }: FastifyRequest) => adminUser ?? visit;

/** A page's visitor; undefined only where it needs no session. */
export const CurrentVisitor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  visitorOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

interface PageChecks {
  /** @throws AppError */
  staff: (request: FastifyRequest, need: StaffRole) => void;
  /** Also leads elsewhere. @throws AppError */
  merchant: (
    request: FastifyRequest,
    need: MerchantNeed,
    reply: FastifyReply,
  ) => Promise<FastifyReply | undefined>;
}

/** Asks on every page for what it needs, before a body is read. Call it before routes are registered. */
export function guardPages(fastify: FastifyInstance, checks: PageChecks): void {
  fastify.addHook('onRoute', (route) => {
    const page = route.config?.page;
    if (page === undefined) return;
    route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
      if (page.who === 'staff') return checks.staff(request, page.need);
      return await checks.merchant(request, page.need, reply);
    };
  });
}
