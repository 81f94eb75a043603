// Calls the TypeScript client: a line of JSON for each call, a line for each outcome.
import { createInterface } from 'node:readline';
import {
  AvisoInvalido,
  exigir,
  Guias,
  GuiasError,
  verificarAviso,
} from '../../../clients/typescript/src/index.js';

interface Call {
  cliente: never;
  metodo: string;
  args: never[];
  opciones: Record<string, unknown>;
}

/** `pedir` of the other clients. */
async function pedir(guias: Guias, [verb, path, body]: string[], { filtros, encabezados, ...rest }: any) {
  const init = {
    params: { query: filtros },
    headers: encabezados,
    body: body ?? rest.cuerpo,
    parseAs: rest.parseAs,
  };
  return exigir(await guias.api.request(verb!.toLowerCase() as 'get', path as '/api/v1/guias', init));
}

async function call({ cliente, metodo, args, opciones }: Call): Promise<unknown> {
  if (metodo === 'verificarAviso') return verificarAviso(...(args as unknown as [never, never, never]));
  const guias = new Guias(cliente);
  // JSON has no such number.
  if ((args[0] as any)?.cod_amount === 'NaN') (args[0] as any).cod_amount = NaN;
  if (metodo === 'pedir') return pedir(guias, args, opciones);
  const names = metodo.split('.');
  const target = names.slice(0, -1).reduce((object, name) => object[name], guias as any);
  const options = Object.keys(opciones).length > 0 ? [opciones] : [];
  return plain(await target[names.at(-1)!](...args, ...options));
}

async function plain(value: any): Promise<unknown> {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (typeof value?.[Symbol.asyncIterator] !== 'function') return value;
  const items = [];
  for await (const item of value) items.push(item);
  return items;
}

function errorOf(error: unknown) {
  const { message: mensaje } = error as Error;
  if (error instanceof AvisoInvalido) return { tipo: 'AvisoInvalido', mensaje };
  if (!(error instanceof GuiasError)) return { tipo: 'otro', mensaje };
  const { status, codigo, errores, solicitud } = error;
  return { tipo: 'GuiasError', mensaje, status, codigo, errores, solicitud };
}

for await (const line of createInterface(process.stdin)) {
  const outcome = await call(JSON.parse(line) as Call).then(
    (valor) => ({ valor }),
    (error: unknown) => ({ error: errorOf(error) }),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
