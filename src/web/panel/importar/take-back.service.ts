import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { CurrentGuia } from '../../../guias/changes/guia-changes.queries.js';
import { GuiaMovesService } from '../../../guias/changes/guia-moves.service.js';
import { inFours } from '../../../guias/guia/guia-digits.js';
import { ESTADOS } from '../../../guias/guia/guia-estado.js';
import type { Run } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { InjectLogger } from '../../../platform/logging/logging.module.js';
import { grouped } from '../../kit/elements.js';
import type { Visit } from '../visit.js';
import { takeBackResultados, type ArchivoRow } from './importar.queries.js';

/** ms in which an import may be taken back, and that its page waits for it. */
const HOUR_MS = 3_600_000;
const TAKE_BACK_MS = 2_500;

/** The rows of which guides were made within the last hour that were not taken back: line and number. */
export const recentIn = ({ resultados }: ArchivoRow): [linea: string, guia: string][] =>
  Object.entries(resultados).flatMap(([linea, { guia, en = 0, deshecha }]) =>
    guia === undefined || deshecha || en <= Date.now() - HOUR_MS ? [] : [[linea, guia] as [string, string]],
  );

const MAX_NAMED = 20;

function standingInTheWay(guias: Pick<CurrentGuia, 'guia' | 'estado'>[]): AppError {
  const named = guias
    .slice(0, MAX_NAMED)
    .map(({ guia, estado }) => `${inFours(guia)} (${ESTADOS[estado].name})`)
    .join(', ');
  const more = guias.length > MAX_NAMED ? ` y ${grouped(guias.length - MAX_NAMED)} más` : '';
  const count = guias.length === 1 ? 'una guía ya va' : `${grouped(guias.length)} guías ya van`;
  return new AppError('transicion_invalida', {
    detail: `No se deshizo nada: ${count} más adelante de «${ESTADOS.aceptado.name}»: ${named}${more}. Las demás se pueden cancelar una por una.`,
  });
}

/** Takes imports back: all guides of one, or none. */
@Injectable()
export class TakeBackService {
  constructor(
    private readonly moves: GuiaMovesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Takes back what was made of a file within the last hour: all its guides are cancelled, or none. Again, it does nothing.
   * @returns whether it is done; where it takes long, it goes on: all of it, or nothing if the process ends before.
   * @throws AppError `transicion_invalida` with the guides that stand in the way; `validacion` where there is nothing to take back
   */
  async takeBack({ merchant }: Visit, archivo: ArchivoRow): Promise<boolean> {
    const made = recentIn(archivo);
    if (made.length === 0) {
      if (Object.values(archivo.resultados).some(({ deshecha }) => deshecha)) return true;
      throw new AppError('validacion', {
        detail: 'No hay nada que deshacer: una importación se deshace entera, y hasta una hora después.',
      });
    }
    const lineas = made.map(([linea]) => linea);
    const guias = made.map(([, guia]) => guia);
    const mark = (run: Run) => run(takeBackResultados(merchant.id, archivo.id, lineas));
    let isLate = false;
    const work = this.moves.cancelAll(archivo.id, merchant, guias, 'Se deshizo la importación.', mark);
    const done = work.then(
      (beyond) => {
        if (beyond.length > 0 && !isLate) throw standingInTheWay(beyond);
        return true;
      },
      (error: unknown) => {
        if (!isLate) throw error;
        this.logger.warn({ err: error }, 'an import was not taken back');
        return false;
      },
    );
    const late = sleep(TAKE_BACK_MS, false, { ref: false }).then(() => {
      isLate = true;
      return false;
    });
    return Promise.race([done, late]);
  }
}
