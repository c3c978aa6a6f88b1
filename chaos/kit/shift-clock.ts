// Loaded into one server (node --import): its clock is wrong. CHAOS_CLOCK is "600000" or "600000,-3600000@8": milliseconds beside the
// truth, and from the eighth second of the process on others.
const [first = '0', later] = (process.env.CHAOS_CLOCK ?? '0').split(',');
const [second = first, after = '0'] = (later ?? '').split('@');
const now = Date.now.bind(Date);
const born = now();
const offset = () => Number(later && now() - born >= Number(after) * 1000 ? second : first);
const Truth = Date;

class Shifted extends Truth {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(now() + offset());
    else super(given[0]);
  }
  static override now(): number {
    return now() + offset();
  }
}
globalThis.Date = Shifted as DateConstructor;
