import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';
import { VARIABLE_NAMES } from '../src/platform/config/variables.js';
import { ERRORS, FIELD_ERRORS, type ErrorDefinition } from '../src/platform/errors/error-codes.js';
import { ADVERTENCIA_MEANINGS } from '../src/guias/guia/guia-advertencia.js';
import { GUIA_ESTADOS, nextEstados } from '../src/guias/guia/guia-estado.js';
import { MOTIVOS } from '../src/guias/guia/guia-motivo.js';
import { CONFIRMATION_TEMPLATE } from '../src/notifications/providers/whatsapp/whatsapp-template.js';
import { KEPT, RETENTION } from '../src/platform/retention/retention.js';
import { QUEUE_NAMES } from '../src/web/console/texts.js';
import { PRUEBA, WEBHOOK_EVENTO_MEANINGS } from '../src/webhooks/endpoints/webhook-evento.js';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** Which folder, or file at the root of src, may import which, as `docs/architecture.md` says. What is not listed is forbidden. */
const MAY_IMPORT: Record<string, string[]> = Object.fromEntries(
  [...sectionOf('docs/architecture.md', 'Imports').matchAll(/^([\w./-]+) +→ (.+)$/gm)].map(
    ([, folder, targets]) => [folder!, targets!.split(/, */).filter((target) => target !== '–')],
  ),
);

/** The machinery may import these, but they of each other only the ones before: `errors` and `timeouts` build on nothing. */
const OPEN_TO_PLATFORM = ['errors', 'timeouts', 'config', 'tracing', 'logging', 'openapi'].map(
  (name) => `platform/${name}`,
);

interface Import {
  from: string;
  to: string;
}

const sources = filesUnder(SRC).filter((file) => /(?<!\.spec)\.tsx?$/.test(file));
const imports = sources.flatMap(importsOf);

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from |import\()'(\.[^']+)\.js'/g)].map(([, path]) => {
    const target = resolve(dirname(file), path!);
    return {
      from: relative(ROOT, file),
      to: relative(ROOT, existsSync(`${target}.tsx`) ? `${target}.tsx` : `${target}.ts`),
    };
  });
}

/**
 * `src/guias/dto/x.ts` → `guias`; `src/web/kit/x.ts` → `web/kit`, as in `platform`; `src/main.ts` → `main`;
 * `migrations/index.ts` → `migrations`.
 */
function folderOf(file: string): string {
  const [top, second, third] = file.split('/') as [string, string, string];
  if (top !== 'src') return top;
  return ['web', 'platform'].includes(second) ? `${second}/${third}` : second.replace(/\.ts$/, '');
}

/** The nodes of one cycle for each node that leads into one. */
function cyclesIn(edges: Import[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const target of next.get(node) ?? []) {
      const cycle = visit(target, [...path, node]);
      if (cycle.length > 0) return cycle;
    }
    done.add(node);
    return [];
  };
  return [...next.keys()].map((node) => visit(node, [])).filter((cycle) => cycle.length > 0);
}

