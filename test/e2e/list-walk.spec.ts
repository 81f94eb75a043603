import { eventually } from '../support/eventually.js';
import { seedGuias } from '../support/guias-seed.js';
import { propertyRuns } from '../support/property-runs.js';
import { guiaBody, type TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const OLDER = propertyRuns(500);
const WRITERS = 4;

describe('a walk through GET /api/v1/guias while guides are created', () => {
  const test = useSharedApp();

  /** A merchant with `OLDER` guides up to this moment, 60 of them in each millisecond, 1 in 4 `recogido`. */
  const merchantWithGuides = async () => {
    const merchant = await test.merchant();
    const at = `${Date.now()} - n / 60`;
    const estado = `case when n % 4 = 0 then 'recogido' else 'aceptado' end`;
    await seedGuias(test.database, merchant.id, { count: OLDER, at, estado });
    return merchant;
  };

  const idsOf = async (merchant: TestMerchant, estado: string) => {
    const text = 'select id from guias where comercio_id = $1 and estado like $2';
    const rows = await test.database.query<{ id: string }>(text, [merchant.id, estado]);
    return rows.map(({ id }) => id).sort();
  };

  /** All guides of a walk with limits from 1 to 100, while `WRITERS` callers create guides. */
  const walkDuringWrites = async (merchant: TestMerchant, filter: string) => {
    let isWalking = true;
    let made = 0;
    const write = async () => {
      for (; isWalking; made++) {
        const { status } = await merchant.post(GUIAS, guiaBody());
        expect(status).toBe(201);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, write));
    writing.catch(() => undefined);
    const guias: { id: string; creada_en: string; estado: string }[] = [];
    try {
      let cursor: string | null = '';
      for (let page = 0; cursor !== null; page++) {
        const limit = 1 + ((page * 37) % 100);
        const { status, body } = await merchant.get(
          `${GUIAS}?limit=${limit}${filter}${cursor && `&cursor=${cursor}`}`,
        );
        expect(status).toBe(200);
        if (body.siguiente_cursor !== null) expect(body.guias).toHaveLength(limit);
        expect(guias.push(...body.guias)).toBeLessThan(3 * OLDER);
        cursor = body.siguiente_cursor;
        // The rest of the walk sees a list that has changed.
        if (page === 0) await eventually(() => expect(made).toBeGreaterThan(WRITERS));
      }
    } finally {
      isWalking = false;
    }
    await writing;
    return guias;
  };

  const expectDescending = (guias: { id: string; creada_en: string }[]) => {
    const keys = guias.map(({ id, creada_en }) => `${creada_en} ${id}`);
    expect(keys.findIndex((key, i) => i > 0 && key >= keys[i - 1]!)).toBe(-1);
  };

  it('shows each older guide exactly once, in strictly descending order', async () => {
    const merchant = await merchantWithGuides();
    const older = await idsOf(merchant, '%');
    const guias = await walkDuringWrites(merchant, '');
    expect(older).toHaveLength(OLDER);
    expectDescending(guias);
    const known = new Set(older);
    expect(
      guias
        .map(({ id }) => id)
        .filter((id) => known.has(id))
        .sort(),
    ).toEqual(older);
  });

  it('shows each guide that still matches while others stop matching', async () => {
    const merchant = await merchantWithGuides();
    const [first] = [await merchant.get(`${GUIAS}?estado=recogido&limit=100`)];
    const seen: string[] = first.body.guias.map(({ id }: any) => id);
    // Every second guide leaves, those already shown among them.
    const left = await test.database.query<{ id: string }>(
      `update guias set estado = 'en_ruta' where comercio_id = $1 and estado = 'recogido'
         and get_byte(uuid_send(id), 15) % 2 = 0 returning id`,
      [merchant.id],
    );
    expect(left.length).toBeGreaterThan(30);
    for (let cursor = first.body.siguiente_cursor; cursor !== null;) {
      const { body } = await merchant.get(`${GUIAS}?estado=recogido&limit=100&cursor=${cursor}`);
      expect(seen.push(...body.guias.map(({ id }: any) => id))).toBeLessThan(2 * OLDER);
      cursor = body.siguiente_cursor;
    }
    const stayed = await idsOf(merchant, 'recogido');
    expect(new Set(seen).size).toBe(seen.length);
    expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
  });
});
