import { mayAct } from '../../../platform/config/board-users.js';
import type { StaffUser } from '../admin-access.js';

/** Our own stylesheet, below the board's path. */
export const STYLES_FILE = 'guias.css';

/**
 * Hides actions that the server refuses or support does not need: all buttons of a job or a list but "retry", which comes first
 * for a failed job; the menus and settings of a queue; the mark of a pause, which the board also shows for a second while a
 * job runs; and tabs that would push the failed jobs out of view.
 */
const STYLES = `
[class^='jobActions-'] > li:not(:first-child:has(.lucide-refresh-cw)),
[class^='queueActions-'] > li:not(:first-child:has(.lucide-refresh-cw)),
button[aria-haspopup='menu']:has(.lucide-ellipsis-vertical),
[class^='infoButton-'],
button:has(.lucide-gauge),
[class^='appVersion-'],
[class^='statusTabs-'] > li:is([class^='waitingChildren-'], [class^='prioritized-']) {
  display: none !important;
}
[class^='externalLink-'] {
  text-decoration: underline !important;
  order: -1;
}
.to-support {
  position: fixed;
  right: 1rem;
  bottom: 1rem;
  z-index: 10;
  padding: .5rem 1rem;
  border-radius: .375rem;
  background: #0b6655;
  color: #fff !important;
}
.outage {
  position: fixed;
  inset: auto 0 0;
  z-index: 9;
  padding: .5rem 11rem .5rem 1rem;
  background: #8a1f14;
  color: #fff;
}
.outage a {
  color: inherit !important;
}
.outage.good {
  background: #1a5128;
}
[class^='jobId-'] {
  font-size: .75rem !important;
  font-weight: 400 !important;
}
`;

/** For users who may only look: no button that changes anything. */
const LOOKING_ONLY = `
button:has(.lucide-refresh-cw) {
  display: none !important;
}
`;

export function stylesFor(user: StaffUser | undefined): string {
  return user === undefined || mayAct(user, 'soporte') ? STYLES : STYLES + LOOKING_ONLY;
}

const FONTS = /<link href="https:[^"]*" rel="stylesheet">/;

/** Leads from the board to the console. */
const WAY_BACK = '<a class="to-support" href="/admin">Soporte: hoy</a>';

/** The board's page in Spanish, with our styles, the way to the console, and without files from other hosts. */
export function customisePage(html: string): string {
  return html
    .replace(FONTS, '')
    .replace('<html lang="en"', '<html lang="es"')
    .replace('</head>', `<link href="${STYLES_FILE}" rel="stylesheet"></head>`)
    .replace('</body>', `${WAY_BACK}</body>`);
}
