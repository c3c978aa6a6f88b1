// Processor time and memory of other processes, from /proc. On systems without it the figures are NaN, never a guess.
import { readFileSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';

/** The kernel tells processor time in hundredths of a second. @source proc_pid_stat(5), USER_HZ */
export const MS_PER_TICK = 10;

export type Usage = { readonly cpuMs: number; readonly rssMb: number; readonly peakRssMb: number };

/** Reads one process's use so far: user and system time, memory now and at its most. */
export function usageOf(pid: number): Usage {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
    return { cpuMs: readStat(pid).cpuMs, rssMb: megabytes('VmRSS'), peakRssMb: megabytes('VmHWM') };
  } catch {
    return { cpuMs: Number.NaN, rssMb: Number.NaN, peakRssMb: Number.NaN };
  }
}

/** Processor time of a process and all its children, living or waited for: PostgreSQL has one a connection. */
export function treeCpuMs(pid: number): number {
  try {
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          return [readStat(Number(name))];
        } catch {
          // Ended while we were looking; its parent counts it from now on.
          return [];
        }
      })
      .filter((stat) => stat.parent === pid);
    const own = readStat(pid);
    return own.cpuMs + own.waitedMs + children.reduce((sum, child) => sum + child.cpuMs, 0);
  } catch {
    return Number.NaN;
  }
}

/** The process that started another one; NaN when that is not on this machine. */
export function parentOf(pid: number): number {
  try {
    return readStat(pid).parent;
  } catch {
    return Number.NaN;
  }
}

/** Busy processor time of the whole machine since it was started, over all processors. */
export function machineCpuMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

function readStat(pid: number): { parent: number; cpuMs: number; waitedMs: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in brackets and may hold anything, so counting starts behind it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * MS_PER_TICK;
  return { parent: Number(fields[1]), cpuMs: ticks(11), waitedMs: ticks(13) };
}
