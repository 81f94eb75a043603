import { randomUUID } from 'node:crypto';
import type { Answer, TestApp, TestOperator } from './test-app.js';

const OPERACIONES = '/api/v1/operaciones';

/** An event of a driver, without what each has. */
export type DriverEvent = Record<string, unknown>;

/** A driver with a link, as their phone uses it. */
export class Driver {
  private constructor(
    private readonly test: TestApp,
    private readonly operator: TestOperator,
    readonly id: string,
    readonly nombre: string,
    /** Path of the link. */
    public path: string,
  ) {}

  static async start(test: TestApp, operator: TestOperator, nombre = 'Marvin'): Promise<Driver> {
    const { piloto } = (await operator.post(`${OPERACIONES}/pilotos`, { nombre })).body;
    const driver = new Driver(test, operator, piloto.id, nombre, '');
    await driver.renew();
    return driver;
  }

  /** A new link; the one before ends. */
  async renew(): Promise<void> {
    const { enlace } = (await this.operator.post(`${OPERACIONES}/pilotos/${this.id}/enlace`)).body;
    this.path = new URL(enlace).pathname;
  }

  async assign(...guias: string[]): Promise<void> {
    await this.operator.post(`${OPERACIONES}/asignaciones`, { piloto: this.id, guias });
  }

  get(what: 'guias'): Promise<Answer> {
    return this.test.request(`${this.path}/${what}`);
  }

  post(what: 'eventos' | 'entendidos' | 'buscar' | 'tomar', body: unknown): Promise<Answer> {
    return this.test.request(`${this.path}/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** The results of these events, now unless they say otherwise. */
  async send(...eventos: DriverEvent[]): Promise<any[]> {
    const ocurrido_en = new Date().toISOString();
    const filled = eventos.map((evento) => ({
      ref: randomUUID(),
      ...(!evento.deshacer && { ocurrido_en }),
      ...evento,
    }));
    return (await this.post('eventos', { eventos: filled })).body.resultados;
  }
}
