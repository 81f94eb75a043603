#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { escuchar } from './escuchar.js';
import { GuiasError } from './guias-error.js';
import { Guias } from './guias.js';

const USO =
  'Uso: guias-client webhooks listen --key CLAVE --forward-to URL --url URL (o GUIAS_CLAVE y GUIAS_URL)';

/** ms that the request under way may still take after a signal. */
const LAST_MS = 2_000;

process.exitCode = await run();
// Whatever is still open belongs to a request that was given up.
process.exit();

/** @returns the exit code. */
async function run(): Promise<number> {
  const stopping = new AbortController();
  const givenUp = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        stopping.abort();
        setTimeout(resolve, LAST_MS);
      });
  });
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    print(USO);
    return 0;
  }
  try {
    const { url, clave, destino } = optionsOf(args);
    const guias = new Guias({ url, clave, reintentos: 1 });
    const listening = escuchar(guias, { clave: clave!.trim(), destino, print, stopping: stopping.signal });
    await Promise.race([listening, givenUp]);
    return 0;
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    if (!(error instanceof GuiasError) && !(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message.replaceAll('\n', ' ')}\n`);
    return 1;
  }
}

/** @throws TypeError for another command, and for an option that is missing or wrong. */
function optionsOf(args: string[]): { url: string | undefined; clave: string | undefined; destino: URL } {
  const text = { type: 'string' as const };
  const options = { key: text, 'forward-to': text, url: text };
  const { tokens, positionals } = parseArgs({
    ...{ args, options, allowPositionals: true, strict: false, tokens: true },
  });
  const values: Partial<Record<keyof typeof options, string>> = {};
  for (const { name, rawName, value } of tokens.filter((token) => token.kind === 'option')) {
    if (!(name in options)) throw new TypeError(`${rawName} no es una opción. ${USO}`);
    // The next option stands in place of a value that was forgotten.
    if (!value || value.startsWith('--')) throw new TypeError(`Falta el valor de ${rawName}. ${USO}`);
    values[name as keyof typeof options] = value;
  }
  if (positionals.join(' ') !== 'webhooks listen') throw new TypeError(USO);
  const { GUIAS_URL, GUIAS_CLAVE } = process.env;
  const destino = addressIn(values['forward-to'] ?? '');
  if (!destino)
    throw new TypeError('Ponga en --forward-to la dirección de su programa, como http://localhost:8080');
  return { url: values.url ?? GUIAS_URL, clave: values.key ?? GUIAS_CLAVE, destino };
}

/** `fetch` takes none with a user and password. */
function addressIn(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}
