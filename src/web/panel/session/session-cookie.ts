import { SESSION_S } from './sessions.service.js';

const IN_HEADER = /(?:^|;) *guias_panel=([^;]*)/;

/** The session's token in a `Cookie` header; empty where there is none. */
export function tokenIn(header: string | undefined): string {
  return IN_HEADER.exec(header ?? '')?.[1] ?? '';
}

/** A `Set-Cookie` header: of the panel alone, unseen by scripts, not sent by other sites' pages. */
export function sessionCookie(token: string, isOverTls: boolean): string {
  const age = token === '' ? 0 : SESSION_S;
  return `guias_panel=${token}; Path=/panel; Max-Age=${age}; HttpOnly; SameSite=Strict${isOverTls ? '; Secure' : ''}`;
}
