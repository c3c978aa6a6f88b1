// Loaded into one server (node --import): its clock can be moved while it runs. CHAOS_CLOCK names
// a file; what is in it are the milliseconds beside the truth.
import { readFileSync } from 'node:fs';

const file = process.env['CHAOS_CLOCK'] ?? '';
/** Our choice: how late a change is felt. */
const LOOK_MS = 50;
const Truth = Date;
const now = Date.now.bind(Date);
let offset = 0;

function look(): void {
  try {
    offset = Number(readFileSync(file, 'utf8'));
  } catch {
    // Nobody has moved it yet.
  }
}
look();
setInterval(look, LOOK_MS).unref();

class Shifted extends Truth {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [now() + offset] : given) as [number]));
  }
  static override now(): number {
    return now() + offset;
  }
}
globalThis.Date = Shifted as DateConstructor;
