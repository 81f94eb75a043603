import { Controller, Get, Header, Param, Post, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../auth/decorators.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { CurrentStaff, SentForm, StaffQuery, type Form } from '../current-staff.js';
import { back, type Back } from '../pages/back.js';
import { EndpointActionsService } from './endpoint-actions.service.js';
import { MerchantFileService } from './merchant-file.service.js';
import { renderMerchant } from './merchant-page.js';
import { renderReplay } from './replay-page.js';

const HTML = 'text/html; charset=utf-8';

/** The page of a merchant and what support does with its endpoints. */
@ApiExcludeController()
@Controller('admin/comercios/:comercio')
export class MerchantSupportController {
  constructor(
    private readonly files: MerchantFileService,
    private readonly actions: EndpointActionsService,
    private readonly audit: AuditService,
  ) {}

  @Get()
  @Public()
  @Header('Content-Type', HTML)
  async show(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @StaffQuery() { hecho }: Form,
  ): Promise<string> {
    const [file, outcome] = [await this.files.load(comercio), await this.audit.outcomeOf(hecho, user)];
    return renderMerchant({ user, outcome, ...file });
  }

  @Post('webhooks/:webhook/probar')
  @Public()
  @Redirect()
  async test(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() { clave }: Form,
  ): Promise<Back> {
    return toEndpoint(comercio, await this.actions.test({ user, clave }, comercio, webhook));
  }

  @Post('webhooks/:webhook/liberar')
  @Public()
  @Redirect()
  async release(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() { clave }: Form,
  ): Promise<Back> {
    return toEndpoint(comercio, await this.actions.release({ user, clave }, comercio, webhook));
  }

  @Get('webhooks/:webhook/reenviar')
  @Public()
  @Header('Content-Type', HTML)
  async showReplay(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
  ): Promise<string> {
    return renderReplay({ user, ...(await this.files.endpoint(comercio, webhook)) });
  }

  @Post('webhooks/:webhook/reenviar')
  @Public()
  @Redirect()
  async replay(
    @CurrentStaff() user: StaffUser,
    @Param('comercio') comercio: string,
    @Param('webhook') webhook: string,
    @SentForm() { clave, desde, hasta, cuales }: Form,
  ): Promise<Back> {
    const span = { desde, hasta, cuales };
    return toEndpoint(comercio, await this.actions.replay({ user, clave }, comercio, webhook, span));
  }
}

/** The merchant's page, at its top, where it says what came of the action. */
function toEndpoint(comercio: string, id: string): Back {
  return back(`/admin/comercios/${comercio}`, id);
}
