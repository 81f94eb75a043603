/** A row that leaves the page forgets its height, and the list would come back at another place. */
export function keepHeights(list: Element): void {
  const rows = [...list.querySelectorAll<HTMLElement>('.items > li')];
  const [first] = rows;
  if (!first) return;
  const { paddingTop, paddingBottom } = getComputedStyle(first);
  const padding = parseFloat(paddingTop) + parseFloat(paddingBottom);
  const heights = rows.map(({ clientHeight }) => clientHeight - padding);
  for (const [i, { style }] of rows.entries()) style.containIntrinsicHeight = `auto ${heights[i]}px`;
}

/** Rows that come into sight are laid out a frame later, and push away what the browser has scrolled to. */
export function showPart(id: string): void {
  const scroll = () => document.getElementById(id)?.scrollIntoView();
  requestAnimationFrame(() => requestAnimationFrame(scroll));
}
