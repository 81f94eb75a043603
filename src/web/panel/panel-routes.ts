import { applyDecorators, Get, Post, UseInterceptors } from '@nestjs/common';
import type { FastifyContextConfig } from 'fastify';
import { Public } from '../../auth/decorators.js';
import type { Scope } from '../../auth/keys/scopes.js';
import { PageAnswer, PageAnswerInterceptor } from '../kit/page-answer.js';

/** The scope that a page of the panel needs, or `entrada`: also without a session. */
export type PanelNeed = Scope | 'entrada';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use a route of the panel. `PanelAccess` asks for the session: the route needs no API key. */
    panel?: PanelNeed;
  }
}

type Config = Omit<FastifyContextConfig, 'access' | 'isForTests' | 'panel'>;

const route = (method: MethodDecorator, need: PanelNeed, config: Config) =>
  applyDecorators(method, Public({ ...config, panel: need }), UseInterceptors(PageAnswerInterceptor));

/** A page of the panel, or a file that it offers. Returns a `PageAnswer`. */
export const PanelGet = (path: string, need: PanelNeed = 'guias:leer'): MethodDecorator =>
  route(Get(path), need, {});

/** Takes a form of the panel. Returns a `PageAnswer`. @param config further bodies, and the list that the form repeats. */
export const PanelPost = (path: string, need: PanelNeed, config: Config = {}): MethodDecorator =>
  route(Post(path), need, { takesForm: true, ...config });

/** A page as it is sent. */
export function pageAnswer(html: string, status = 200, headers: Record<string, string> = {}): PageAnswer {
  return new PageAnswer(html, { 'Content-Type': 'text/html; charset=utf-8', ...headers }, status);
}

/** Leads to another page once a form is done. */
export function seeOther(path: string, headers: Record<string, string> = {}): PageAnswer {
  return new PageAnswer('', { Location: path, ...headers }, 303);
}
