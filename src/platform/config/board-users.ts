import { RuleError } from './variable.js';

/** Roles of the users of `/admin`: each may do what those before it may. */
const ROLES = ['lectura', 'soporte', 'despacho', 'admin'] as const;

/** `lectura` only looks, `soporte` helps with guides, `despacho` assigns them, `admin` sets up merchants and operators. */
export type StaffRole = (typeof ROLES)[number];

const FORM =
  /^[^:,\s]+:[^:,\s]{12,}(:(lectura|soporte|despacho|admin))?(,[^:,\s]+:[^:,\s]{12,}(:(lectura|soporte|despacho|admin))?)*$/;

const RULE = `must be name:password or name:password:role, comma-separated, without spaces, with passwords of 12 characters or more (try: openssl rand -hex 12); role is ${ROLES.slice(0, -1).join(', ')} or ${ROLES.at(-1)}`;

/** A user of `/admin`. */
export interface BoardUser {
  readonly name: string;
  readonly password: string;
  /** `soporte` where none is named. */
  readonly role: StaffRole;
}

/** @throws RuleError also where a name stands twice: the one of two passwords would open what the other one may not. */
export function readBoardUsers(list: string): readonly BoardUser[] {
  if (!FORM.test(list)) throw new RuleError(RULE);
  const users = toBoardUsers(list);
  for (const [n, { name }] of users.entries()) {
    const first = users.findIndex((other) => other.name === name);
    if (first < n)
      throw new RuleError(`must name each user once; users ${first + 1} and ${n + 1} have the same name`);
  }
  return users;
}

export function toBoardUsers(list: string): readonly BoardUser[] {
  return list.split(',').map((user) => {
    const [name, password, role = 'soporte'] = user.split(':');
    return { name: name!, password: password!, role: role as StaffRole };
  });
}

/** Whether a user may do what `role` may. */
export function mayAct(user: { readonly role: StaffRole }, role: StaffRole): boolean {
  return ROLES.indexOf(user.role) >= ROLES.indexOf(role);
}
