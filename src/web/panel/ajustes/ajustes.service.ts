import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { PanelAjuste, type Texts } from './panel-ajuste.entity.js';

/** Fields of a guide that are the same for most guides of a shop. */
const REMEMBERED = ['departamento', 'municipio'];

/** Headings that are remembered for a merchant; the newest stay. */
const MAX_COLUMNAS = 300;

type Remembered = Pick<PanelAjuste, 'guia' | 'columnas' | 'recogida_id'>;

const EMPTY: Remembered = { guia: {}, columnas: {}, recogida_id: null };

/** What the panel remembers for a merchant, so that nobody types it again. */
@Injectable()
export class AjustesService {
  constructor(@InjectRepository(PanelAjuste) private readonly ajustes: Repository<PanelAjuste>) {}

  async of(comercioId: string): Promise<Remembered> {
    return (await this.ajustes.findOneBy({ comercio_id: comercioId })) ?? EMPTY;
  }

  /** Remembers department and municipality. @param texts of a form that made a guide. */
  async rememberGuia(comercioId: string, texts: Partial<Texts>): Promise<void> {
    const kept = Object.entries(texts).flatMap(([name, text]) =>
      REMEMBERED.includes(name) && text ? [[name, text] as const] : [],
    );
    await this.set({ comercio_id: comercioId, guia: Object.fromEntries(kept) });
  }

  async rememberColumnas(comercioId: string, columnas: Texts): Promise<void> {
    const { columnas: known } = await this.of(comercioId);
    const all = Object.entries({ ...known, ...columnas }).slice(-MAX_COLUMNAS);
    await this.set({ comercio_id: comercioId, columnas: Object.fromEntries(all) });
  }

  /** @param recogidaId of the pickup point that guides are made with unless another one is chosen. */
  async rememberRecogida(comercioId: string, recogidaId: string): Promise<void> {
    await this.set({ comercio_id: comercioId, recogida_id: recogidaId });
  }

  /** Columns that are not given stay. */
  private async set(ajuste: Pick<PanelAjuste, 'comercio_id'> & Partial<Remembered>): Promise<void> {
    await this.ajustes.upsert(ajuste, ['comercio_id']);
  }
}
