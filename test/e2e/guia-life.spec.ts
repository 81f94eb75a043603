import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import { expectSoundHistory, see } from '../support/history.js';
import { anySteps, COD, type Model, type Real } from '../support/life-model.js';
import { Lives } from '../support/lives.js';
import { propertyRuns } from '../support/property-runs.js';
import { createTestApp, guiaBody, type TestApp, type TestOperator } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

describe('the life of a guide', () => {
  let test: TestApp;
  let lives: Lives;
  let operators: TestOperator[];
  let addresses = 0;

  beforeAll(async () => {
    // Without workers: only the steps change a guide.
    test = await createTestApp({ env: { TRUST_PROXY: '1' } });
    lives = new Lives(test, await test.merchant());
    operators = [await test.operator('Una'), await test.operator('Otra')];
  });
  afterAll(() => test.close());

  const begin = async (): Promise<{ model: Model; real: Real }> => {
    const { body } = await lives.merchant.post(GUIAS, guiaBody({ cod_amount: COD }));
    const { id, guia } = body as { id: string; guia: string };
    const confirmations = test.app.get(ConfirmationsService);
    const mint = async (secuencia: number) => {
      const mensajeId = randomUUID();
      await confirmations.mint([{ mensajeId, secuencia, comercioId: lives.merchant.id, guiaId: id }]);
      return `/c/${confirmations.token(mensajeId)}`;
    };
    const answer = (link: string, point: object) =>
      test.request(link, {
        method: 'POST',
        // Each from an address of its own: one address may not send so many.
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}`,
        },
        body: JSON.stringify(point),
      });
    const since = new Date().toISOString();
    return {
      model: {
        estado: 'aceptado',
        version: 1,
        hasMoved: false,
        isConfirmed: false,
        corrections: 0,
        link: 'open',
        refs: new Map(),
        acknowledged: [],
      },
      real: {
        lives,
        operators,
        guia: { id, guia },
        path: `${GUIAS}/${id}`,
        link: await mint(1),
        since,
        mint,
        answer,
      },
    };
  };

  it('follows the model step by step, and the history gives the same state', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (commands) => {
        const started = await begin();
        await fc.asyncModelRun(() => started, commands);
        const { model, real } = started;
        const seen = await see(lives, real.guia);
        expectSoundHistory(seen);
        expect({
          estado: seen.guia.estado,
          etag: seen.etag,
          isConfirmed: seen.guia.direccion_confirmada,
        }).toEqual({
          estado: model.estado,
          etag: `"${model.version}"`,
          isConfirmed: model.isConfirmed,
        });
        // One event for each version; all acknowledged ones are among them.
        expect(seen.events.map(({ secuencia }) => secuencia)).toEqual(
          Array.from({ length: model.version }, (_, i) => i + 1),
        );
        const ids = seen.events.map(({ id }) => id);
        expect(model.acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
      }),
      { numRuns: propertyRuns(5) },
    );
  });
});
