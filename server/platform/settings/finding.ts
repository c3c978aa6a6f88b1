// One thing that is wrong with how a process is set up, in the shape that every list of them prints.

/** Never holds a secret. `remedy` is what to do, a sentence of its own. */
export type Finding = {
  /** The setting, brand or file it is about: "REFILL_POOL", "brand watt". */
  readonly name: string;
  /** Goes on where the name ends: "is shorter than 24 bytes". */
  readonly reason: string;
  readonly remedy: string;
};

export function describeFinding({ name, reason, remedy }: Finding): string {
  return `${name} ${reason}: ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
}
