import type { Client } from 'openapi-fetch';
import type { operations, paths } from './api.js';
import { GuiasError } from './guias-error.js';

export type Api = Client<paths>;

type Operacion = keyof operations;

/** The filters of a list, without what its pages need. */
export type Filtros<Op extends Operacion> = Omit<
  NonNullable<operations[Op]['parameters']['query']>,
  'cursor'
>;

/** The JSON body of an operation. */
export type Cuerpo<Op extends Operacion> = operations[Op] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type Contenido<Op extends Operacion, Status extends number> =
  operations[Op]['responses'] extends Record<Status, { content: { 'application/json': infer Body } }>
    ? Body
    : never;

/** What an operation answers with success. */
export type Respuesta<Op extends Operacion> = Contenido<Op, 200> | Contenido<Op, 201>;

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The answer's body. @throws GuiasError for an error answer. */
export function exigir<Data>({ data, error, response }: Answer<Data>): NonNullable<Data> {
  if (!response.ok || !data) throw new GuiasError(response, error);
  return data;
}

/** The answer's bytes. @throws GuiasError for an error answer. */
export const bytesOf = (answer: Answer<unknown>): Uint8Array => new Uint8Array(exigir(answer) as ArrayBuffer);

/** Where the next page of a list begins. */
export interface Cursor {
  cursor?: string;
}

/** The items of all pages, which are read as they are needed. @param items name of the page's list. */
export async function* each<Item>(
  read: (cursor: Cursor) => Promise<unknown>,
  items: string,
): AsyncGenerator<Item, void> {
  let cursor: unknown;
  do {
    const page = (await read(typeof cursor === 'string' ? { cursor } : {})) as Record<string, unknown>;
    yield* page[items] as Item[];
    cursor = page.siguiente_cursor;
  } while (cursor);
}