describe('modules', () => {
  it('import only what the table of docs/architecture.md allows', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const [folder, target] = [folderOf(from), folderOf(to)];
      const rank = OPEN_TO_PLATFORM.indexOf(folder);
      const isOpen = folder.startsWith('platform/')
        ? OPEN_TO_PLATFORM.slice(0, rank < 0 ? undefined : rank).includes(target)
        : target.startsWith('platform/');
      return folder !== target && !isOpen && !MAY_IMPORT[folder]?.includes(target);
    });
    expect(forbidden).toEqual([]);
  });

  it('are all in that table, and no other', () => {
    const folders = new Set(sources.map((file) => folderOf(relative(ROOT, file))));
    expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('have no cycles between files, nor between folders', () => {
    expect(cyclesIn(imports)).toEqual([]);
    const between = imports.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));
    expect(cyclesIn(between.filter(({ from, to }) => from !== to))).toEqual([]);
  });

  it('have no folders inside that import each other', () => {
    const inside = ({ from, to }: Import) => {
      const room = `src/${folderOf(from)}`;
      const folder = (file: string) => /^(\/[^/]+)\//.exec(file.slice(room.length))?.[1];
      const [one, other] = [folder(from), `src/${folderOf(to)}` === room ? folder(to) : undefined];
      return one !== undefined && other !== undefined && one !== other
        ? [{ from: room + one, to: room + other }]
        : [];
    };
    expect(cyclesIn(imports.flatMap(inside))).toEqual([]);
  });

  it('know no page, nor JSX, outside of web', () => {
    const isWeb = (file: string) => file.startsWith('src/web/');
    const ways = imports.filter(({ from, to }) => isWeb(to) && !isWeb(from)).map(({ from }) => from);
    expect([...new Set(ways)].sort()).toEqual(['src/app.module.ts', 'src/create-app.ts']);
    const names = sources.map((file) => relative(ROOT, file));
    expect(names.filter((name) => name.endsWith('.tsx') && !isWeb(name))).toEqual([]);
  });

  it('have no folders without an idea and no barrels', () => {
    const names = sources.map((file) => relative(ROOT, file));
    expect(names.filter((name) => /\/(utils?|common|shared|helpers?|misc|index)(\/|\.)/.test(name))).toEqual(
      [],
    );
  });

  it.each([
    ['process.env', /process\.env/, ['src/platform/config/env.ts']],
    [
      "OpenTelemetry's SDK, which is loaded with tracing alone",
      /from '@opentelemetry\/(?!api')|^import .*start-tracing/m,
      ['src/platform/tracing/start-tracing.ts'],
    ],
  ])('keep to one place: %s', (_what, pattern, allowed) => {
    const users = sources
      .filter((file) => pattern.test(readFileSync(file, 'utf8')))
      .map((file) => relative(ROOT, file));
    expect(users).toEqual(allowed);
  });
});

