#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
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
  const cutting = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping.abort();
      void sleep(LAST_MS, undefined, { ref: false }).then(() => cutting.abort());
    });
  try {
    const { url, clave, destino } = optionsOf(process.argv.slice(2));
    const guias = new Guias({ url, clave, reintentos: 1 });
    await escuchar(guias, {
      ...{ clave: clave!.trim(), destino, print: (line) => process.stdout.write(`${line}\n`) },
      ...{ stopping: stopping.signal, cutting: cutting.signal },
    });
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
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { key: text, 'forward-to': text, url: text },
  });
  if (positionals.join(' ') !== 'webhooks listen') throw new TypeError(USO);
  const { GUIAS_URL, GUIAS_CLAVE } = process.env;
  const destino = addressIn(values['forward-to'] ?? '');
  if (!destino) throw new TypeError('Falta --forward-to, la dirección de su programa: http://localhost:8080');
  return { url: values.url ?? GUIAS_URL, clave: values.key ?? GUIAS_CLAVE, destino };
}

function addressIn(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}
