import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { VARIABLE_NAMES } from '../src/config/env.js';
import { ERRORS, FIELD_ERRORS, type ErrorDefinition } from '../src/errors/error-codes.js';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** Who may import whom. What is not listed is forbidden; files directly under src/ are the app and may import all. */
const MAY_IMPORT: Record<string, string[]> = {
  errors: [],
  config: ['validation'],
  validation: [],
  pagination: ['validation'],
  logging: [],
  html: [],
  openapi: [],
  outbound: [],
  locations: ['outbound', 'validation'],
  database: ['migrations'],
  auth: ['database'],
  queues: [],
  events: ['database'],
  guias: ['auth', 'database', 'events', 'locations', 'pagination', 'queues', 'validation'],
  operations: ['auth', 'database', 'guias', 'validation'],
  confirmations: ['auth', 'database', 'guias', 'html', 'locations', 'validation'],
  notifications: ['auth', 'confirmations', 'database', 'events', 'guias', 'outbound', 'queues'],
  webhooks: ['auth', 'database', 'events', 'guias', 'outbound', 'pagination', 'queues', 'validation'],
  inbound: ['auth', 'database', 'guias', 'locations', 'notifications', 'queues'],
  support: ['auth', 'database', 'guias', 'html', 'notifications', 'queues', 'validation', 'webhooks'],
  health: ['auth', 'database', 'notifications', 'queues'],
  http: ['auth'],
  commands: [
    ...[
      'auth',
      'confirmations',
      'database',
      'guias',
      'notifications',
      'queues',
      'support',
      'validation',
      'webhooks',
    ],
  ],
};
const OPEN_TO_ALL = ['errors', 'config', 'logging', 'openapi'];

interface Import {
  from: string;
  to: string;
}

const sources = filesUnder(SRC).filter((file) => /(?<!\.spec)\.tsx?$/.test(file));
const imports = sources.flatMap(importsOf);
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/from '(\.[^']+)\.js'/g)].map(([, path]) => {
    const target = resolve(dirname(file), path!);
    return {
      from: relative(ROOT, file),
      to: relative(ROOT, existsSync(`${target}.tsx`) ? `${target}.tsx` : `${target}.ts`),
    };
  });
}

/** `src/guias/dto/x.ts` → `guias`; `src/main.ts` → undefined; `migrations/index.ts` → `migrations`. */
function roomOf(file: string): string | undefined {
  const parts = file.split('/');
  if (parts[0] !== 'src') return parts[0];
  return parts.length > 2 ? parts[1] : undefined;
}

describe('modules', () => {
  it('import only what the table allows', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const [room, target] = [roomOf(from), roomOf(to)];
      if (room === undefined || room === target) return false;
      return target === undefined || ![...OPEN_TO_ALL, ...(MAY_IMPORT[room] ?? [])].includes(target);
    });
    expect(forbidden).toEqual([]);
  });

  it('are all in the table', () => {
    const rooms = new Set(
      sources.map((file) => roomOf(relative(ROOT, file))).filter((room) => room !== undefined),
    );
    expect([...rooms].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('have no cycles between files', () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const visit = (file: string, path: string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      for (const target of next.get(file) ?? []) {
        const cycle = visit(target, [...path, file]);
        if (cycle.length > 0) return cycle;
      }
      done.add(file);
      return [];
    };
    expect([...next.keys()].flatMap((file) => visit(file, []))).toEqual([]);
  });

  it('have no rooms without an idea and no barrels', () => {
    const names = sources.map((file) => relative(ROOT, file));
    expect(names.filter((name) => /\/(utils?|common|shared|helpers?|misc|index)(\/|\.)/.test(name))).toEqual(
      [],
    );
  });

  it.each([
    ['process.env', /process\.env/, ['src/config/env.ts']],
    [
      'from @nestjs/common: @Body and @Query, which skip our input rules',
      /import \{[^}]*\b(Body|Query)\b[^}]*\} from '@nestjs\/common'/,
      [],
    ],
  ])('keep to one place: %s', (_what, pattern, allowed) => {
    const users = sources
      .filter((file) => pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(ROOT, file));
    expect(users).toEqual(allowed);
  });
});

describe('the README', () => {
  /** First cells of a table's rows, without backticks, below a heading. */
  function firstCells(heading: string): string[] {
    const section = readme.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';
    return [...section.matchAll(/^\| *(`[^|]+?) *\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    );
  }

  it('lists every environment variable, and no other', () => {
    expect(firstCells('Variables').sort()).toEqual([...VARIABLE_NAMES].sort());
  });

  it('lists every error code with its status, and no other', () => {
    const rows = [...readme.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm)].map(
      ([, status, code, when]) => ({ code, status, when }),
    );
    const registry = Object.entries<ErrorDefinition>(ERRORS).map(([code, { status, when }]) => ({
      code,
      status: String(status),
      when,
    }));
    expect(rows).toEqual(registry);
  });

  it('lists every field error code, and no other', () => {
    expect(firstCells('Errores de campo').sort()).toEqual(Object.keys(FIELD_ERRORS).sort());
  });

  it('shows the import table as it is enforced', () => {
    const shown = Object.fromEntries(
      [...readme.matchAll(/^(\w+) +→ (.+)$/gm)].map(([, room, targets]) => [
        room,
        targets!.split(/, */).filter((target) => target !== '–'),
      ]),
    );
    expect(shown).toEqual(MAY_IMPORT);
  });

  it.each(Object.entries<ErrorDefinition>(ERRORS))(
    'and the answers speak of %s with texts a person can act on',
    (_, definition) => {
      expect(definition.detail).toMatch(/\.$/);
      expect(definition.when).toMatch(/\.$/);
      expect(definition.title.length).toBeGreaterThan(5);
    },
  );
});
