import { applyDecorators, Get, Header, HttpStatus, Post, Redirect } from '@nestjs/common';
import { Public } from '../auth/decorators.js';

/** Answers with a page. Like all of the console it needs no API key: `protectAdmin` asks for a password. */
export const StaffGet = (path = ''): MethodDecorator => applyDecorators(Get(path), StaffAnswer());

/** The answer of `StaffGet`, for another route. */
export const StaffAnswer = (): MethodDecorator =>
  applyDecorators(Public(), Header('Content-Type', 'text/html; charset=utf-8'));

/** Takes a form, and leads back to the page that it was on. */
export const StaffPost = (path: string): MethodDecorator => applyDecorators(Post(path), Public(), Redirect());

/** What `StaffPost` answers with. */
export interface Back {
  url: string;
  statusCode: number;
}

/** Redirects to a page that shows the outcome of an action. @param id of the action's row in the audit log. */
export function back(path: string, id: string): Back {
  return { url: `${path}?hecho=${id}`, statusCode: HttpStatus.SEE_OTHER };
}
