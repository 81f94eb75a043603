import { HttpStatus } from '@nestjs/common';

/** What `@Redirect()` answers with: the page that a form was on. */
export interface Back {
  url: string;
  statusCode: number;
}

/** To a page that says what came of an action. @param id of the action's row in the audit log. */
export function back(path: string, id: string, fragment = ''): Back {
  return { url: `${path}?hecho=${id}${fragment}`, statusCode: HttpStatus.SEE_OTHER };
}
