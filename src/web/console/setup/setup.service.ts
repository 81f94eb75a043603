import { Injectable } from '@nestjs/common';
import { DEMO_MERCHANT } from '../../../auth/demo-merchant.js';
import { Config } from '../../../platform/config/env.js';
import { isOnLocalhost } from '../../../platform/config/going-live.js';
import type { ProviderName } from '../../../platform/config/messaging-providers.js';
import { TrackingLinksService } from '../../../guias/tracking/tracking-links.service.js';
import { SendError } from '../../../notifications/providers/messaging-provider.js';
import { SampleMessageService } from '../../../notifications/sending/sample-message.service.js';
import { PhoneField } from '../../../platform/validation/fields.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { MerchantAccount } from '../accounts/accounts.queries.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';

class MensajeDePruebaForm {
  @PhoneField({ required: true, description: 'A dónde llega.' })
  telefono: string;
}

/** The state of the set-up: the environment's part is shown, and changed there alone. */
export interface Setup {
  /** The first ones; the demo's is none. */
  merchants: MerchantAccount[];
  provider: ProviderName;
  /** The providers whose variables are all set. */
  ready: readonly ProviderName[];
  /** Origin of recipients' links. */
  origin: string;
  isPublic: boolean;
  isEmbedded: boolean;
}

@Injectable()
export class SetupService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly samples: SampleMessageService,
    private readonly audit: AuditService,
    private readonly links: TrackingLinksService,
    private readonly config: Config,
  ) {}

  async load(): Promise<Setup> {
    const { accounts } = await this.accounts.listMerchants('', 1);
    const { messagingProvider, messagingWebhook, whatsapp, databaseUrl } = this.config;
    const origin = this.links.origin();
    return {
      merchants: accounts.filter(({ nombre }) => nombre !== DEMO_MERCHANT),
      provider: messagingProvider,
      ready: [
        'sandbox',
        ...(messagingWebhook ? ['webhook' as const] : []),
        ...(whatsapp ? ['whatsapp' as const] : []),
      ],
      origin,
      isPublic: !isOnLocalhost(origin),
      isEmbedded: databaseUrl === undefined,
    };
  }

  /** Sends a message to a phone of the staff's own; its answer says what the provider said. */
  sendSample(form: Sent<StaffUser>): Promise<Done<undefined>> {
    return this.audit.perform(form, 'probar_mensaje', {}, async () => {
      const { defaultCountry: country, messagingProvider } = this.config;
      const { telefono } = readInput(MensajeDePruebaForm, form.fields, { country });
      if (messagingProvider === 'sandbox')
        return { failed: 'No salió: con MESSAGING_PROVIDER=sandbox los mensajes se guardan.' };
      try {
        await this.samples.send(telefono);
      } catch (error) {
        if (!(error instanceof SendError)) throw error;
        const { message, answer } = error;
        return { failed: answer === null ? message : `${message} Respondió: «${answer}».` };
      }
      return `Salió un mensaje al número terminado en ${telefono.slice(-2)}. Ábralo en su teléfono.`;
    });
  }
}
