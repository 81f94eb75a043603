import { guiaBody, type TestApp, type TestMerchant } from './test-app.js';

/** A guide with every text that a label shows, by the names of a create. */
export const USUAL = {
  external_ref: 'pedido-1042',
  nombre: 'Ana Lucía Ñáñez Güell',
  telefono: '+50255551234',
  departamento: 'Sacatepéquez',
  municipio: 'Antigua Guatemala',
  direccion: '12 calle 3-45, zona 4, ¿portón negro?',
  referencia: 'Frente a «La Bendición»\na la par de la pila',
  contenido: '2 camisas ^XZ ~JA _5E',
  notas: 'Llamar antes. 📦',
  cod_amount: 349.5,
};

/** The destination of guides that have one. */
export const DESTINO = { lat: 14.6407, lng: -90.5133 };

/** The size of each page of a PDF in points, as `612 792`. */
export const pagesOf = (pdf: Buffer | string): string[] =>
  [...pdf.toString('latin1').matchAll(/\/MediaBox \[0 0 ([\d. ]+)\]/g)].map(([, size]) => size!);

/** A guide that was created. */
export interface Made {
  id: string;
  guia: string;
  hasDestino: boolean;
}

/** The labels of a merchant's guides, over HTTP. */
export class Labels {
  constructor(
    private readonly test: TestApp,
    private readonly merchant: TestMerchant,
  ) {}

  async make(over: Record<string, unknown>, of = this.merchant): Promise<Made> {
    const { status, body } = await of.post('/api/v1/guias', guiaBody(over));
    expect({ status, body }).toMatchObject({ status: 201 });
    return { ...body, hasDestino: over.lat !== undefined };
  }

  /** A document and its headers. */
  async fetch(
    path: string,
    body?: unknown,
    { key }: Pick<TestMerchant, 'key'> = this.merchant,
  ): Promise<{ bytes: Buffer; headers: Headers }> {
    const response = await fetch(this.test.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status !== 200) throw new Error(`${response.status}: ${bytes.toString()}`);
    return { bytes, headers: response.headers };
  }

  /** @param query with its `?`. */
  async of({ id }: Made, query = '', by = this.merchant): Promise<Buffer> {
    return (await this.fetch(`/api/v1/guias/${id}/etiqueta${query}`, undefined, by)).bytes;
  }

  async ofMany(body: Record<string, unknown>): Promise<Buffer> {
    return (await this.fetch('/api/v1/etiquetas', body)).bytes;
  }
}
