// CPU and memory of processes, from Linux' /proc; NaN on other systems.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** /proc counts in hundredths of a second on every Linux. */
const TICKS_PER_SECOND = 100;

export const isKnown = existsSync('/proc/self/stat');

/** CPU seconds (user and system) of a process, its children, and children that have ended. */
export function cpuSeconds(pid) {
  if (!isKnown) return NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const ticks = (stat) =>
    stat.own + stat.reaped + sum(all.filter(({ parent }) => parent === stat.pid).map(ticks));
  return sum(all.filter((stat) => stat.pid === pid).map(ticks)) / TICKS_PER_SECOND;
}

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may contain spaces and brackets.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, reapedUser, reapedSystem] = rest.slice(9, 13).map(Number);
    return { pid, parent: Number(parent), own: user + system, reaped: reapedUser + reapedSystem };
  } catch {
    // The process has ended.
    return undefined;
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Resident megabytes, now and at peak. */
export function memory(pid) {
  if (!isKnown) return { now: NaN, peak: NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)[1]) / 1_024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
