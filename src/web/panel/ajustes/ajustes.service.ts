import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { TAMANOS, type Tamano } from '../../../etiquetas/sheets.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { PanelAjuste, type Texts } from './panel-ajuste.entity.js';

const REMEMBERED = ['departamento', 'municipio'];

/** Headings that are remembered for a merchant; the newest stay. */
const MAX_COLUMNAS = 300;

type Remembered = Pick<PanelAjuste, 'guia' | 'columnas' | 'recogida_id' | 'tamano'>;

const EMPTY: Remembered = { guia: {}, columnas: {}, recogida_id: null, tamano: '100x150' };

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

  /** @param typed of a form that prints; absent: the remembered one. @throws AppError `validacion` */
  async tamanoOf(comercioId: string, typed?: string): Promise<Tamano> {
    if (typed === undefined) return (await this.of(comercioId)).tamano;
    const tamano = TAMANOS.find((one) => one === typed);
    if (tamano === undefined)
      throw AppError.validation([
        { campo: 'tamano', codigo: 'formato', mensaje: 'Elija un tamaño de la lista.' },
      ]);
    await this.set({ comercio_id: comercioId, tamano });
    return tamano;
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
