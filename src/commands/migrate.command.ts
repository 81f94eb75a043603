import type { Command } from 'commander';
import { jsonCommand, run, type JsonOption } from './run-command.js';

export function addMigrate(command: Command): void {
  jsonCommand(command).action((options: JsonOption) =>
    run(options, ({ applied }) =>
      Promise.resolve({
        json: { applied },
        text: applied.length ? `applied: ${applied.join(', ')}` : 'nothing to apply',
      }),
    ),
  );
}
