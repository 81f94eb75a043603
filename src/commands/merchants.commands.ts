import type { Command } from 'commander';
import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import type { Comercio } from '../auth/merchants/comercio.entity.js';
import { isCurrency } from '../auth/merchants/currency.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import { toEmail } from '../platform/validation/email.js';
import { toE164 } from '../platform/validation/phone.js';
import { findMerchantById, merchantJson } from './find-merchant.js';
import { jsonCommand, oneLine, run, UsageError, type JsonOption } from './run-command.js';

const CONTACT_PHONE = '--contact-phone <phone>';
const EMAIL = '--email <address>';
const DELIVERY_PIN = ['--delivery-pin', 'a delivery needs the PIN that the recipient is shown'] as const;
const NO_DELIVERY_PIN = ['--no-delivery-pin', 'a delivery needs no PIN'] as const;

export function addMerchantCommands(merchants: Command): void {
  jsonCommand(merchants.command('create').description('make a merchant'))
    .requiredOption('--name <name>', 'up to 120 characters')
    .option('--country <CC>', 'ISO 3166 country of its local phone numbers (default: DEFAULT_COUNTRY)')
    .option('--currency <CCC>', "ISO 4217 currency of its amounts (default: the country's)")
    .option(CONTACT_PHONE, 'where recipients reach it by WhatsApp; shown to them')
    .option(EMAIL, 'where it is written to, and signs in to the panel')
    .option(...DELIVERY_PIN)
    .option(...NO_DELIVERY_PIN)
    .action(
      (
        options: {
          name: string;
          country?: string;
          currency?: string;
          contactPhone?: string;
          email?: string;
          deliveryPin?: boolean;
        } & JsonOption,
      ) =>
        run(options, async ({ get, config }) => {
          const name = oneLine(options.name, '--name');
          const country = readCountry(options.country) ?? config.defaultCountry;
          const currency = readCurrency(options.currency);
          const contactPhone = readPhone(options.contactPhone, country);
          const merchant = await get(MerchantsService).create(
            name,
            country,
            currency,
            contactPhone,
            options.deliveryPin,
            readEmail(options.email),
          );
          return { json: merchantJson(merchant), text: merchantLine(merchant) };
        }),
    );

  jsonCommand(merchants.command('update <ID>').description('change a merchant, by merchant_id'))
    .option('--name <name>', 'up to 120 characters')
    .option(CONTACT_PHONE, 'where recipients reach it by WhatsApp; "" for nowhere')
    .option(EMAIL, 'where it is written to, and signs in to the panel; "" for nowhere')
    .option(...DELIVERY_PIN)
    .option(...NO_DELIVERY_PIN)
    .action(
      (
        id: string,
        options: { name?: string; contactPhone?: string; email?: string; deliveryPin?: boolean } & JsonOption,
      ) =>
        run(options, async ({ get }) => {
          const { name, contactPhone, email, deliveryPin } = options;
          if ([name, contactPhone, email, deliveryPin].every((given) => given === undefined))
            throw new UsageError('say what to change: --name, --contact-phone, --email, --delivery-pin');
          const merchant = await findMerchantById(get, id);
          const changed = await get(MerchantsService).update(id, {
            ...(deliveryPin !== undefined && { con_pin: deliveryPin }),
            ...(name !== undefined && { nombre: oneLine(name, '--name') }),
            ...(contactPhone !== undefined && { telefono_contacto: readPhone(contactPhone, merchant.pais) }),
            ...(email !== undefined && { correo: readEmail(email) }),
          });
          return { json: merchantJson(changed), text: merchantLine(changed) };
        }),
    );

  jsonCommand(
    merchants
      .command('close <ID>')
      .description('close a merchant: its keys only read, and what is not picked up yet is cancelled'),
  ).action(async (id: string, options: JsonOption) =>
    (await import('./closing.commands.js')).closeMerchant(id, options),
  );

  jsonCommand(
    merchants.command('reopen <ID>').description('open a closed merchant again; cancelled guides stay so'),
  ).action(async (id: string, options: JsonOption) =>
    (await import('./closing.commands.js')).reopenMerchant(id, options),
  );

  jsonCommand(
    merchants
      .command('export <ID> <FOLDER>')
      .description('write the guides, history and money of a merchant as CSV files'),
  ).action(async (id: string, folder: string, options: JsonOption) =>
    (await import('./export-merchant.command.js')).exportMerchant(id, folder, options),
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

const merchantLine = ({ id, nombre, pais, moneda, correo, cerrado_en }: Comercio) =>
  `${id}  ${pais}  ${moneda}  ${nombre}${correo === null ? '' : `  ${correo}`}${cerrado_en === null ? '' : `  closed ${cerrado_en.toISOString()}`}`;

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

/** E.164; null for none. @throws UsageError, which does not repeat the number. */
function readPhone(value: string | undefined, country: CountryCode): string | null {
  if (value === undefined || value.trim() === '') return null;
  const phone = toE164(value, country);
  if (phone === undefined)
    throw new UsageError('--contact-phone: is not a valid phone number; write it like +502 5555 1234');
  return phone;
}

/** Null for none. @throws UsageError, which does not repeat the address. */
function readEmail(value: string | undefined): string | null {
  if (value === undefined || value.trim() === '') return null;
  const address = toEmail(value);
  if (address === undefined)
    throw new UsageError('--email: is not a valid address; write it like tienda@example.com');
  return address;
}
