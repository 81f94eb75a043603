export const BOARD_USERS_FORM =
  /^[^:,\s]+:[^:,\s]{12,}(:(soporte|lectura))?(,[^:,\s]+:[^:,\s]{12,}(:(soporte|lectura))?)*$/;

export const BOARD_USERS_RULE =
  'must be name:password or name:password:role, comma-separated, without spaces, with passwords of 12 characters or more (try: openssl rand -hex 12); role is soporte or lectura';

/** A user of `/admin`. */
export interface BoardUser {
  readonly name: string;
  readonly password: string;
  /** `soporte` looks and acts; `lectura` only looks. */
  readonly role: 'soporte' | 'lectura';
}

export function toBoardUsers(list: string): readonly BoardUser[] {
  return list.split(',').map((user) => {
    const [name, password, role] = user.split(':');
    return { name: name!, password: password!, role: role === 'lectura' ? 'lectura' : 'soporte' };
  });
}
