// What `--since` and `--until` take.
import { InputFault } from './terminal.ts';

/** A day or a moment; a day begins at midnight UTC. @throws InputFault for anything else */
export function readTime(option: string, text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = new Date(text);
  if (!isTime || Number.isNaN(time.getTime()))
    throw new InputFault(`${option} "${text}": write 2026-11-21 or 2026-11-21T08:30:00Z.`);
  return time;
}
