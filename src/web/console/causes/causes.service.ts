import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../platform/database/row-id.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { Remembered } from './remembered.js';
import {
  CLASES,
  claseOf,
  groupsOf,
  guiasOf,
  type CausaGroup,
  type CausaGuia,
  type Clase,
} from '../../../support/causes/causes.queries.js';

const PAGE = 100;

export interface CausaPage {
  clave: string;
  clase: Clase;
  comercioId: string | null;
  /** Of each merchant that has such guides, or of the one that was asked for. */
  groups: CausaGroup[];
  guias: CausaGuia[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

@Injectable()
export class CausesService {
  private readonly groups = new Map(
    CLASES.map((clase) => [clase, new Remembered(() => this.load(clase, null))]),
  );

  constructor(private readonly database: Database) {}

  /** The groups of a class; not quite up to date where they take long to count. */
  groupsOf(clase: Clase): Promise<CausaGroup[]> {
    return this.groups.get(clase)!.read();
  }

  /** @throws AppError `no_encontrado` for a key that no cause can have. */
  async page(clave: string, comercio: string | undefined, after: string | undefined): Promise<CausaPage> {
    const { clase, comercioId } = readCausa(clave, comercio);
    const start = after !== undefined && isUuid(after) ? after : null;
    const [groups, rows] = await Promise.all([
      this.load(clase, comercioId),
      this.database.staff.rows<CausaGuia>(
        guiasOf(clase, { clave, comercioId, after: start, limit: PAGE + 1 }),
      ),
    ]);
    const guias = rows.slice(0, PAGE);
    return {
      clave,
      clase,
      comercioId,
      groups: groups.filter((group) => group.clave === clave),
      guias,
      next: rows.length > PAGE ? guias.at(-1)!.id : null,
    };
  }

  private async load(clase: Clase, comercioId: string | null): Promise<CausaGroup[]> {
    return this.database.staff.rows<CausaGroup>(groupsOf(clase, comercioId));
  }
}

/** The guides of a cause. @throws AppError `no_encontrado` */
export function readCausa(
  clave: string,
  comercio: string | undefined,
): { clase: Clase; comercioId: string | null } {
  const clase = claseOf(clave);
  const comercioId = comercio === undefined || comercio === '' ? null : comercio;
  if (clase === undefined || (comercioId !== null && !isUuid(comercioId)))
    throw new AppError('no_encontrado', { detail: 'No hay guías con esa causa.' });
  return { clase, comercioId };
}
