import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import type { ConfirmarDto } from '../../src/confirmations/dto/confirmar.dto.js';
import { mintLink } from './recipient-link.js';
import { createTestApp, guiaBody } from './test-app.js';

const COMERCIO = 'Zapatería La Huella';
const GUIA = '483920175567';
export const CONTACTO = '+50255559876';
const MUNICIPIO = 'Quetzaltenango';

/** A link with coordinates, and one without. */
export const LINK = 'https://www.google.com/maps?q=14.834999,-91.518069';
export const LINK_WITHOUT_PLACE = 'https://www.google.com/maps/place/Iglesia';

const WHATSAPP = {
  ...{ MESSAGING_PROVIDER: 'whatsapp', WHATSAPP_TOKEN: 'x', WHATSAPP_PHONE_NUMBER_ID: '1' },
  ...{ WHATSAPP_APP_SECRET: 'x', WHATSAPP_VERIFY_TOKEN: 'x' },
};

export interface ConfirmationHarness {
  /** http://127.0.0.1:port */
  url: string;
  /** Sets the state of the guide and returns the path of a new link to it. */
  open(state?: 'open' | 'confirmed'): Promise<string>;
  /** What was confirmed, oldest first. */
  answers: ConfirmarDto[];
  close(): Promise<void>;
}

/** The whole service with one guide that waits for its recipient. */
export async function startConfirmationHarness(
  env: Record<string, string> = {},
): Promise<ConfirmationHarness> {
  const test = await createTestApp({ env: { ...WHATSAPP, ...env } });
  const { id: comercioId } = await test.app.get(MerchantsService).create(COMERCIO, 'GT', undefined, CONTACTO);
  const merchant = await test.keyOf(comercioId);
  const { body } = await merchant.post('/api/v1/guias', guiaBody({ municipio: MUNICIPIO }));
  const guiaId = body.id as string;
  await test.database.query('update guias set guia = $1 where id = $2', [GUIA, guiaId]);
  const confirmations = test.app.get(ConfirmationsService);
  const answers: ConfirmarDto[] = [];
  const confirm = confirmations.confirm.bind(confirmations);
  confirmations.confirm = async (link, answer) => {
    const guia = await confirm(link, answer);
    const { version: _, ...said } = answer;
    answers.push(said);
    return guia;
  };
  return {
    url: test.url,
    open: async (state = 'open') => {
      await test.database.query(
        `update guias set direccion_confirmada = $2, confirmada_en = case when $2 then now() end,
          destino_lat = case when $2 then 14.6 end, destino_lng = case when $2 then -90.5 end, destino_maps_url = null,
          advertencias = '{}'
         where id = $1`,
        [guiaId, state === 'confirmed'],
      );
      return mintLink(test, { comercioId, guiaId });
    },
    answers,
    close: () => test.close(),
  };
}
