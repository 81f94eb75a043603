import type { KeyWithMerchant } from '../../../auth/keys/api-keys.service.js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import type { Webhook } from '../../../webhooks/endpoints/webhook.entity.js';
import type { EndpointHealth } from './endpoint-health.queries.js';
import { renderMerchant } from './merchant-page.js';
import { MAX_PER_DAY } from './merchants.queries.js';

const AT = new Date('2026-11-21T15:04:05.123Z');
const FUTURE = new Date('2096-11-26T15:04:05.123Z');

const MERCHANT = {
  ...{ id: 'm', nombre: 'Zapatería', pais: 'GT', moneda: 'GTQ', creado_en: AT, telefono_contacto: null },
  ...{ cerrado_en: null, cerrado_por: null, cierre_hecho_en: null, cierre_visto_en: null },
} as Comercio;
const WEBHOOK = {
  ...{ id: 'w', comercio_id: 'm', url: 'https://tienda.example/avisos', activo: true, falla_desde: null },
  ...{ desactivado_en: null, desactivado_por: null, descripcion: null },
} as Webhook;
const HEALTH: EndpointHealth = {
  ...{ webhook_id: 'w', pendientes: 3, fallidas: 1_001, en: null, estado_http: null, error: null },
  ...{ respuesta: null, causa: null },
};
const KEY = {
  ...{ identificador: 'abcdefgh', comercio: MERCHANT, alcances: ['guias:leer'], etiqueta: null },
  ...{ creada_en: AT, expira_en: null, solape_hasta: null, revocada_en: null, ultimo_uso_en: null },
} as unknown as KeyWithMerchant;

interface Shown {
  webhook?: Partial<Webhook>;
  health?: Partial<EndpointHealth>;
  key?: Partial<KeyWithMerchant>;
  guias?: number[];
}

/** The text of the page, without tags. */
async function textOf({ webhook = {}, health = {}, key = {}, guias = [1] }: Shown): Promise<string> {
  const page = await renderMerchant({
    user: { name: 'ana', role: 'soporte' },
    outcome: undefined,
    merchant: MERCHANT,
    keys: [{ ...KEY, ...key }],
    endpoints: [{ webhook: { ...WEBHOOK, ...webhook }, health: { ...HEALTH, ...health } }],
    estados: [{ estado: 'aceptado', guias: 5_001, sin_confirmar: 7 }],
    ajustes: [],
    masAjustes: undefined,
    usage: guias.map((count, i) => ({ dia: `2026-11-2${i}`, guias: count })),
  });
  return page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe("an endpoint on its merchant's page", () => {
  it('labels the counts of deliveries', async () => {
    const text = await textOf({});
    expect(text).toContain('Avisos por enviar 3');
    expect(text).toContain('Avisos que fallaron más de 1,000');
  });

  it('is below the guides in each state, and those without a confirmed destination', async () => {
    expect(await textOf({})).toContain('7 sin confirmar');
    expect(await textOf({})).toMatch(/Por recoger\s+más de 5,000/);
  });

  it('says that an endpoint has not answered yet', async () => {
    expect(await textOf({})).toContain('Última respuesta ninguna a los últimos avisos');
    expect(await textOf({ health: { en: AT.toISOString(), estado_http: 200 } })).toContain('HTTP 200');
  });

  it('says until when it may fail, while it does', async () => {
    expect(await textOf({ webhook: { falla_desde: AT } })).toMatch(
      /si sigue fallando después del 26 nov 2026/,
    );
    expect(await textOf({})).not.toContain('si sigue fallando');
    expect(await textOf({ webhook: { falla_desde: AT, activo: false } })).not.toContain('si sigue fallando');
  });

  it('says why an endpoint fails or is disabled, and not why one that works failed before', async () => {
    const disabled = { activo: false, desactivado_en: AT, desactivado_por: 'cinco_dias_de_fallas' } as const;
    expect(await textOf({ webhook: disabled, health: { causa: 'Respondió 500.' } })).toContain(
      'Causa Respondió 500.',
    );
    expect(await textOf({ health: { causa: 'Respondió 500.' } })).not.toContain('Causa');
  });

  it('warns before it is enabled against the will of its merchant', async () => {
    const off = { activo: false, desactivado_en: AT };
    const warning = 'Lo desactivó el comercio';
    expect(await textOf({ webhook: { ...off, desactivado_por: 'comercio' } })).toContain(warning);
    expect(await textOf({ webhook: { ...off, desactivado_por: 'respuesta_410' } })).not.toContain(warning);
  });
});

describe("a key on its merchant's page", () => {
  it('says when it stops working, or stopped', async () => {
    expect(await textOf({})).toContain(' funciona ');
    expect(await textOf({ key: { expira_en: FUTURE } })).toContain('termina 26 nov 2096');
    expect(await textOf({ key: { expira_en: FUTURE, solape_hasta: AT } })).toContain('terminó 21 nov 2026');
    expect(await textOf({ key: { expira_en: FUTURE, revocada_en: AT } })).toContain('revocada 21 nov 2026');
  });
});

describe("guides per day on a merchant's page", () => {
  it('have a scale, and a total that is exact or says that it is more', async () => {
    expect(await textOf({ guias: [2, 7, 4] })).toMatch(/ 13 en 3 días; hoy 4\. .*el día de más guías, 7\./);
    expect(await textOf({ guias: [0, MAX_PER_DAY + 1, 4] })).toMatch(
      / más de 5,004 en 3 días; hoy 4\. .*el día de más guías, más de 5,000\./,
    );
  });
});
