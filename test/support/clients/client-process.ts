import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSync } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../../..');

/** What a call brought. */
export interface Outcome {
  valor?: any;
  error?: {
    tipo: 'GuiasError' | 'AvisoInvalido' | 'otro';
    mensaje: string;
    status?: number;
    codigo?: string;
    errores?: { campo: string; codigo: string }[];
    solicitud?: string | null;
  };
}

/** The languages of the clients, with the program that runs each. */
export const LANGUAGES = { php: 'php', python: 'python3', typescript: process.execPath } as const;

const DRIVERS = { php: 'driver.php', python: 'driver.py', typescript: 'driver.ts' };

export type Language = keyof typeof LANGUAGES;

/** Why a client cannot be run; undefined if it can. */
export const missingFor = (language: Language): string | undefined =>
  spawnSync(LANGUAGES[language], ['--version']).status === 0 ? undefined : `no ${LANGUAGES[language]}`;

/** A process of a client's language that makes one call after another. */
export class ClientProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly folder = mkdtempSync(join(tmpdir(), 'guias-driver-'));

  constructor(language: Language) {
    let driver = resolve(import.meta.dirname, DRIVERS[language]);
    if (language === 'typescript') {
      const [source, outfile] = [driver, join(this.folder, 'driver.mjs')];
      buildSync({ entryPoints: [source], outfile, bundle: true, format: 'esm', platform: 'node' });
      driver = outfile;
    }
    const env = {
      PATH: process.env.PATH,
      CLIENT: resolve(ROOT, 'clients', language),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    this.child = spawn(LANGUAGES[language], [driver], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface(this.child.stdout!)[Symbol.asyncIterator]();
  }

  /** @param metodo as in TypeScript, like `webhooks.crear`. @param opciones its filters and options. */
  async call(cliente: object, metodo: string, args: unknown[] = [], opciones: object = {}): Promise<Outcome> {
    this.child.stdin!.write(`${JSON.stringify({ cliente, metodo, args, opciones })}\n`);
    const { value } = await this.lines.next();
    if (typeof value !== 'string') throw new Error('the client has ended');
    return JSON.parse(value) as Outcome;
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end();
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}
