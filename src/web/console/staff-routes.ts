import { applyDecorators, Get, Header, HttpCode, HttpStatus, Post, Redirect } from '@nestjs/common';
import { Public } from '../../auth/decorators.js';
import type { StaffRole } from '../../config/board-users.js';

const PAGE = Header('Content-Type', 'text/html; charset=utf-8');

/**
 * Answers with a page. Like all of the console it needs no API key: `protectAdmin` asks for a password.
 * @param staffRole as in the route's config.
 */
export const StaffGet = (path = '', staffRole?: StaffRole): MethodDecorator =>
  applyDecorators(Get(path), Public({ staffRole }), PAGE);

/** Takes a form, and answers with a page. @param staffRole as in the route's config. @param formList the same. */
export const StaffPostPage = (path: string, staffRole?: StaffRole, formList?: string): MethodDecorator =>
  applyDecorators(
    Post(path),
    HttpCode(HttpStatus.OK),
    Public({ takesForm: true, staffRole, formList }),
    PAGE,
  );

/** Takes a form, and leads back to the page that it was on. @param staffRole as in the route's config. */
export const StaffPost = (path: string, staffRole?: StaffRole): MethodDecorator =>
  applyDecorators(Post(path), Public({ takesForm: true, staffRole }), Redirect());

/** The answer of a `StaffPost` route. */
export interface Back {
  url: string;
  statusCode: number;
}

/** Redirects to a page that shows the outcome of an action. @param id of the action's row in the audit log. */
export function back(path: string, id: string): Back {
  return { url: `${path}?hecho=${id}`, statusCode: HttpStatus.SEE_OTHER };
}
