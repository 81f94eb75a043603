import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of the panel that begin by mail, and the links in those mails. */
export class EntrarPorCorreo1796460600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table panel_sesiones
        alter column clave_id drop not null,
        add column comercio_id uuid,
        add column correo text,
        add constraint panel_sesiones_titular_check check (
          (clave_id is null) = (comercio_id is not null) and (comercio_id is null) = (correo is null));
      create index panel_sesiones_comercio_idx on panel_sesiones (comercio_id) where comercio_id is not null;

      create table panel_enlaces (
        huella bytea not null constraint panel_enlaces_huella_check check (octet_length(huella) = 32),
        correo text not null,
        comercio_id uuid,
        vence_en timestamptz(3) not null,
        constraint panel_enlaces_pkey primary key (huella)
      );
      create index panel_enlaces_vence_idx on panel_enlaces (vence_en);
      create unique index panel_enlaces_comercio_key on panel_enlaces (comercio_id) where comercio_id is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table panel_enlaces;
      delete from panel_sesiones where clave_id is null;
      drop index panel_sesiones_comercio_idx;
      alter table panel_sesiones drop constraint panel_sesiones_titular_check, drop column comercio_id, drop column correo,
        alter column clave_id set not null;
    `);
  }
}
