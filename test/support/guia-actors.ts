import { nextEstados, type GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { COD } from './life-model.js';
import { Lives } from './lives.js';
import { mintLink } from './recipient-link.js';
import {
  client,
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestAppOptions,
  type TestOperator,
} from './test-app.js';

const GUIAS = '/api/v1/guias';

/** A request of one actor. */
export type Action =
  | {
      do: 'move';
      /** A state, or the index of one that is legal from the state just read. */
      to: GuiaEstado | number;
      ref?: string;
      isLate?: boolean;
      cod_cobrado?: number;
    }
  | { do: 'batch'; tos: GuiaEstado[]; ref?: string }
  | { do: 'cancel' }
  | { do: 'patch'; what: 'notas' | 'telefono' | 'place'; hasTag: boolean }
  | { do: 'confirm' };

/** An action and its outcome; each event of a batch has one of its own. */
export interface Done {
  action: Action;
  /** The index of the operator who moved the guide. */
  operator: number;
  status: number;
  body: any;
}

/** A guide and a link that its recipient may answer. */
interface ActedGuia {
  id: string;
  path: string;
  link: string;
}

/** Everyone who may change a guide, over two processes. */
export class GuiaActors {
  private counter = 0;

  private constructor(
    readonly test: TestApp,
    private readonly second: TestApp,
    readonly lives: Lives,
    private readonly operators: TestOperator[],
  ) {}

  static async start(): Promise<GuiaActors> {
    // Without workers: nothing but the actors changes a guide.
    const options: TestAppOptions = { env: { TRUST_PROXY: '1' } };
    const test = await createTestApp(options);
    const second = await createTestApp({ ...options, database: test.database });
    const lives = new Lives(test, await test.merchant());
    const operators = [await test.operator('Una'), await test.operator('Otra')];
    return new GuiaActors(test, second, lives, operators);
  }

  async close(): Promise<void> {
    await this.second.close();
    await this.test.close();
  }

  /** A new guide that has moved through these states. */
  async create(through: GuiaEstado[] = []): Promise<ActedGuia> {
    const { body } = await this.lives.merchant.post(GUIAS, guiaBody({ cod_amount: COD }));
    const id = body.id as string;
    for (const estado of through) expect((await this.operators[0]!.move(id, { estado })).status).toBe(201);
    const link = await mintLink(this.test, { comercioId: this.lives.merchant.id, guiaId: id });
    return { id, path: `${GUIAS}/${id}`, link };
  }

  /** @param actor an index: decides the process that is asked, and the operator who moves. */
  async perform(actor: number, action: Action, guia: ActedGuia): Promise<Done[]> {
    const door = actor % 2 ? this.second : this.test;
    const operator = (actor >> 1) % 2;
    const merchant = client(door.request, this.lives.merchant.key);
    const mover = client(door.request, this.operators[operator]!.key);
    const done = ({ status, body }: Pick<Answer, 'status' | 'body'>): Done[] => [
      { action, operator, status, body },
    ];
    const n = ++this.counter;
    switch (action.do) {
      case 'move': {
        const { to, ref, isLate, cod_cobrado } = action;
        const estado = typeof to === 'string' ? to : await this.legalState(merchant, guia, to);
        const body = {
          ...{ estado, ref },
          ...(isLate && { ocurrido_en: '2020-01-01T00:00:00Z' }),
          ...(estado === 'entregado' && { cod_cobrado }),
          ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
        };
        return done(await mover.post(`/api/v1/operaciones/guias/${guia.id}/eventos`, body));
      }
      case 'batch': {
        const eventos = action.tos.map((estado) => ({
          ...{ guia: guia.id, estado, ref: action.ref },
          ...(estado === 'entregado' && { cod_cobrado: COD }),
          ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
        }));
        const answer = await mover.post('/api/v1/operaciones/eventos', { eventos });
        expect(answer.status).toBe(200);
        return answer.body.resultados.flatMap((body: any) =>
          done({ body, status: body.ok ? (body.duplicado ? 200 : 201) : body.status }),
        );
      }
      case 'cancel':
        return done(await merchant.post(`${guia.path}/cancelar`));
      case 'patch': {
        const body = {
          notas: { notas: `nota ${n}` },
          telefono: { telefono: `+5024${String(n).padStart(7, '0')}` },
          place: newPlace(n),
        }[action.what];
        const etag = action.hasTag ? (await merchant.get(guia.path)).headers.get('etag')! : undefined;
        return done(await merchant.patch(guia.path, body, etag === undefined ? {} : { 'if-match': etag }));
      }
      case 'confirm': {
        // Each answer from an address of its own: one address may not send so many.
        const headers = {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
        };
        const body = JSON.stringify(newPlace(n));
        return done(await door.request(guia.link, { method: 'POST', headers, body }));
      }
    }
  }

  private async legalState(
    merchant: ReturnType<typeof client>,
    { path }: ActedGuia,
    index: number,
  ): Promise<GuiaEstado> {
    const { estado } = (await merchant.get(path)).body.guia as { estado: GuiaEstado };
    const next = nextEstados(estado);
    return next[index % next.length] ?? estado;
  }
}

/** A place that no guide had before. */
const newPlace = (n: number) => ({ lat: 14 + n / 1e6, lng: -90.5 });
