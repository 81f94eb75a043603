import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { guiaBody, type TestApp, type TestMerchant } from './test-app.js';

const GUIAS = '/api/v1/guias';

/** A destination; the recipient of a guide created with it is not asked. */
export const PLACE = { lat: 14.6407, lng: -90.5133 };

/** Creates and reads the guides of one merchant. */
export class Lives {
  constructor(
    readonly test: Pick<TestApp, 'database'>,
    readonly merchant: TestMerchant,
  ) {}

  /** Creates a guide with a known destination, unless `over` says otherwise. */
  async create(over: Record<string, unknown> = {}): Promise<{ id: string; guia: string }> {
    const answer = await this.merchant.post(GUIAS, guiaBody({ ...PLACE, ...over }));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return { id: answer.body.id, guia: answer.body.guia };
  }

  /** Creates a guide and sets its state, without any event. */
  async in(estado: GuiaEstado, over: Record<string, unknown> = {}): Promise<{ id: string; guia: string }> {
    const guia = await this.create(over);
    await this.test.database.query('update guias set estado = $2 where id = $1', [guia.id, estado]);
    return guia;
  }

  /** The guide and its ETag, as its merchant sees them. */
  async read({ id }: { id: string }): Promise<{ guia: any; etag: string }> {
    const { body, headers } = await this.merchant.get(`${GUIAS}/${id}`);
    return { guia: body.guia, etag: headers.get('etag')! };
  }

  /** The whole history, as its merchant sees it. */
  async events({ id }: { id: string }): Promise<any[]> {
    const events: any[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { body } = await this.merchant.get(
        `${GUIAS}/${id}/eventos?limit=100${after && `&cursor=${after}`}`,
      );
      events.push(...body.eventos);
      after = body.siguiente_cursor as string | null;
    }
    return events;
  }

  /** All stored about a guide, to compare before and after. */
  async stored({ id }: { id: string }): Promise<unknown> {
    const [row] = await this.test.database.query(
      `select to_jsonb(g) as guia, (select jsonb_agg(to_jsonb(e) order by secuencia)
        from eventos e where e.guia_id = g.id) as eventos from guias g where id = $1`,
      [id],
    );
    return row;
  }
}
