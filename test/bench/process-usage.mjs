// CPU and memory of processes, from Linux' /proc; NaN on other systems.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux. */
const TICKS_PER_SECOND = 100;

export const isKnown = existsSync('/proc/self/stat');

/** CPU seconds (user and system) of a process, its children, and children that have ended. */
export function cpuSeconds(pid) {
  if (!isKnown) return NaN;
  const ticks = tree(pid).map(({ own, reaped }) => own + reaped);
  return sum(ticks) / TICKS_PER_SECOND;
}

/** A process and all that descend from it. */
function tree(pid) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const below = (stat) => [stat, ...all.filter(({ parent }) => parent === stat.pid).flatMap(below)];
  return all.filter((stat) => stat.pid === pid).flatMap(below);
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may contain spaces and brackets.
    const end = text.lastIndexOf(')');
    const [, parent, ...rest] = text.slice(end + 2).split(' ');
    const [user, system, reapedUser, reapedSystem] = rest.slice(9, 13).map(Number);
    const name = text.slice(text.indexOf('('), end);
    return { pid, name, parent: Number(parent), own: user + system, reaped: reapedUser + reapedSystem };
  } catch {
    // The process has ended.
    return undefined;
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Resident megabytes, now and at peak, of a process and those it has forked; not of its PostgreSQL. */
export function memory(pid) {
  if (!isKnown) return { now: NaN, peak: NaN };
  const [first, ...others] = tree(pid);
  const statuses = [first, ...others.filter(({ name }) => name === first.name)].map((stat) =>
    readFileSync(`/proc/${stat.pid}/status`, 'utf8'),
  );
  const megabytes = (field) =>
    sum(statuses.map((status) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)[1]) / 1_024));
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
