import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { guiaBody } from '../support/guia-body.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { unless } from '../support/skipping.js';

const CLIENTS = 8;

/** MiB: a new database, and room for some thousand guides. */
const SIZE = 220;

const newFolder = () => mkdtempSync(join(tmpdir(), 'guias-full-'));
const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}m`, 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => execFileSync('umount', ['--lazy', folder]);

/** Only who may mount a file system can have a small one. */
function mayMount(): boolean {
  const folder = newFolder();
  const isMounted = mount(folder);
  if (isMounted) unmount(folder);
  rmdirSync(folder);
  return isMounted;
}

const describeWithSmallDisk = unless(describe, mayMount() ? undefined : 'may not mount');

describeWithSmallDisk('a full disk under the embedded database', () => {
  let folder: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = newFolder();
    mount(folder);
    chmodSync(folder, 0o755);
    service = await startService({ DATA_DIR: join(folder, 'data'), RATE_LIMIT_PER_MINUTE: '1000000000' });
  });
  afterAll(async () => {
    // Its PostgreSQL stops with it, as it does not where the service is killed.
    await service?.stop();
    unmount(folder);
    rmdirSync(folder);
  });

  const ask = async (
    path: string,
    body?: object,
  ): Promise<{ status: number; headers: Headers; body: any }> => {
    const response = await fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${service.demoKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  function fill(ballast: string): void {
    const file = openSync(ballast, 'w');
    for (const size of [1 << 16, 512])
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
      }
    closeSync(file);
  }

  it('answers 503 to writes while the disk is full, keeps all acknowledged guides, and needs no restart', async () => {
    const acknowledged = new Map<string, string>();
    const refusals: { status: number; codigo: string; mayRetry: boolean }[] = [];
    let isOver = false;
    const client = async (number: number) => {
      for (let n = 0; !isOver; n++) {
        const reference = `${number}-${n}`;
        while (!acknowledged.has(reference)) {
          const { status, headers, body } = await ask('/api/v1/guias', guiaBody({ external_ref: reference }));
          if (status < 300) acknowledged.set(reference, body.id);
          else refusals.push({ status, codigo: body.codigo, mayRetry: headers.has('retry-after') });
        }
      }
    };
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(CLIENTS));
    const ballast = join(folder, 'ballast');
    fill(ballast);
    await eventually(() => expect(refusals.length).toBeGreaterThan(10 * CLIENTS));
    const [id] = acknowledged.values();
    for (const path of ['/livez', `/api/v1/guias/${id}`]) expect((await ask(path)).status).toBe(200);
    rmSync(ballast);
    const before = acknowledged.size;
    await eventually(() => expect(acknowledged.size).toBeGreaterThan(before + 10 * CLIENTS));
    isOver = true;
    await Promise.all(clients);

    const refusal = { status: 503, codigo: 'no_disponible', mayRetry: true };
    expect(new Set(refusals.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(refusal)]));
    const listed: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ask(`/api/v1/guias?limit=100${cursor && `&cursor=${cursor}`}`);
      listed.push(...body.guias.map((guia: { id: string }) => guia.id));
      cursor = body.siguiente_cursor;
    }
    expect(listed.sort()).toEqual([...acknowledged.values()].sort());
  });
});
