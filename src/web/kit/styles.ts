/** The stylesheet of staff's and merchants' pages. */
export const STYLES = `
:root { color-scheme: light dark; --ground:#f8f4ec; --paper:#fffdf8; --sunk:#f0eadf; --line:#e2dacb; --edge:#857b6b; --ink:#25211a; --soft:#5f574a;
  --accent:#2c3a85; --on-accent:#fff; --tint:#e7e9f6; --ask:#26337a; --ask-bg:#e7e9f6; --way:#094b5b; --way-bg:#d9eff1; --good:#1a5128; --good-bg:#dff0df;
  --care:#623b00; --care-bg:#fdebc4; --bad:#8a1f14; --bad-bg:#fce4dd; --off:#4d463a; --off-bg:#ebe5d9; --land:#efe9dc; --touch:2.5rem; }
@media (prefers-color-scheme: dark) { :root { --ground:#15161c; --paper:#1e2028; --sunk:#262933; --line:#353945; --edge:#848a9a; --ink:#f0ede6; --soft:#b3b1ad;
  --accent:#a9b5f7; --on-accent:#151b3f; --tint:#242a49; --ask:#cfd6ff; --ask-bg:#242a49; --way:#a4e2ea; --way-bg:#12363e; --good:#ace3b1; --good-bg:#17351e;
  --care:#fbd58a; --care-bg:#3b2c0d; --bad:#ffc0b3; --bad-bg:#48201a; --off:#d2cec6; --off-bg:#2d2f38; --land:#252832; } }
* { box-sizing: border-box; }
html:has(.dock) { scroll-padding-bottom: 5.5rem; }
body { font: 100%/1.5 system-ui, sans-serif; margin: 0; color: var(--ink); background: var(--ground); overflow-wrap: break-word; }
a { color: var(--accent); }
header { border-bottom: 1px solid var(--line); background: var(--paper); }
header > div, main { max-width: 80rem; margin: 0 auto; padding: .75rem 1.5rem; }
header > div { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; }
nav { display: flex; flex-wrap: wrap; gap: .25rem; }
nav a { padding: .375rem .75rem; border-radius: .5rem; color: var(--soft); text-decoration: none; }
nav a:hover { background: var(--sunk); }
nav a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600; }
.who { color: var(--soft); margin-left: auto; }
.search { display: flex; flex-wrap: wrap; gap: .5rem; flex: 1 1 100%; }
.search input:first-of-type { flex: 3 1 14rem; }
.search input { flex: 1 1 9rem; min-width: 0; text-overflow: ellipsis; }
h1 { font-size: 1.625em; line-height: 1.2; margin: 1rem 0 .5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.125em; line-height: 1.3; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1em; margin: 1rem 0 .25rem; overflow-wrap: anywhere; }
p, li, dd, h2, main a { overflow-wrap: anywhere; }
p { margin: .75rem 0; }
dl { display: grid; align-items: baseline; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .25rem 1.5rem; margin: .5rem 0; }
dt, .muted, th { color: var(--soft); }
dd { margin: 0; white-space: pre-line; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: .875rem; font-weight: 500; }
.wide { position: relative; overflow-x: auto; }
time, .num { white-space: nowrap; }
a[href^='/admin/guias/'] { white-space: nowrap; }
td { min-width: 6rem; overflow-wrap: anywhere; }
.ask { --fg: var(--ask); --bg: var(--ask-bg); } .way { --fg: var(--way); --bg: var(--way-bg); } .good { --fg: var(--good); --bg: var(--good-bg); }
.care { --fg: var(--care); --bg: var(--care-bg); } .bad { --fg: var(--bad); --bg: var(--bad-bg); } .off { --fg: var(--off); --bg: var(--off-bg); }
.badge, .notice, .band, .disc { background: var(--bg, var(--good-bg)); color: var(--fg, var(--good)); }
.badge { display: inline-block; padding: .1em .6em; border-radius: 1em; font-size: .875rem; font-weight: 600; white-space: nowrap; }
.notice { padding: .75rem 1rem; border-radius: .5rem; margin: 1rem 0; }
ul.notice { padding-left: 2rem; }
.notice.plain { background: var(--sunk); color: var(--ink); }
.notice p { margin: 0; }
.band { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; padding: 1rem; border-radius: .875rem; }
.band > * { min-width: 0; max-width: 100%; }
.band h2, .band p { margin: 0; }
.band > .actions { flex-basis: 100%; margin: 0; color: var(--ink); }
.grow { flex: 1 1 9rem; }
.fault { display: block; color: var(--bad); font-weight: 600; }
.doubt { display: block; color: var(--care); font-weight: 600; }
label:has(.doubt) > :is(input, textarea) { border: 2px dashed var(--care); background: var(--care-bg); color: var(--care); }
[aria-invalid] { border: 2px solid var(--bad); }
.outage { padding: .5rem max(1.5rem, (100vw - 77rem) / 2); background: var(--bad); color: var(--paper); overflow-wrap: anywhere; }
.outage a { color: inherit; }
.outage.back { background: var(--good-bg); color: var(--good); }
.panel { border: 1px solid var(--line); border-radius: .875rem; background: var(--paper); padding: .25rem 1rem .75rem; margin: 1rem 0; }
.panel > h2, .panel > h3 { margin-top: .75rem; }
.actions > p { flex: 1 1 100%; margin: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; align-items: flex-start; margin: .75rem 0; }
input, textarea, select, button, summary, .button { font: inherit; }
input, textarea, select { min-height: var(--touch); color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .5rem; padding: .25rem .75rem; max-width: 100%; }
[type=checkbox] { width: 1.25rem; min-height: 1.25rem; margin: 0; vertical-align: middle; accent-color: var(--accent); }
::placeholder { color: var(--soft); opacity: 1; }
textarea, .long { width: 100%; }
textarea { min-height: 5rem; }
label { display: block; margin: .5rem 0; }
label > input, label > textarea, label > select { display: block; margin-top: .25rem; }
label.pick > input { display: inline-block; margin: 0; }
button, .button, .fold > summary { display: inline-block; cursor: pointer; text-decoration: none; text-align: center; border: 1px solid var(--edge); border-radius: .5rem; padding: .25rem 1rem; min-height: var(--touch);
  line-height: 1.875rem; background: var(--paper); color: var(--ink); font-weight: 600; }
button:hover, .button:hover, .fold > summary:hover { filter: brightness(.94); }
.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.fold > summary.main { background: var(--accent); color: var(--on-accent); }
.fold > summary { list-style: none; }
.fold > summary::-webkit-details-marker { display: none; }
.fold[open] { flex: 1 1 100%; border: 1px solid var(--edge); border-radius: .875rem; padding: .75rem 1rem; background: var(--paper); }
.fold[open] > summary { border: 0; padding: 0; min-height: 0; background: none; color: var(--ink); }
.filter { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-left: auto; max-width: 100%; }
.filter label { margin: 0; min-width: 0; }
.filter select, .filter input { display: inline-block; width: 12rem; }
td .actions { margin: 0; }
progress { width: 100%; accent-color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunk); padding: .5rem .75rem; border-radius: .5rem; margin: .25rem 0; font-size: .875rem; }
.split > * > .panel:first-child, .split > .panel { margin-top: 0; }
.band + .notice, .band + .split { margin-top: 1rem; }
.split { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.5rem; align-items: start; }
.map { position: relative; max-width: 44rem; overflow: hidden; margin: .5rem 0; border: 1px solid var(--line); border-radius: .875rem; aspect-ratio: 2; isolation: isolate;
  background: repeating-linear-gradient(var(--line) 0 1px, transparent 1px 4rem), repeating-linear-gradient(90deg, var(--line) 0 1px, transparent 1px 4rem), var(--land); }
.map > p { position: absolute; top: 0; z-index: -1; margin: 0; padding: .25rem .75rem; font-size: .875rem; }
.map img { display: block; min-width: 258px; max-width: 258px; min-height: 258px; max-height: 258px; }
.map svg { display: block; width: 100%; height: 100%; }
.map .pin { fill: var(--accent); stroke: var(--paper); stroke-width: 2.5; }
.map .eye { fill: var(--paper); }
.map .tried { fill: var(--care); stroke: var(--paper); stroke-width: 3; }
.map .leg { stroke: var(--care); stroke-width: 3; stroke-dasharray: 6 6; }
.map figcaption { position: absolute; right: 0; bottom: 0; padding: 0 .5rem; font-size: .8125rem; color: var(--ink); background: var(--paper); }
.pic { flex: none; width: 4.5rem; height: 4.5rem; fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linecap: round; stroke-linejoin: round; }
.pic .paper { fill: var(--paper); }
.pic .ink { fill: currentColor; }
.pic .cut { stroke: var(--paper); stroke-width: 3; }
.pic .bare { stroke: none; }
.i { flex: none; width: 1.25em; height: 1.25em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; vertical-align: -.25em; }
.disc { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 50%; }
.line { list-style: none; margin: .75rem 0; padding: 0; }
.line > li { position: relative; display: grid; grid-template-columns: 2.25rem minmax(0, 1fr); gap: 0 .75rem; padding-bottom: 1rem; }
.line > li:not(:last-child)::before { content: ''; position: absolute; left: 1.0625rem; top: 2.25rem; bottom: 0; width: 2px; background: var(--line); }
.line p { margin: .125rem 0; }
.line .actions { margin: .25rem 0; align-items: center; }
.row { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; }
.small { font-size: .875rem; }
.map .group circle { fill: var(--accent); stroke: var(--paper); stroke-width: 2; }
.map .group text { fill: var(--on-accent); font-size: .8125rem; font-weight: 700; text-anchor: middle; }
.map .group:hover circle, .map .group:focus-visible circle { stroke: var(--ink); stroke-width: 4; }
.filter.start { margin: .75rem 0; align-items: end; }
.dock { position: sticky; bottom: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .875rem .875rem 0 0; background: var(--paper); }
td:has(> [name=guias]) { min-width: 3rem; }
.dock label { margin: 0; }
.dock label > select { display: inline-block; margin: 0; max-width: 14rem; }
.items { list-style: none; margin: 0; padding: 0; }
.items > li { padding: .25rem 0; }
.qr { display: block; width: min(100%, 22rem); }
.bars { display: flex; align-items: flex-end; gap: 2px; height: 6rem; margin: .5rem 0 0; padding: 0; list-style: none; }
.bars li { flex: 1; background: var(--accent); min-height: 1px; border-radius: 2px 2px 0 0; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.shop { --touch: 3rem; }
.shop :is(button, .button, .fold > summary) { display: inline-flex; gap: .5rem; align-items: center; justify-content: center; line-height: 1.25; }
.shop main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; padding-block: 1rem; }
.shop main > *, .shop main > * > :first-child { margin-top: 0; margin-bottom: 0; }
.shop .split { gap: 1rem 1.5rem; }
.shop .split > * > h2:first-child, .shop .split > * > :first-child > h2:first-child, .shop .split .panel { margin-top: 0; margin-bottom: 0; }
.shop .split > div { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem; }
.shop :is(h2, .panel > h2) + :is(.cards, .tiles, p) { margin-top: .5rem; }
.shop label > :is(input:not([type=checkbox]), select) { width: 100%; }
.shop .filter { align-items: end; margin-left: 0; }
.shop td { max-width: 22rem; overflow-wrap: break-word; }
.shop .dock .main { flex: 1 1 9rem; max-width: 24rem; }
.shop main.narrow { max-width: 30rem; }
.brand { display: flex; flex: 1 1 0; gap: .75rem; align-items: center; min-width: 7rem; color: inherit; font-weight: 700; font-size: 1.125rem; text-decoration: none; overflow-wrap: anywhere; }
.brand .disc { flex: none; background: var(--tint); color: var(--accent); font-size: 1rem; }
.shop header form { margin-left: auto; }
.shop nav.parts { flex: 1 1 100%; flex-wrap: nowrap; overflow-x: auto; scroll-padding-inline: 3rem; }
.shop nav.parts a { padding: .75rem; white-space: nowrap; }
header nav a:focus-visible { outline-offset: -3px; }
.plain-button { border-color: transparent; background: none; color: var(--soft); }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10rem), 1fr)); gap: 0 1rem; }
.shop main:has(> .stack) > * { max-width: 44rem; }
.stack > .fold { margin-block: .5rem; }
.stack label > :is(input:not([type=checkbox]), textarea), .shop fieldset input:not([type=checkbox]) { width: 100%; }
.shop :is(legend, label) { max-width: 100%; overflow-wrap: anywhere; }
.shop fieldset { min-width: 0; margin: .75rem 0; border: 1px solid var(--line); border-radius: .5rem; }
ul.tiles { list-style: none; margin: 0; padding: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: .75rem; }
.tile { display: grid; gap: .25rem; padding: 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--paper); color: inherit; text-decoration: none; }
.tile b { color: var(--fg); font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.cards { list-style: none; margin: 0; padding: 0 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--paper); }
.cards > li { display: grid; grid-template-columns: minmax(0, 1fr); gap: .25rem; padding: .75rem 0; border-top: 1px solid var(--line); }
.cards > :first-child { border-top: 0; }
.cards .badge { white-space: normal; border-radius: .75rem; }
.cards .row { gap: .5rem .75rem; align-items: center; }
.end { margin-left: auto; }
.amount { font-size: 1.75rem; font-weight: 800; line-height: 1.2; font-variant-numeric: tabular-nums; white-space: nowrap; }
.risk { color: var(--bad); }
fieldset { margin: .75rem 0; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .5rem; }
legend { padding: 0 .25rem; font-weight: 600; }
.badge .i { width: 1em; height: 1em; }
@media (min-width: 60rem) { .split { grid-template-columns: minmax(0, 6fr) minmax(0, 7fr); } .split.list { grid-template-columns: minmax(0, 8fr) minmax(0, 5fr); } }
@media (max-width: 40rem) { header > div, main { padding-inline: 1rem; } dl { grid-template-columns: minmax(0, 1fr); gap: 0; } dd { margin-bottom: .5rem; } .who { margin-left: 0; } h1 { font-size: 1.375em; }
  header nav { flex: 1 1 100%; flex-wrap: nowrap; overflow-x: auto; scroll-padding-inline: 3rem; } header nav a { white-space: nowrap; }
  html:has(.dock label) { scroll-padding-bottom: 12rem; } .dock:has(label) { gap: .5rem; padding: .5rem 1rem; font-size: .875rem; }
  .dock label:has(select) { display: flex; flex: 1 1 100%; min-width: 0; gap: .5rem; align-items: center; white-space: nowrap; } .dock label > select { flex: 1; min-width: 0; max-width: none; }
  table, tbody, tr, td { display: block; } thead { display: none; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; } td, .shop td { max-width: none; border: 0; padding: .125rem 0; }
  td:empty { display: none; } td::before { content: attr(data-name) ': '; color: var(--soft); } }
`;
