// Which level points make. Pure.

type Stage = { readonly needPoints: number };

/** The highest level whose points are there. The first needs none, so that fewer than none still have it. */
export function levelOf<Level extends Stage>(levels: readonly Level[], points: number): Level | null {
  return levels.findLast((level) => level.needPoints <= points) ?? levels[0] ?? null;
}
