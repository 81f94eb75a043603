import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { toMerchant } from '../../../auth/merchants/to-merchant.js';
import type { Operador } from '../../../auth/operators/operador.entity.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import type { Owner } from '../../../auth/owner.js';
import type { Subject } from '../audit/audit.queries.js';

/** A merchant or an operator whose endpoints support looks after. */
export interface EndpointAccount {
  owner: Owner;
  nombre: string;
  /** Of its page, below which its endpoints have theirs. */
  path: string;
  /** IANA time zone of its times. */
  zone: string;
  /** As the audit log names it. */
  subject: Subject;
  /** Whether its deliveries are shown with the guide that they are about, whose page has the merchant's. */
  isMerchant: boolean;
}

export function accountOfMerchant(merchant: Comercio): EndpointAccount {
  return {
    owner: toMerchant(merchant),
    nombre: merchant.nombre,
    path: `/admin/comercios/${merchant.id}`,
    zone: timeZoneOf(merchant.pais),
    subject: { comercioId: merchant.id },
    isMerchant: true,
  };
}

/** @param zone of the installation. */
export function accountOfOperator({ id, nombre }: Operador, zone: string): EndpointAccount {
  const owner = { id, name: nombre, isTest: false };
  return {
    owner,
    nombre,
    path: `/admin/operadores/${id}`,
    zone,
    subject: { detalle: nombre },
    isMerchant: false,
  };
}
