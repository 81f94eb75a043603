import { mayAct } from '../../../platform/config/board-users.js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import type { Outcome } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import type { OperatorOverview, SentOfAccount } from './accounts.service.js';
import { EndpointBox } from './endpoint-box.js';
import { KeysBox, NewKeyNotes } from './keys-box.js';

interface OperatorPageProps extends OperatorOverview {
  user: StaffUser;
  outcome: Outcome | undefined;
  sent: SentOfAccount | undefined;
}

export function renderOperator(props: OperatorPageProps): Promise<string> {
  const { user, outcome, sent, account, keys, endpoints } = props;
  const { nombre, path, zone } = account;
  return renderInTurn(
    <StaffPage title={nombre} user={user} part="/admin/operadores" outcome={outcome}>
      {sent?.newKey && <NewKeyNotes newKey={sent.newKey} zone={zone} isMerchant={false} />}
      <KeysBox
        keys={keys}
        zone={zone}
        path={mayAct(user, 'admin') ? path : undefined}
        typed={sent?.form === 'clave' ? sent.done.typed : undefined}
      />
      <EndpointBox account={account} endpoints={endpoints} canAct={mayAct(user, 'soporte')} />
    </StaffPage>,
  );
}
