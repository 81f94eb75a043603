import { createHmac } from 'node:crypto';
import { Secrets } from '../../src/platform/config/secrets.js';
import { seedGuias } from '../support/guias-seed.js';
import { APP_SECRET, type TestMerchant } from '../support/test-app.js';
import { walkGuias } from '../support/walk.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const START = Date.UTC(2026, 8, 21);
const iso = (ms: number) => new Date(ms).toISOString();

describe('GET /api/v1/guias?actualizada_desde', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;

  beforeAll(async () => {
    merchant = await newMerchant();
  });

  /** A merchant with 60 guides, three changed in each ms from `START` on, in reverse order of their creation. */
  const newMerchant = async () => {
    const created = await test.merchant();
    await seedGuias(test.database, created.id, {
      count: 60,
      at: `${START} - n`,
      changedAt: `${START} + n / 3`,
      estado: `(array['aceptado', 'recogido'])[n % 2 + 1]`,
    });
    return created;
  };
  const list = (query: Record<string, string>) =>
    merchant.get(`${GUIAS}?${new URLSearchParams(query).toString()}`);
  const change = (id: string, ms: number) =>
    test.database.query(
      `update guias set notas = 'cambiada', actualizada_en = timestamptz 'epoch' + $2::bigint * interval '1 millisecond'
       where id = $1`,
      [id, ms],
    );
  const keyOf = ({ actualizada_en, id }: any) => `${actualizada_en} ${id}`;

  it.each<[desde: string, count: number]>([
    [iso(START), 60],
    [iso(START + 1), 57],
    [iso(START + 19), 3],
    [iso(START + 20), 0],
    ['2026-09-21', 60],
    ['0001-01-01T00:00:00+23:59', 60],
    ['9999-12-31T23:59:59-23:59', 0],
  ])('%s includes that millisecond: %d guides', async (actualizada_desde, count) => {
    expect(await walkGuias(merchant, { actualizada_desde, limit: '100' })).toHaveLength(count);
  });

  describe('cursor', () => {
    it('of a list without the newer filters is the same as before these existed', async () => {
      const [guia] = (await list({ limit: '1', estado: 'aceptado' })).body.guias;
      const id = Buffer.from(guia.id.replaceAll('-', ''), 'hex');
      const { cursorKey } = new Secrets(APP_SECRET);
      const scope = JSON.stringify([merchant.id, 'aceptado', undefined, undefined]);
      const tag = createHmac('sha256', cursorKey).update(id).update(scope).digest();
      const cursor = Buffer.concat([id, tag.subarray(0, 14)]).toString('base64url');
      const { body } = await list({ estado: 'aceptado', limit: '1' });
      expect(body.siguiente_cursor).toBe(cursor);
      expect((await list({ estado: 'aceptado', cursor })).body.guias).toHaveLength(29);
    });
  });

  describe('while guides change', () => {
    beforeEach(async () => {
      merchant = await newMerchant();
    });

    it.each([1, 13])(
      'a walk in pages of %d shows every guide, and every change made before its end',
      async (limit) => {
        const all = new Set((await walkGuias(merchant, { limit: '100' })).map(({ id }) => id as string));
        const seen: string[] = [];
        const changed: { id: string; actualizada_en: string }[] = [];
        let now = START + 1_000;
        // After each page, up to 40 times, changes a guide that was shown and one that was not.
        const between = async (page: any[]) => {
          seen.push(...page.map(({ id }) => id));
          if (changed.length >= 40) return;
          const ahead = [...all].find((id) => !seen.includes(id));
          for (const id of new Set([page[0].id as string, ahead ?? page.at(-1).id])) {
            await change(id, ++now);
            changed.push({ id, actualizada_en: iso(now) });
          }
        };
        const guias = await walkGuias(
          merchant,
          { actualizada_desde: iso(START), limit: String(limit) },
          between,
        );
        const keys = guias.map(keyOf);
        expect(keys.findIndex((key, i) => i > 0 && key <= keys[i - 1]!)).toBe(-1);
        expect(changed.length).toBeGreaterThanOrEqual(4);
        expect(new Set(guias.map(({ id }) => id))).toEqual(all);
        // If a guide changes again before it is shown, only its last change can be shown.
        const last = new Map(changed.map(({ id, actualizada_en }) => [id, actualizada_en]));
        for (const [id, actualizada_en] of last) expect(keys).toContain(`${actualizada_en} ${id}`);
      },
    );
  });

  describe('among thousands', () => {
    const COUNT = 9_000;
    let guias: any[];

    // They changed in another order than they were created. Every thousandth is lost and bears a warning; 99 that changed
    // one after another are returned.
    const large = opened(() => test.merchant());

    beforeAll(async () => {
      await seedGuias(test.database, large.id, {
        count: COUNT,
        at: `${START} + n`,
        changedAt: `${START} + (n * 3989 % ${COUNT}) / 3`,
        estado: `case when n % 1000 = 0 then 'extraviado' when n * 3989 % ${COUNT} between 7000 and 7099 then 'devuelto'
          else 'entregado' end`,
        confirmada: 'n % 1000 <> 0',
      });
      await test.database.query(
        `update guias set advertencias = '{cod_distinto}' where comercio_id = $1 and not direccion_confirmada`,
        [large.id],
      );
      guias = await walkGuias(large, { actualizada_desde: iso(0), limit: '100' });
      expect(guias).toHaveLength(COUNT);
    });

    it.each<[query: Record<string, string>, count: number]>([
      [{ estado: 'extraviado' }, 9],
      [{ estado: 'devuelto' }, 99],
      [{ estado: 'devuelto,extraviado' }, 108],
      [{ estado: 'entregado,extraviado', direccion_confirmada: 'false' }, 9],
      [{ direccion_confirmada: 'false' }, 9],
      [{ advertencia: 'cualquiera' }, 9],
      [{ advertencia: 'cod_distinto', estado: 'extraviado' }, 9],
      [{ hasta: iso(START + 9) }, 10],
      [{ desde: iso(START + 500), hasta: iso(START + 3_499) }, 3_000],
    ])('shows those that match %j, each once, in their order', async (query, count) => {
      const matches = ({ estado, direccion_confirmada, creada_en }: any) =>
        (query.estado?.split(',').includes(estado) ?? true) &&
        (query.direccion_confirmada ?? String(direccion_confirmada)) === String(direccion_confirmada) &&
        // Those whose address is not confirmed bear the one warning.
        (query.advertencia === undefined ||
          (query.advertencia !== 'mensaje_fallido' && !direccion_confirmada)) &&
        creada_en >= (query.desde ?? '') &&
        creada_en <= (query.hasta ?? '~');
      const expected = guias.filter(matches);
      expect(expected).toHaveLength(count);
      for (const limit of ['3', '100']) {
        if (count > 1_000 && limit === '3') continue;
        const shown = await walkGuias(large, { ...query, actualizada_desde: iso(0), limit });
        expect(shown).toEqual(expected);
      }
    });
  });
});
