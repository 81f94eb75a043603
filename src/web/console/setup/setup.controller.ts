import { Controller } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SentForm, type Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { CurrentVisitor, Page, PageForm } from '../../kit/page-routes.js';
import { renderSetup } from './setup-page.js';
import { SetupService } from './setup.service.js';

@ApiExcludeController()
@Controller('admin/puesta-en-marcha')
export class SetupController {
  constructor(private readonly setup: SetupService) {}

  @Page({ who: 'staff', need: 'admin' })
  async show(@CurrentVisitor() user: StaffUser): Promise<string> {
    return renderSetup({ user, ...(await this.setup.load()) });
  }

  @PageForm({ path: 'mensaje', who: 'staff', need: 'admin' })
  async sendSample(@SentForm() form: Sent<StaffUser>): Promise<string> {
    const sent = await this.setup.sendSample(form);
    return renderSetup({ user: form.by, ...(await this.setup.load()), sent });
  }
}
