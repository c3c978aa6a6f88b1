// Chance that can be repeated: one number makes the whole run. Mulberry32, a public-domain
// generator with 32 bits of state.

export type Random = {
  /** 0 up to, not including, 1. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  uuid(): string;
};

export function createRandom(seed: number): Random {
  // Neighbouring seeds must not begin alike.
  let state = Math.imul(seed + 0x9e3779b9, 0x85ebca6b) ^ 0x5bd1e995;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <Value>(values: readonly Value[]) => values[between(0, values.length - 1)] as Value,
    uuid: () => {
      const hex = Array.from({ length: 8 }, () => between(0, 0xffff).toString(16).padStart(4, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    },
  };
}
