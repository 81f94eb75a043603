import { randomUUID } from 'node:crypto';
import { mintLinks } from '../../src/confirmations/confirmations.queries.js';
import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import type { GuiaKey } from '../../src/guias/guia/guia-key.js';
import { sql, statement } from '../../src/platform/database/sql.js';
import type { TestApp } from './test-app.js';

/**
 * The path of a link as a message of this guide has it, without the message.
 * @param secuencia of the event that asked; by default later than any of a test.
 */
export async function mintLink(
  { app, database }: Pick<TestApp, 'app' | 'database'>,
  { comercioId, guiaId }: GuiaKey,
  secuencia = 1_000,
): Promise<string> {
  const mensajeId = randomUUID();
  const confirmations = app.get(ConfirmationsService);
  const row = sql`(select ${confirmations.huella(mensajeId)}::bytea as huella, ${comercioId}::uuid as comercio_id,
    ${guiaId}::uuid as guia_id, ${secuencia}::integer as secuencia) link`;
  const { text, values } = statement(mintLinks(row));
  await database.query(text, values);
  return `/c/${confirmations.token(mensajeId)}`;
}
