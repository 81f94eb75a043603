import type { Command } from 'commander';
import { AppError } from '../platform/errors/app-error.js';
import { ASK_REFUSALS, type AskRefusal } from '../guias/changes/ask-again.js';
import { CorreosModule } from '../correos/correos.module.js';
import { CorreosService } from '../correos/correos.service.js';
import { MessageHistoryService } from '../notifications/messages/message-history.service.js';
import { LocationRequestsService } from '../notifications/requests/location-requests.service.js';
import {
  messageLine,
  readGuiaNumero,
  runWithSupport,
  unknownGuia,
  type GuiaOption,
} from './guia.commands.js';
import { jsonCommand, UsageError, type JsonOption } from './run-command.js';

export function addSandboxCommands(sandbox: Command): void {
  jsonCommand(
    sandbox
      .command('inbox')
      .description('what recipients and merchants would have received, newest first, with its links'),
  ).action((options: JsonOption) =>
    runWithSupport(
      options,
      async ({ get }) => {
        const kept = await get(MessageHistoryService).listSandboxInbox();
        const messages = kept.map(({ guia_id: _, ...message }) => message);
        const mails = await get(CorreosService).inbox();
        const lines = [
          ...messages.map(({ creado_en, telefono, texto }) => `${creado_en}  ${telefono}\n  ${texto}`),
          ...mails.map(
            (mail) =>
              `${mail.creado_en}  ${mail.para}  ${mail.asunto}\n  ${mail.texto.replaceAll('\n', '\n  ')}`,
          ),
        ];
        return { json: { messages, mails }, text: lines.join('\n') || 'no messages yet' };
      },
      [CorreosModule],
    ),
  );
}

export function addMessageCommands(messages: Command): void {
  jsonCommand(messages.command('list').description('the messages of a guide, oldest first'))
    .requiredOption('--guia <N>', 'guide number')
    .action((options: GuiaOption) =>
      runWithSupport(options, async ({ get }) => {
        const history = await get(MessageHistoryService).listByGuia(readGuiaNumero(options.guia));
        if (!history) throw unknownGuia(options.guia);
        return { json: { messages: history }, text: history.map(messageLine).join('\n') || 'no messages' };
      }),
    );
  jsonCommand(messages.command('resend').description('ask the recipient of a guide again'))
    .requiredOption('--guia <N>', 'guide number')
    .action((options: GuiaOption) =>
      runWithSupport(options, async ({ get }) => {
        const guia = readGuiaNumero(options.guia);
        const id = await get(LocationRequestsService)
          .ask(guia, 'all', { actor: 'sistema' })
          .catch((error: unknown) => {
            if (!(error instanceof AppError)) throw error;
            if (error.codigo === 'no_encontrado') throw unknownGuia(guia);
            const motivo = error.members?.motivo as AskRefusal | undefined;
            throw motivo ? new UsageError(`--guia: ${ASK_REFUSALS[motivo].command}`) : error;
          });
        if (id === undefined) throw new UsageError('--guia: a message has yet to be sent; no other was made');
        return { json: { message_id: id }, text: `message ${id} is on its way` };
      }),
    );
}
