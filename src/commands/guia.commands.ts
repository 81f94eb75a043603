import type { Type } from '@nestjs/common';
import type { Command } from 'commander';
import type { EventoDto } from '../guias/dto/evento.dto.js';
import { isGuiaNumero } from '../guias/guia/guia-digits.js';
import type { HistoryEntry } from '../notifications/messages/message-history.queries.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { GuiaStoryService, type Story } from '../support/guia/guia-story.service.js';
import { SupportModule } from '../support/support.module.js';
import type { DeliveryEntry } from '../webhooks/deliveries/delivery-log.service.js';
import { WorkModule } from '../platform/work/work.module.js';
import { addImport } from './import-guias.command.js';
import { jsonCommand, run, UsageError, type CommandAction, type JsonOption } from './run-command.js';

export type GuiaOption = { guia: string } & JsonOption;

export function addGuiaCommands(guias: Command): void {
  addImport(guias.command('import'));
  addShow(guias.command('show'));
}

/** `guias guias show`, which is also `guias show`. */
export function addShow(command: Command): void {
  jsonCommand(command.description('show a guide with its history, messages and deliveries'))
    .requiredOption('--guia <N>', 'guide number')
    .action(show);
}

function show(options: GuiaOption): Promise<void> {
  return runWithSupport(options, async ({ get }) => {
    const guia = readGuiaNumero(options.guia);
    const story = await get(GuiaStoryService).find(guia);
    if (!story) throw unknownGuia(guia);
    return { json: story, text: toText(story) };
  });
}

/** Runs a command about guides or messages. @param more modules that it needs. */
export function runWithSupport(options: JsonOption, action: CommandAction, more: Type[] = []): Promise<void> {
  return run(options, action, (databaseUrl) => [
    QueuesModule.withoutQueues(databaseUrl),
    WorkModule.register([]),
    NotificationsModule,
    SupportModule,
    ...more,
  ]);
}

/** Reads a guide number. @throws UsageError */
export function readGuiaNumero(text: string): string {
  const digits = text.trim();
  if (!isGuiaNumero(digits))
    throw new UsageError(`--guia: ${text} is no guide number; copy all 12 digits; the last is a check digit`);
  return digits;
}

export const unknownGuia = (guia: string) =>
  new UsageError(`--guia: no guide has the number ${guia} in this database`);

export function messageLine({ creado_en, tipo, estado, intentos, causa }: HistoryEntry): string {
  return `${creado_en}  ${estado.padEnd(9)}  ${tipo}  tries ${intentos}${causa === null ? '' : `  ${causa}`}`;
}

function toText({ guia, eventos, mensajes, entregas }: Story): string {
  const address = guia.direccion_confirmada ? 'address confirmed' : 'address not confirmed';
  return [
    `${guia.guia}  ${guia.estado}  ${guia.comercio}  ${guia.external_ref ?? ''}`.trimEnd(),
    `${address}, phone ends in ${guia.telefono_final}, warnings: ${guia.advertencias.join(', ') || 'none'}`,
    ...section('History', eventos.map(eventLine)),
    ...section('Messages to the recipient', mensajes.map(messageLine)),
    ...section("Deliveries to the merchant's webhooks", entregas.map(deliveryLine)),
  ].join('\n');
}

function section(title: string, lines: string[]): string[] {
  return ['', title, ...(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}`)];
}

function eventLine({ ocurrido_en, tipo, actor, estado, motivo, nota, campos }: EventoDto): string {
  const more = [motivo, nota?.replaceAll(/\s+/g, ' '), campos?.join(', ')].filter(Boolean).join(': ');
  const state = estado === null ? '' : `→ ${estado}`;
  return `${ocurrido_en}  ${tipo.padEnd(24)}  ${actor.padEnd(12)}  ${state}  ${more}`.trimEnd();
}

function deliveryLine({ creado_en, estado, evento, host, intentos, causa }: DeliveryEntry): string {
  return `${creado_en}  ${estado.padEnd(9)}  ${evento}  ${host}  tries ${intentos}${causa === null ? '' : `  ${causa}`}`;
}
