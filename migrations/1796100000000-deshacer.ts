import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addWebhookEventos, removeWebhookEventos } from './evento-lists.js';

const EVENTOS = ['guia.estado_corregido', 'guia.advertencia'];
const ADVERTENCIAS = ['cancelada_ya_recogida', 'destino_por_revisar'];

/** Moves are taken back, and warnings that come up later are told. */
export class Deshacer1796100000000 implements MigrationInterface {
  name = 'Deshacer1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    await addWebhookEventos(runner, EVENTOS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await removeWebhookEventos(runner, EVENTOS);
    for (const codigo of ADVERTENCIAS)
      await runner.query(
        'update guias set advertencias = array_remove(advertencias, $1) where advertencias @> array[$1]',
        [codigo],
      );
  }
}
