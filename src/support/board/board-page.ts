/** Our own stylesheet, below the board's path. */
export const STYLES_FILE = 'guias.css';

/**
 * Hides the buttons of what would be refused: of those beside a job or a list only "retry" remains, where it
 * comes first: that is where the job failed. The menus and the settings of a queue have nothing else that
 * support needs, a queue's pause is not theirs to end (and every job that runs looks like one for a second), and of
 * the tabs the failed one must be in sight.
 */
export const STYLES = `
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
}
`;

const FONTS = /<link\s[^>]*fonts\.googleapis\.com[^>]*>/;

/** The board's page without what it would load from elsewhere, in our language and with our styles. */
export function ownPage(html: string): string {
  return html
    .replace(FONTS, '')
    .replace('<html lang="en"', '<html lang="es"')
    .replace('</head>', `<link href="${STYLES_FILE}" rel="stylesheet"></head>`);
}