describe('controllers', () => {
  const controllers = sources
    .filter((file) => file.endsWith('.controller.ts'))
    .map((file) => [relative(ROOT, file), readFileSync(file, 'utf8')] as const);

  it.each(controllers)('name the class of every @Body and @Query, which has its rules: %s', (_, text) => {
    const all = [...text.matchAll(/@(?:Body|Query)\(.*/g)].map(([line]) => line);
    const named = /@(?:Body|Query)\(\) (?:\w+|\{[^}]*\}): (?:\w+Dto|NoFields)\b/;
    expect(all.filter((line) => !named.test(line))).toEqual([]);
  });

  it.each(controllers)(
    'name the query of every route with a key, or a token in its link, if only to refuse it: %s',
    (_, text) => {
      const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
      expect(count(/@Query\(\)/g)).toBe(count(/@Require(?:Scope|TestKey)\(|\(':token\/\w+'\)/g));
    },
  );
});

/** A page of the documentation, by its path from the root. */
function pageOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Text below a heading, up to the next heading. */
function sectionOf(path: string, heading: string): string {
  const [, below] = pageOf(path).split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (below === undefined) throw new Error(`${path} has no heading "${heading}"`);
  return below.split(/^#+ /m)[0]!;
}

/** Names in backticks in the first column of the tables below a heading. */
function namesIn(path: string, heading: string): string[] {
  return [...sectionOf(path, heading).matchAll(/^\| *(`[^|]+?) *\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
}

/** Codes and their meanings, of a table with two columns below a heading. */
const meaningsIn = (path: string, heading: string): Record<string, string> =>
  Object.fromEntries(
    [...sectionOf(path, heading).matchAll(/^\| `([^`|]+)` +\| (.+?) +\|$/gm)].map(([, code, meaning]) => [
      code!,
      meaning!,
    ]),
  );

interface Manifest {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

describe('modules that test files share', () => {
  it('register no hooks, because only the first test file of a process would run them', () => {
    const folder = join(ROOT, 'test/support');
    const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const sourceOf = (name: string) => readFileSync(join(folder, name), 'utf8');
    expect(names.filter((name) => /^(before|after)(Each|All)\(/m.test(sourceOf(name)))).toEqual([]);
    expect(names.length).toBeGreaterThan(50);
  });
});

describe('the documentation', () => {
  const manifest = JSON.parse(pageOf('package.json')) as Manifest;
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it('lists every environment variable, and no other', () => {
    expect(namesIn('docs/operations.md', 'Variables').sort()).toEqual([...VARIABLE_NAMES].sort());
  });

  it('says of every table how long its rows are kept', () => {
    const kept = Object.keys(KEPT).filter((table) => table !== 'migraciones');
    const tables = [...RETENTION.map(({ table }) => table), ...kept];
    expect(namesIn('docs/operations.md', 'Retention').sort()).toEqual([...new Set(tables)].sort());
  });

  it.each(RETENTION.map(({ table, keepDays }) => [keepDays, table] as const))(
    'says %d days of %s in docs/operations.md, as retention.ts does',
    (days, table) => {
      const time = days < 1 ? `${days * 24} hours?` : `${days} days?`;
      const rows = sectionOf('docs/operations.md', 'Retention').split('\n');
      const row = rows.find((line) => line.split('|')[1]?.includes(`\`${table}\``));
      expect(row?.split('|')[2]).toMatch(new RegExp(`\\b${time}\\b`));
    },
  );

  it('describes every queue of the board, and no other', () => {
    expect(namesIn('docs/soporte.md', 'El tablero de colas').sort()).toEqual(Object.keys(QUEUE_NAMES).sort());
  });

  it('lists every error code with its status, and no other', () => {
    const table = sectionOf('docs/api.md', 'Códigos de error');
    const rows = [...table.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm)].map(
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
    expect(namesIn('docs/api.md', 'Códigos de error de los campos').sort()).toEqual(
      Object.keys(FIELD_ERRORS).sort(),
    );
  });

  it('lists every warning of a guide with its meaning, and no other', () => {
    expect(meaningsIn('docs/api.md', 'Advertencias')).toEqual(ADVERTENCIA_MEANINGS);
  });

  it('says what a merchant does about every warning of a guide', () => {
    const named = namesIn('docs/integrar.md', '8. Atender advertencias');
    expect(named.sort()).toEqual(Object.keys(ADVERTENCIA_MEANINGS).sort());
  });

  it('lists every reason of a failed attempt with its meaning, and no other', () => {
    expect(meaningsIn('docs/api.md', 'Motivos de un intento fallido')).toEqual(MOTIVOS);
  });

  it('shows every transition, and no other', () => {
    const shown = [...sectionOf('docs/api.md', 'Estados').matchAll(/^ (\w+) +→ (.+)$/gm)].map(
      ([, from, to]) => [from, to!.split(', ')],
    );
    const known = GUIA_ESTADOS.map((estado) => [estado, nextEstados(estado)]).filter(
      ([, to]) => to!.length > 0,
    );
    expect(shown).toEqual(known);
  });

  it('shows the texts of the WhatsApp template as they are sent', () => {
    const { name, language, components } = CONFIRMATION_TEMPLATE;
    const [body, footer, { buttons }] = components;
    const texts = [name, language, body.text, footer.text, ...buttons.map(({ text }) => text)];
    const section = sectionOf('docs/messaging.md', 'WhatsApp');
    expect(texts.filter((text) => !section.includes(text))).toEqual([]);
  });

  it('lists every webhook event with its meaning, and no other', () => {
    const { [PRUEBA]: test, ...events } = meaningsIn('docs/webhooks.md', 'Webhooks');
    expect(events).toEqual(WEBHOOK_EVENTO_MEANINGS);
    expect(test).toBeDefined();
  });

  it('describes every folder, and no other', () => {
    const folders = namesIn('docs/architecture.md', 'Where things live');
    expect(folders.sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('says what every dependency is for', () => {
    const { dependencies, optionalDependencies, devDependencies } = manifest;
    const atRunTime = Object.keys({ ...dependencies, ...optionalDependencies });
    expect(namesIn('docs/contributing.md', 'At run time').sort()).toEqual(atRunTime.sort());
    expect(namesIn('docs/contributing.md', 'For development').sort()).toEqual(
      Object.keys(devDependencies).sort(),
    );
  });

  it('names only npm scripts that exist', () => {
    const named = pages.flatMap((path) => [...pageOf(path).matchAll(/\bnpm run (?:-s )?([\w:]+)/g)]);
    const unknown = named.map(([, script]) => script!).filter((script) => !(script in manifest.scripts));
    expect(unknown).toEqual([]);
  });

  it('has a README of at most 12 KB', () => {
    expect(Buffer.byteLength(pageOf('README.md'))).toBeLessThanOrEqual(12 * 1024);
  });

  it.each([
    ...pages,
    'CHANGELOG.md',
    ...['php', 'python', 'typescript'].map((name) => `clients/${name}/README.md`),
  ])('has no broken link in %s', (path) => {
    const links = [...pageOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const broken = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(path, link));
    expect(broken).toEqual([]);
  });

  /** Pages for merchants' developers, couriers and support. */
  const spanish = [
    'LEEME.md',
    ...[
      ...['README', 'integrar', 'api', 'webhooks', 'dia-del-comercio', 'dia-del-mensajero', 'soporte'],
      'woocommerce',
    ],
    ...['shopify', 'mensajeria', 'pagina-del-piloto', 'panel'],
  ].map((name) => (name.endsWith('.md') ? name : `docs/${name}.md`));
  spanish.push(...['php', 'python', 'typescript'].map((name) => `clients/${name}/README.md`));

  it.each(spanish)('says in %s, which is in Spanish, which pages that it links to are in English', (path) => {
    // A table of pages says it in the heading above it.
    const parts = pageOf(path)
      .split(/^(?=#+ )/m)
      .filter((part) => !part.split('\n', 1)[0]!.includes('(en inglés)'));
    const links = parts.flatMap((part) => [
      ...part.matchAll(/\]\((?!https?:|#)([^)#\s]+\.md)[^)]*\)(.{0,15})/gs),
    ]);
    const silent = links.filter(
      ([, target, after]) =>
        !spanish.includes(join(dirname(path), target!)) &&
        !after!.replace(/\s+/g, ' ').includes('(en inglés)'),
    );
    expect(silent.map(([, target]) => target)).toEqual([]);
  });

  it.each(pages.filter((path) => path !== 'README.md'))('links to %s from the README', (path) => {
    expect(pageOf('README.md')).toContain(`](${path})`);
  });

  it.each(Object.entries<ErrorDefinition>(ERRORS))(
    'describes %s with texts that a person can act on',
    (_, definition) => {
      expect(definition.detail).toMatch(/\.$/);
      expect(definition.when).toMatch(/\.$/);
      expect(definition.title.length).toBeGreaterThan(5);
    },
  );

  /** Whether a relative link leads to a file that exists and, where it names an anchor, to a heading of it. */
  function leadsSomewhere(from: string, link: string): boolean {
    const [file, anchor] = link.split('#');
    const target = file === '' ? from : join(dirname(from), file!);
    if (!existsSync(join(ROOT, target))) return false;
    return anchor === undefined || anchorsOf(pageOf(target)).includes(anchor);
  }

  /** Anchors as GitHub makes them. */
  function anchorsOf(markdown: string): string[] {
    const text = markdown.replace(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
  }
});

interface Container {
  image: string;
  environment: Record<string, string>;
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}

describe('docker-compose.yml', () => {
  const schema = CORE_SCHEMA.withTags(mergeTag);
  const { services } = load(pageOf('docker-compose.yml'), { schema }) as {
    services: Record<string, Container>;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image === 'guias');
  const serving = ours.filter(([, { environment }]) => 'ROLE' in environment);

  it('starts the API and a worker', () => {
    expect(serving.map(([name, { environment }]) => [name, environment.ROLE])).toEqual([
      ['api', 'api'],
      ['worker', 'worker'],
    ]);
  });

  it('gives the URL of the owner of the tables to the migration alone', () => {
    const holders = ours.filter(([, { environment }]) =>
      JSON.stringify(environment).includes('POSTGRES_PASSWORD'),
    );
    expect(holders.map(([name]) => name)).toEqual(['migrate']);
  });

  it.each(serving)(
    'passes to the %s every variable that is not fixed in a container',
    (_, { environment }) => {
      // WEB_CONCURRENCY has no effect.
      const fixed = ['PORT', 'HOST', 'DATA_DIR', 'MIGRATION_DATABASE_URL', 'WEB_CONCURRENCY'];
      expect(Object.keys(environment).sort()).toEqual(
        VARIABLE_NAMES.filter((name) => !fixed.includes(name)).sort(),
      );
    },
  );

  it.each(ours)('gives the %s no rights that it does not need', (_, container) => {
    expect(container).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(pageOf('Dockerfile')).toMatch(/^USER (?!root)/m);
  });

  it('publishes ports on the loopback address alone', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('names in its command of docs/operations.md every variable that it requires', () => {
    const required = [...pageOf('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    const page = sectionOf('docs/operations.md', 'Production with Compose');
    expect([...new Set(required)].filter((name) => !page.includes(`${name}=%s`))).toEqual([]);
  });
});
