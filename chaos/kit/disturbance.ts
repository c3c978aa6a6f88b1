// How much of the machine others took while a test was running: a time that was measured beside a browser and two
// builds is no ground to judge by.
import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { machineCpuMs } from '#bench/kit/usage.ts';

/** The kernel tells processor time in hundredths of a second. @source proc_pid_stat(5), USER_HZ */
const MS_PER_TICK = 10;

/**
 * @returns asks for the share of all processors, 0 to 1, that went to processes which are not ours since the
 * call; 0 where there is no /proc
 */
export function watchOthers(): () => number {
  const [began, machine, own] = [performance.now(), machineCpuMs(), ownCpuMs()];
  return () => {
    const others = machineCpuMs() - machine - (ownCpuMs() - own);
    const all = (performance.now() - began) * availableParallelism();
    return Math.min(0.95, Math.max(0, others / all)) || 0;
  };
}

/** Processor time of this process and of all that descend from it, with those of them that have ended. */
function ownCpuMs(): number {
  const stats = listStats();
  if (stats.size === 0) return Number.NaN;
  const isOwn = (pid: number): boolean => {
    if (pid === process.pid) return true;
    const parent = stats.get(pid)?.parent;
    return parent !== undefined && parent > 1 && isOwn(parent);
  };
  return [...stats].filter(([pid]) => isOwn(pid)).reduce((sum, [, stat]) => sum + stat.cpuMs, 0);
}

function listStats(): Map<number, { parent: number; cpuMs: number }> {
  const stats = new Map<number, { parent: number; cpuMs: number }>();
  try {
    for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
      const stat = readStat(name);
      if (stat) stats.set(Number(name), stat);
    }
  } catch {
    // Not Linux: nothing is known.
  }
  return stats;
}

function readStat(pid: string): { parent: number; cpuMs: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything, so counting starts behind it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = fields.slice(11, 15).reduce((sum, value) => sum + value, 0);
    return { parent: fields[1] ?? 0, cpuMs: ticks * MS_PER_TICK };
  } catch {
    // Ended while we were looking.
    return null;
  }
}
