import { ClosingsService } from '../support/closing/closings.service.js';
import { runWithSupport } from './guia.commands.js';
import { findMerchantById, merchantJson } from './find-merchant.js';
import type { JsonOption } from './run-command.js';

/** `guias merchants close`: run again after an interruption, it goes on; a worker does so, too. */
export function closeMerchant(merchantId: string, options: JsonOption): Promise<void> {
  return runWithSupport(options, async ({ get }) => {
    const { id } = await findMerchantById(get, merchantId);
    const closings = get(ClosingsService);
    await closings.close(id, null);
    const cancelled = await closings.finish(id);
    const { siguen: going_on } = await closings.outlook(id);
    const merchant = await findMerchantById(get, id);
    return {
      json: { ...merchantJson(merchant), cancelled, going_on },
      text: `${id} is closed: ${cancelled} guides cancelled, ${going_on} go on; its data: merchants export ${id} FOLDER`,
    };
  });
}

export function reopenMerchant(merchantId: string, options: JsonOption): Promise<void> {
  return runWithSupport(options, async ({ get }) => {
    const { id } = await findMerchantById(get, merchantId);
    await get(ClosingsService).reopen(id);
    const merchant = await findMerchantById(get, id);
    return {
      json: merchantJson(merchant),
      text: `${id} is open: its keys write again; cancelled guides stay so, and its endpoints stay disabled until they are activated`,
    };
  });
}
