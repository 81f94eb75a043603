import type { Command } from 'commander';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import type { Comercio } from '../auth/merchants/comercio.entity.js';
import { isCurrency } from '../auth/merchants/currency.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import { jsonCommand, oneLine, run, UsageError, type JsonOption } from './run-command.js';

/** `guias merchants …` */
export function addMerchantCommands(merchants: Command): void {
  jsonCommand(merchants.command('create').description('make a merchant'))
    .requiredOption('--name <name>', 'up to 120 characters')
    .option('--country <CC>', 'ISO 3166 country of its local phone numbers (default: DEFAULT_COUNTRY)')
    .option('--currency <CCC>', "ISO 4217 currency of its amounts (default: the country's)")
    .action((options: { name: string; country?: string; currency?: string } & JsonOption) =>
      run(options, async ({ get, config }) => {
        const name = oneLine(options.name, '--name');
        const pais = readCountry(options.country) ?? config.defaultCountry;
        const merchant = await get(MerchantsService).create(name, pais, readCurrency(options.currency));
        return { json: merchantJson(merchant), text: merchantLine(merchant) };
      }),
    );

  jsonCommand(merchants.command('list').description('list merchants, oldest first')).action(
    (options: JsonOption) =>
      run(options, async ({ get }) => {
        const all = await get(MerchantsService).list();
        return {
          json: { merchants: all.map(merchantJson) },
          text: all.map(merchantLine).join('\n') || 'no merchants yet',
        };
      }),
  );
}

const merchantJson = ({ id, nombre, pais, moneda }: Comercio) => ({
  ...{ merchant_id: id, name: nombre },
  ...{ country: pais, currency: moneda },
});
const merchantLine = ({ id, nombre, pais, moneda }: Comercio) => `${id}  ${pais}  ${moneda}  ${nombre}`;

function readCountry(value: string | undefined): CountryCode | undefined {
  if (value === undefined) return undefined;
  const code = value.toUpperCase();
  if (!isSupportedCountry(code))
    throw new UsageError(`--country: ${value} is no ISO 3166 country code; write it like GT`);
  return code;
}

function readCurrency(value: string | undefined): string | undefined {
  const code = value?.toUpperCase();
  if (code !== undefined && !isCurrency(code))
    throw new UsageError(`--currency: ${value} is no ISO 4217 currency code; write it like GTQ`);
  return code;
}
