// The budgets of the storefront, and which measured figure each is held against. Pure.
import type { Goal } from '../kit/figures.ts';
import type { WalkFigures } from './interactions.ts';
import type { Weights } from './weights.ts';

/** Medians of the runs of Lighthouse on one page. */
export type PageFigures = {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly largestPaintMs: number;
  readonly blockingMs: number;
  readonly layoutShift: number;
};

export type GoalRow = { readonly goal: Goal; readonly value: number };

const atMost = (name: string, limit: number, unit = ''): Goal => ({ name, limit, sense: 'at most', unit });
const atLeast = (name: string, limit: number): Goal => ({ name, limit, sense: 'at least', unit: '' });

/** KB are 1000 bytes after brotli. @source docs/benchmarks.md, "Goals" */
export function weightRows(name: string, { landing, wholeWay }: Weights): GoalRow[] {
  return [
    { goal: atMost(`${name}: scripts of the first page`, 100, 'KB'), value: landing.scriptBytes / 1000 },
    { goal: atMost(`${name}: scripts of the whole way`, 160, 'KB'), value: wholeWay.scriptBytes / 1000 },
  ];
}

export function pageRows(name: string, page: PageFigures): GoalRow[] {
  return [
    { goal: atLeast(`${name}: Lighthouse performance`, 100), value: page.performance },
    { goal: atLeast(`${name}: Lighthouse accessibility`, 100), value: page.accessibility },
    { goal: atLeast(`${name}: Lighthouse best practices`, 100), value: page.bestPractices },
    { goal: atMost(`${name}: largest contentful paint`, 1100, 'ms'), value: page.largestPaintMs },
    { goal: atMost(`${name}: total blocking time`, 50, 'ms'), value: page.blockingMs },
    { goal: atMost(`${name}: cumulative layout shift`, 0), value: page.layoutShift },
  ];
}

export function walkRows(name: string, walk: WalkFigures): GoalRow[] {
  return [
    { goal: atMost(`${name}: INP of choosing a pack`, 100, 'ms'), value: walk.choosingMs },
    { goal: atMost(`${name}: INP of opening the checkout`, 100, 'ms'), value: walk.openingMs },
    { goal: atMost(`${name}: layout shift on the way`, 0), value: walk.layoutShift },
  ];
}
