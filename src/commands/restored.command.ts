import type { Command } from 'commander';
import { Database } from '../platform/database/database.js';
import { GUIA_NUMERO_BLOCK } from '../guias/create/guia-numeros.service.js';
import { jsonCommand, run, type JsonOption } from './run-command.js';

/** Blocks of guide numbers that are skipped: more than were used since any backup. */
const BLOCKS = 10_000;

/** Uses only `nextval`, which the service's role may call. */
const SKIP = `select count(nextval('guias_numero')) from generate_series(1, ${BLOCKS})`;

/** `guias restored`: without it, a restored database would assign again the numbers of guides created after its backup. */
export function addRestored(command: Command): void {
  jsonCommand(command).action((options: JsonOption) =>
    run(options, async ({ get }) => {
      await get(Database).query({ text: SKIP });
      const skipped = BLOCKS * GUIA_NUMERO_BLOCK;
      return { json: { skipped }, text: `${skipped} guide numbers are skipped` };
    }),
  );
}
