import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { textTypes } from '../../database/text-types.js';

/** Events that are listed. */
export const LIST_SIZE = 60;

/** An event that could not be dispatched and is tried again. */
export interface ParkedEvento {
  id: string;
  tipo: string;
  /** Guide number; null where the guide does not exist. */
  guia: string | null;
  comercio: string | null;
  /** Whether its merchant is a test twin. */
  de_prueba: boolean;
  /** ISO 3166; of the merchant. */
  pais: string | null;
  /** How often it failed. */
  intentos: number;
  causa: string;
  /** ISO 8601. */
  creado_en: string;
  proximo_en: string;
}

const LIST = `select e.id, e.tipo, g.guia, c.nombre as comercio, c.pais, c.prueba_de is not null as de_prueba, e.intentos, e.causa, e.creado_en, e.proximo_en
  from (
    select * from eventos where despachado_en is null and proximo_en is not null order by proximo_en limit $1
  ) e
  left join guias g on g.comercio_id = e.comercio_id and g.id = e.guia_id
  left join comercios c on c.id = e.comercio_id
  order by e.proximo_en`;

/** The events that were parked because they could not be dispatched. */
@Injectable()
export class ParkedEventosService {
  constructor(private readonly database: Database) {}

  /** Those that are tried again first, at most 60. */
  async list(): Promise<ParkedEvento[]> {
    const { rows } = await this.database.query<ParkedEvento>({
      text: LIST,
      values: [LIST_SIZE],
      types: textTypes,
    });
    return rows;
  }
}
