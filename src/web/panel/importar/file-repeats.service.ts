import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import { Database } from '../../../platform/database/database.js';
import { differingFields } from '../../../guias/create/differing-fields.js';
import type { KeptGuia } from '../../../guias/create/guia-inserts.queries.js';
import type { GuiaDelComercioRow, NewGuia } from '../../../guias/guia/guia-row.js';
import { GuiasService } from '../../../guias/guias.service.js';
import { referenceOf } from '../../../guias/lote/lote-item.js';
import { differingInRow, readItem } from '../../../guias/lote/lote.service.js';
import { mapInTurns } from '../../../guias/lote/map-in-turns.js';
import { hasReference, OWN_REFERENCE, type FileItem, type ReadRow } from './file-item.js';
import { findOfOtherFiles, findReferences, type ArchivoRow } from './importar.queries.js';

/** ms; a row without a reference that equals a guide of another file this recent is taken for a repeat. */
const SAME_FILE_MS = 86_400_000;

/** The original of a row that repeats one: a guide, or an earlier row of its file. */
export interface Repeated {
  of: { guia: string } | { linea: number };
  /** Whether it is known by its data alone: neither has a reference, and the guide is of another file. */
  isByData?: true;
  /** Whether the guide is cancelled, and nothing of the row on its way; only of a row found by its reference. */
  isCancelled?: boolean;
  /** The fields of the row that are different there. */
  differing: string[];
}

export interface FileRead {
  item: FileItem;
  read: ReadRow;
}

/** Finds rows of a file that repeat a guide, or an earlier row. */
@Injectable()
export class FileRepeatsService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiasService,
  ) {}

  /** The original of each row, in their order; undefined for a row that repeats nothing, or has been imported or refused. */
  async find(
    merchant: Merchant,
    { tabla: { huella }, resultados }: ArchivoRow,
    reads: FileRead[],
  ): Promise<(Repeated | undefined)[]> {
    const comercioId = merchant.id;
    const items = reads.map(({ item }) => item);
    const references = items.flatMap(({ input }) => referenceOf(input) ?? []);
    const phones = reads.flatMap(({ item, read: { row } }) =>
      row && !hasReference(item) ? row.nueva.telefono : [],
    );
    const prefixes = { all: OWN_REFERENCE, own: `${OWN_REFERENCE}${huella}-` };
    const since = Date.now() - SAME_FILE_MS;
    const [{ rows }, { rows: ofOtherFiles }, own] = await Promise.all([
      this.database.query<GuiaDelComercioRow>(findReferences(comercioId, references)),
      this.database.query<GuiaDelComercioRow>(
        findOfOtherFiles(comercioId, [...new Set(phones)], prefixes, since),
      ),
      this.guias.findOwn(
        comercioId,
        items.flatMap(({ guia }) => guia ?? []),
      ),
    ]);
    const existing = new Map(rows.map((row) => [row.external_ref, row]));
    const earlier = new Map<string | null, { linea: number; nueva: NewGuia }>();
    const unmatched = new Map<string, GuiaDelComercioRow[]>(phones.map((telefono) => [telefono, []]));
    for (const guia of ofOtherFiles) unmatched.get(guia.telefono)!.push(guia);
    return mapInTurns(reads, ({ item, read: { row } }): Repeated | undefined => {
      const { guia: made, errores = [] } = resultados[item.posicion.linea] ?? {};
      // A row that was refused stands for none.
      if (made !== undefined || errores.length > 0) return undefined;
      // Of what the file says; a pickup that is remembered may be another one by now.
      const inFile = (campos: string[]) => campos.filter((campo) => item.texts[campo] !== undefined);
      if (item.guia !== undefined) {
        const guia = own.get(item.guia);
        return (
          guia && {
            of: { guia: guia.guia },
            differing: inFile(differingInRow(readItem(item, merchant), guia)),
          }
        );
      }
      if (row === undefined) return undefined;
      const { dto, nueva } = row;
      const differingFrom = (guia: KeptGuia | NewGuia) => inFile(differingFields(dto, nueva, guia));
      const guia = existing.get(nueva.external_ref);
      if (guia) {
        const isCancelled = guia.estado === 'cancelado';
        return { of: { guia: guia.guia }, isCancelled, differing: differingFrom(guia) };
      }
      const first = earlier.get(nueva.external_ref);
      if (first) return { of: { linea: first.linea }, differing: differingFrom(first.nueva) };
      earlier.set(nueva.external_ref, { linea: item.posicion.linea, nueva });
      if (hasReference(item)) return undefined;
      // Each guide is of one row: two equal rows of a file are two.
      const ofPhone = unmatched.get(nueva.telefono) ?? [];
      const at = ofPhone.findIndex(
        (one) => one.cod_amount === nueva.cod_amount && differingFrom(one).length === 0,
      );
      if (at < 0) return undefined;
      const [twin] = ofPhone.splice(at, 1);
      return { of: { guia: twin!.guia }, isByData: true, differing: [] };
    });
  }
}
