import 'reflect-metadata';
import type { Merchant } from '../../auth/merchants/merchant.js';
import type { MerchantsService } from '../../auth/merchants/merchants.service.js';
import type { Operator } from '../../auth/operators/operator.js';
import { Secrets } from '../../platform/config/secrets.js';
import type { Database } from '../../platform/database/database.js';
import type { Reads } from '../../platform/database/replicas/reads.js';
import { toListFilter, type ListarGuiasDto } from '../../guias/dto/listar-guias.dto.js';
import type { TimelineService } from '../../guias/history/timeline.service.js';
import { GuiaListService } from '../../guias/list/guia-list.service.js';
import type { ListarGuiasDeOperacionesDto } from './guia-de-operaciones.dto.js';
import type { GuiaEditsService } from '../../guias/changes/guia-edits.service.js';
import type { LocationRequestsService } from '../../notifications/requests/location-requests.service.js';
import { OperatorGuiasService } from './operator-guias.service.js';

/** Cursors that were issued once. They do not expire, so they must be issued, and accepted, in the same form for ever. */

const OWNER = { id: 'aaaaaaaa-0000-7000-8000-000000000001', isTest: false } as Merchant & Operator;
const ROW = { id: '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', actualizada_en: '2026-11-21T15:04:05.123Z' };

const source = {
  rows: () => Promise.resolve([ROW, ROW]),
  query: () => Promise.resolve({ rows: [ROW, ROW] }),
} as unknown as Database & Reads;
const secrets = new Secrets('a secret for tests, thirty-two bytes or more');
const ofMerchant = new GuiaListService(source, source, secrets);
const ofOperator = new OperatorGuiasService(
  source,
  source,
  ofMerchant,
  {} as TimelineService,
  {} as GuiaEditsService,
  {} as LocationRequestsService,
  {} as MerchantsService,
);

const DATES: ListarGuiasDto = { desde: '2026-11-20', hasta: '2026-11-21' };
const ALL: ListarGuiasDto = {
  ...DATES,
  estado: 'recogido,aceptado',
  advertencia: 'mensaje_fallido',
  external_ref: 'pedido-1042',
  guia: '483920175567',
  telefono: '+50255551234',
  direccion_confirmada: 'false',
};
const CHANGED: ListarGuiasDto = { ...ALL, actualizada_desde: '2026-11-21' };
const OF_OPERATOR: ListarGuiasDeOperacionesDto = {
  comercio: '01a1fe09-0d14-7104-84ef-54713d38e9d6',
  departamento: 'Guatemala',
  municipio: 'Mixco',
};

describe('a cursor that was issued once', () => {
  it.each<[what: string, filters: ListarGuiasDto, cursor: string]>([
    ['no filter', {}, 'AaH-os8DfzqcRCuObw0aV2lP2GCerT5iUQolbdN3'],
    ['dates', DATES, 'AaH-os8DfzqcRCuObw0aV09X6Kif1XCZbX72cXX_'],
    ['all filters', ALL, 'AaH-os8DfzqcRCuObw0aVyX-8lvmVUSQCH6zKrEd'],
    ['all filters, by last change', CHANGED, 'AaH-os8DAaH-os8DfzqcRCuObw0aV4E9pCT-vitLZGYvtlW6'],
  ])("is issued and accepted by a merchant's list with %s", async (_, filters, cursor) => {
    const page = await ofMerchant.list(OWNER, toListFilter(filters), { limit: '1' });
    expect(page.siguiente_cursor).toBe(cursor);
    await expect(ofMerchant.list(OWNER, toListFilter(filters), { cursor })).resolves.toBeDefined();
  });

  it.each<[what: string, filters: ListarGuiasDeOperacionesDto, cursor: string]>([
    ['no filter', {}, 'AaH-os8DfzqcRCuObw0aV9lRBGZCBh408Jgz7ycr'],
    ['dates', { ...DATES, ...OF_OPERATOR }, 'AaH-os8DfzqcRCuObw0aVykfy4p1qiNG0vzpFuuO'],
    ['all filters', { ...ALL, ...OF_OPERATOR }, 'AaH-os8DfzqcRCuObw0aV9uR3xTXlSGdyV9hcXlN'],
    [
      'all filters, by last change',
      { ...CHANGED, ...OF_OPERATOR },
      'AaH-os8DAaH-os8DfzqcRCuObw0aV5_gJyjmDci2yoTRUYsn',
    ],
  ])("is issued and accepted by an operator's list with %s", async (_, filters, cursor) => {
    const page = await ofOperator.list(OWNER, { ...filters, limit: '1' });
    expect(page.siguiente_cursor).toBe(cursor);
    await expect(ofOperator.list(OWNER, { ...filters, cursor })).resolves.toBeDefined();
  });
});
