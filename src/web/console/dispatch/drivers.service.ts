import { Injectable } from '@nestjs/common';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { correction, generate, type Bitmap2D } from 'lean-qr';
import { Config } from '../../../platform/config/env.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { money } from '../../../guias/guia/local-format.js';
import { MoverSaldoDto } from '../../../pilotos/caja/saldo.dto.js';
import { SaldoService } from '../../../pilotos/caja/saldo.service.js';
import { CrearPilotoDto, EditarPilotoDto, type PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import { HacerEnlaceDto, LINK_H } from '../../../pilotos/enlace/enlace.dto.js';
import { PilotosService } from '../../../pilotos/pilotos.service.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import type { Balance } from './driver-balance.js';

const PAGE = '50';

/** A driver's new link, shown once. */
export interface NewLink {
  enlace: string;
  vence_en: string;
  qr: Bitmap2D;
}

/** Drivers as the dispatcher sets them up, by the service of operators' requests. */
@Injectable()
export class DriversService {
  constructor(
    private readonly pilotos: PilotosService,
    private readonly saldo: SaldoService,
    private readonly operators: OperatorsService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** A driver, and a page of their balance. @throws AppError `no_encontrado`, `cursor_invalido` */
  async load(id: string, cursor?: string): Promise<{ driver: PilotoDto; balance: Balance }> {
    const driver = await this.pilotos.find(id);
    const operator = await this.operators.console();
    const [saldo, page] = await Promise.all([
      this.saldo.of(id, false),
      this.saldo.list(operator, id, { limit: PAGE, ...(cursor !== undefined && { cursor }) }),
    ]);
    return { driver, balance: { saldo, ...page } };
  }

  /** Writes down what changes a driver's balance. */
  async move(form: Sent<StaffUser>, id: string): Promise<Done<undefined>> {
    const { nombre } = await this.pilotos.find(id);
    return this.audit.perform(form, 'mover_saldo', detailOf(nombre), async () => {
      const { fields } = form;
      const dto = readInput(MoverSaldoDto, { ...fields, monto: typedAmount(fields.monto) }, {});
      const { movimiento } = await this.saldo.move(await this.operators.console(), id, {
        ...dto,
        ref: form.clave!,
      });
      const amount = money(String(movimiento.monto), movimiento.moneda, this.config.defaultCountry);
      return `Quedó anotado en el saldo de ${nombre}: ${amount}, ${movimiento.motivo}.`;
    });
  }

  async create(form: Sent<StaffUser>): Promise<Done<PilotoDto>> {
    return this.audit.perform(form, 'crear_piloto', detailOf(form.fields.nombre), async () => {
      const dto = readInput(CrearPilotoDto, form.fields, { defaultCountry: this.config.defaultCountry });
      const { id } = await this.operators.console();
      const { piloto } = await this.pilotos.create(id, { ...dto, ref: form.clave! });
      return [piloto, `Se creó a ${piloto.nombre}. Dele ahora su enlace.`];
    });
  }

  async update(form: Sent<StaffUser>, id: string): Promise<Done<PilotoDto>> {
    const { nombre } = await this.pilotos.find(id);
    return this.audit.perform(form, 'cambiar_piloto', detailOf(nombre), async () => {
      const telefono = form.fields.telefono?.trim() === '' ? null : form.fields.telefono;
      const fields = { ...form.fields, telefono } as Form;
      const dto = readInput(EditarPilotoDto, fields, { defaultCountry: this.config.defaultCountry });
      return [await this.pilotos.update(id, dto), 'Se guardaron los cambios.'];
    });
  }

  /** An inactive driver gets no guides, and the link ends. */
  async activate(form: Sent<StaffUser>, id: string, activo: boolean): Promise<Done<PilotoDto>> {
    const { nombre } = await this.pilotos.find(id);
    return this.audit.perform(form, 'cambiar_piloto', detailOf(nombre), async () => {
      const piloto = await this.pilotos.update(id, { activo });
      const said = activo
        ? `${nombre} está activo. Dele un enlace nuevo.`
        : `${nombre} está inactivo: su enlace deja de servir en 5 segundos.`;
      return [piloto, said];
    });
  }

  async link(form: Sent<StaffUser>, id: string): Promise<Done<NewLink>> {
    const { nombre } = await this.pilotos.find(id);
    return this.audit.perform(form, 'hacer_enlace', detailOf(nombre), async () => {
      const horas = Number(form.fields.horas ?? LINK_H);
      const link = await this.pilotos.link(id, readInput(HacerEnlaceDto, { horas }, {}));
      const qr = generate(link.enlace, { minCorrectionLevel: correction.M });
      return [{ ...link, qr }, `El enlace de ${nombre} está listo. Si tenía otro, ya no sirve.`];
    });
  }
}

const detailOf = (nombre: string | undefined) => {
  const detalle = nombre?.trim().slice(0, 120);
  return detalle ? { detalle } : {};
};
