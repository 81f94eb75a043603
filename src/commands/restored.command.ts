import type { Command } from 'commander';
import { Database } from '../database/database.js';
import { GUIA_NUMERO_BLOCK } from '../guias/create/guia-numeros.service.js';
import { jsonCommand, run, type JsonOption } from './run-command.js';

/** Blocks of guide numbers that are skipped: more than were used since any backup. */
const BLOCKS = 10_000;

/** With `nextval` alone, which the service's role may use. */
const SKIP = `select count(nextval('guias_numero')) from generate_series(1, ${BLOCKS})`;

/**
 * `guias restored`: a restored database would hand out again the numbers of guides that were created after its
 * backup, which may be on labels already.
 */
export function addRestored(command: Command): void {
  jsonCommand(command).action((options: JsonOption) =>
    run(options, async ({ get }) => {
      await get(Database).query({ text: SKIP });
      const skipped = BLOCKS * GUIA_NUMERO_BLOCK;
      return { json: { skipped }, text: `${skipped} guide numbers are skipped` };
    }),
  );
}
