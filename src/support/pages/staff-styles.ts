import { hash } from 'node:crypto';

/** The stylesheet of support's pages. */
export const STAFF_STYLES = `
:root { --ink:#1c2421; --soft:#55605b; --line:#d9ded9; --page:#fff; --panel:#f4f7f5; --link:#0b6655; --accent:#0b6655; --on-accent:#fff;
  --good:#0b6655; --good-bg:#e2f3ee; --bad:#a3211b; --bad-bg:#fdeceb; --wait:#7a4d00; --wait-bg:#fdf2dc; }
@media (prefers-color-scheme: dark) { :root { --ink:#e8ece9; --soft:#a3aea8; --line:#37403c; --page:#121614; --panel:#1b211e; --link:#6fd3bd; --accent:#6fd3bd; --on-accent:#0c1f1a;
  --good:#7fdcc6; --good-bg:#12312a; --bad:#ff9d96; --bad-bg:#3a1917; --wait:#f2c46d; --wait-bg:#33270f; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--page); }
a { color: var(--link); }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
header > div, main { max-width: 72rem; margin: 0 auto; padding: .75rem 1rem; }
header > div { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a { padding: .25rem 0; text-decoration: none; border-bottom: 2px solid transparent; }
nav a[aria-current] { font-weight: 600; color: var(--ink); border-color: var(--accent); }
.who { color: var(--soft); margin-left: auto; }
.search { display: flex; flex-wrap: wrap; gap: .5rem; flex: 1 1 100%; }
.search input:first-of-type { flex: 3 1 14rem; }
.search input { flex: 1 1 9rem; min-width: 0; text-overflow: ellipsis; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
p, li, dd, h2, main a { overflow-wrap: anywhere; }
dl { display: grid; align-items: baseline; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.5rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; white-space: pre-line; }
.muted { color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 500; }
.wide { position: relative; overflow-x: auto; }
time { white-space: nowrap; }
a[href^='/admin/guias/'] { white-space: nowrap; }
td { min-width: 6rem; overflow-wrap: anywhere; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: .75rem; background: var(--panel); border: 1px solid var(--line); white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-bg); border-color: transparent; }
.badge.bad { color: var(--bad); background: var(--bad-bg); border-color: transparent; }
.badge.wait { color: var(--wait); background: var(--wait-bg); border-color: transparent; }
.notice { padding: .75rem 1rem; border-radius: .5rem; background: var(--good-bg); color: var(--good); margin: 1rem 0; }
ul.notice { padding-left: 2rem; }
.notice.wait { background: var(--wait-bg); color: var(--wait); }
.fault { display: block; color: var(--bad); }
[aria-invalid] { border-color: var(--bad); }
.notice.bad { background: var(--bad-bg); color: var(--bad); }
.outage { padding: .5rem max(1rem, (100vw - 70rem) / 2); background: var(--bad); color: var(--page); overflow-wrap: anywhere; }
.outage a { color: inherit; }
.outage.back { background: var(--good-bg); color: var(--good); }
.panel { border: 1px solid var(--line); border-radius: .5rem; padding: .25rem 1rem .75rem; margin: 1rem 0; }
.panel > h2, .panel > h3 { margin-top: .75rem; }
.actions > p { flex: 1 1 100%; margin: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; margin: .75rem 0; }
input, textarea, select, button, summary { font: inherit; }
input, textarea, select { color: inherit; background: var(--page); border: 1px solid var(--soft); border-radius: .375rem; padding: .375rem .625rem; max-width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
textarea, .long { width: 100%; }
textarea { min-height: 5rem; }
label { display: block; margin: .5rem 0; }
label > input, label > textarea, label > select { display: block; margin-top: .25rem; }
button, .button, .ask > summary { cursor: pointer; text-decoration: none; border-radius: .375rem; padding: .375rem .875rem; min-height: 2.5rem; }
button { border: 1px solid transparent; background: var(--accent); color: var(--on-accent); }
button.plain { border-color: var(--accent); background: none; color: var(--link); }
.filter { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-left: auto; max-width: 100%; }
.filter label { margin: 0; min-width: 0; }
.filter select { display: inline-block; width: 12rem; }
.tabs { gap: .25rem; }
.tabs a { padding: .375rem .75rem; border: 0; border-radius: .5rem; }
.tabs a[aria-current] { background: var(--good-bg); }
td .actions { margin: 0; }
progress { width: 100%; accent-color: var(--accent); }
.notice.plain { background: var(--panel); color: var(--ink); }
.notice p { margin: 0; }
.ask > summary, .button { border: 1px solid var(--accent); color: var(--link); display: inline-block; list-style: none; }
.ask > summary::-webkit-details-marker { display: none; }
.ask[open] { flex: 1 1 100%; border: 1px solid var(--accent); border-radius: .5rem; padding: .75rem 1rem; }
.ask[open] > summary { border: 0; padding: 0; min-height: 0; font-weight: 600; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: .5rem .75rem; border-radius: .375rem; margin: .25rem 0; font-size: .875rem; }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 6rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.bars li { flex: 1; background: var(--accent); min-height: 1px; border-radius: 2px 2px 0 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } .who { margin-left: 0; } h1 { font-size: 1.35rem; }
  table, tbody, tr, td { display: block; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td { border: 0; padding: .125rem 0; }
  td:empty { display: none; } td::before { content: attr(data-name) ': '; color: var(--soft); } }
`;

/** Where the stylesheet is, with its version, so that browsers may keep it. */
export const STAFF_STYLES_PATH = `/admin/soporte.css?v=${hash('sha256', STAFF_STYLES).slice(0, 12)}`;

/**
 * Reloads the first page every half minute, unless somebody is typing or about to act.
 */
export const TODAY_SCRIPT = `setInterval(() => {
  const isBusy = document.hidden || document.querySelector('details[open]') || document.activeElement?.matches('input');
  if (!isBusy) location.reload();
}, 30_000);
`;

export const TODAY_SCRIPT_PATH = `/admin/hoy.js?v=${hash('sha256', TODAY_SCRIPT).slice(0, 12)}`;

/** `/` leads to the search, except where it is typed. */
export const SEARCH_SCRIPT = `document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  event.preventDefault();
  document.querySelector('.search input').select();
});
`;

export const SEARCH_SCRIPT_PATH = `/admin/buscar.js?v=${hash('sha256', SEARCH_SCRIPT).slice(0, 12)}`;
