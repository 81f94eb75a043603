import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { StaffPage } from './staff-page.js';
import type { AuditRow } from '../audit/audit.queries.js';
import { AuditTable } from './audit-table.js';

interface AuditPageProps {
  user: StaffUser;
  actions: AuditRow[];
  /** Where the next page begins; undefined on the last one. */
  next: string | undefined;
  zone: string;
}

export function renderAudit({ user, actions, next, zone }: AuditPageProps): Promise<string> {
  return renderInTurn(
    <StaffPage title="Auditoría" user={user} part="/admin/auditoria">
      <AuditTable actions={actions} zone={zone} />
      {next !== undefined && (
        <p>
          <a href={`/admin/auditoria?antes=${next}`}>Anteriores</a>
        </p>
      )}
    </StaffPage>,
  );
}
