// Reads a .cpuprofile of V8: the time spent in each function, with and without its callees.

/**
 * @param profile the file's content
 * @param window [from, until] in microseconds of the monotonic clock; samples outside are ignored
 * @returns {{ busy: number, functions: { name: string, place: string, origin: string, self: number, total: number }[] }}
 *   microseconds; `busy` excludes idle time.
 */
export function readCpuProfile(profile, [from, until]) {
  const byId = new Map(profile.nodes.map((node) => [node.id, { ...node, self: 0 }]));
  let at = profile.startTime;
  profile.samples.forEach((id, i) => {
    at += profile.timeDeltas[i];
    if (at >= from && at < until) byId.get(id).self += profile.timeDeltas[i + 1] ?? 0;
  });
  const functions = new Map();
  addTotals(byId, byId.get(profile.nodes[0].id), new Set(), functions);
  const found = [...functions.values()].filter(({ name }) => name !== '(idle)' && name !== '(root)');
  return { busy: found.reduce((sum, { self }) => sum + self, 0), functions: found };
}

/**
 * Adds a node's time to its function. `above` holds the functions on the stack, whose totals include it
 * already.
 */
function addTotals(byId, node, above, functions) {
  const { functionName, url, lineNumber } = node.callFrame;
  const key = `${functionName} ${url} ${lineNumber}`;
  if (!functions.has(key)) {
    const place = url === '' ? '' : `${shortPath(url)}:${lineNumber + 1}`;
    functions.set(key, {
      name: functionName || '(anonymous)',
      place,
      origin: originOf(functionName, url),
      self: 0,
      total: 0,
    });
  }
  const entry = functions.get(key);
  const isOutermost = !above.has(key);
  if (isOutermost) above.add(key);
  let total = node.self;
  for (const child of node.children ?? []) total += addTotals(byId, byId.get(child), above, functions);
  if (isOutermost) above.delete(key);
  entry.self += node.self;
  if (isOutermost) entry.total += total;
  return total;
}

/** The package that a function belongs to; `service` for our code, `node` for Node's own modules. */
function originOf(name, url) {
  if (name.startsWith('(') && url === '') return name;
  if (url === '') return 'V8';
  if (url.startsWith('node:')) return 'node';
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? 'service';
}

const shortPath = (url) => url.replace(/^.*\/(?:node_modules|dist)\//, '');
