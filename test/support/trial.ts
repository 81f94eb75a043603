import { eventually } from './eventually.js';
import { guiaBody, type Answer, type TestApp, type TestMerchant } from './test-app.js';

const GUIAS = '/api/v1/guias';
const PLACE = { lat: 14.6407, lng: -90.5133 };

interface MadeGuia {
  id: string;
  guia: string;
}

/** A merchant's test guides, and the simulated courier who walks them through scripts. */
export class Trial {
  constructor(
    readonly test: TestApp,
    readonly tester: TestMerchant,
  ) {}

  async create(over: Record<string, unknown> = {}): Promise<MadeGuia> {
    const { status, body } = await this.tester.post(GUIAS, guiaBody({ ...PLACE, ...over }));
    expect(status).toBe(201);
    return body;
  }

  simulate({ id }: MadeGuia, guion: string, cada_segundos = 0): Promise<Answer> {
    return this.tester.post(`/api/v1/pruebas/guias/${id}/simular`, { guion, cada_segundos });
  }

  async simulation({ guia }: MadeGuia): Promise<any> {
    return (await this.tester.get(`/api/v1/pruebas/guias/${guia}/simulacion`)).body.simulacion;
  }

  /** The simulation of a guide, once it is in this state. */
  reached(guia: MadeGuia, estado: string): Promise<any> {
    return eventually(async () => {
      const simulacion = await this.simulation(guia);
      expect(simulacion.estado).toBe(estado);
      return simulacion;
    });
  }

  move({ id }: MadeGuia, body: object): Promise<Answer> {
    return this.tester.post(`/api/v1/pruebas/guias/${id}/estado`, body);
  }

  /** What happened to a guide, in order: its states, and other events by their type. */
  async history({ id }: MadeGuia): Promise<string[]> {
    const { eventos } = (await this.tester.get(`${GUIAS}/${id}/eventos?limit=100`)).body;
    return eventos.map(({ tipo, estado }: { tipo: string; estado: string | null }) =>
      tipo === 'guia.estado_cambiado' ? estado : tipo,
    );
  }

  async detail({ id }: MadeGuia): Promise<any> {
    return (await this.tester.get(`${GUIAS}/${id}`)).body.guia;
  }
}
