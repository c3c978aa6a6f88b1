// The sums of the storefront's bench: which files count, how long a press took, which goal is missed.
import { describe, expect, test } from 'vitest';
import { meets } from '../kit/figures.ts';
import { pageRows, walkRows, weightRows } from './goals.ts';
import { pressDuration, SHORTEST_MS, sumUpWalks, type Walk } from './interactions.ts';
import { listFiles } from './weights.ts';

const manifest = {
  'web/main.tsx': { file: 'main.js', isEntry: true, imports: ['_base.js'], css: ['main.css'] },
  '_base.js': { file: 'base.js' },
  'web/Popup.tsx': { file: 'popup.js', imports: ['web/main.tsx', '_base.js', '_dialog.js'], css: ['popup.css'] },
  '_dialog.js': { file: 'dialog.js', imports: ['_base.js'] },
};

describe('weights', () => {
  test('a page needs what its files import, each once', () => {
    expect(listFiles(manifest, ['web/main.tsx'])).toEqual({ scripts: ['main.js', 'base.js'], styles: ['main.css'] });
    expect(listFiles(manifest, ['web/main.tsx', 'web/Popup.tsx'])).toEqual({
      scripts: ['main.js', 'base.js', 'popup.js', 'dialog.js'],
      styles: ['main.css', 'popup.css'],
    });
  });

  test('a source that moved stops the bench, or the figure would be too good', () => {
    expect(() => listFiles(manifest, ['web/Gone.tsx'])).toThrow('web/Gone.tsx');
  });
});

describe('presses', () => {
  test('take as long as their slowest event, moving is no press', () => {
    const events = [
      { interactionId: 0, duration: 400 },
      { interactionId: 7, duration: 24 },
      { interactionId: 7, duration: 88 },
    ];
    expect(pressDuration(events)).toBe(88);
  });

  test('of which the browser tells nothing took the shortest time it tells', () => {
    expect(pressDuration([])).toBe(SHORTEST_MS);
  });

  const walk = (choosing: number[], opening: number, layoutShift = 0): Walk => ({
    choosing,
    opening,
    untilMethodsMs: 200,
    requests: 1,
    layoutShift,
  });

  test('count as INP does: the slowest of a walk, the median of walks, the worst shift', () => {
    const walks = [walk([96, 40, 40], 80), walk([64, 40, 72], 120), walk([300, 40, 40], 88, 0.02)];
    expect(sumUpWalks(walks)).toMatchObject({ choosingMs: 96, openingMs: 88, layoutShift: 0.02 });
  });

  test('without walks nothing was measured', () => {
    expect(Object.values(sumUpWalks([])).every(Number.isNaN)).toBe(true);
    expect(sumUpWalks([walk([], 80)]).choosingMs).toBeNaN();
  });
});

describe('goals', () => {
  const judge = (rows: ReturnType<typeof pageRows>) => rows.map(({ goal, value }) => meets(goal, value));
  const weight = (scriptBytes: number) => ({ scriptBytes, scripts: 3, styleBytes: 0 });
  const page = { performance: 100, accessibility: 100, bestPractices: 100, largestPaintMs: 1100, blockingMs: 50 };
  const pressed = { choosingMs: 100, openingMs: 100, untilMethodsMs: 900, requests: 4, layoutShift: 0 };

  test('budgets are met at their bounds', () => {
    expect(judge(weightRows('new', { landing: weight(100_000), wholeWay: weight(160_000) }))).toEqual([true, true]);
    expect(judge(pageRows('new', { ...page, layoutShift: 0 }))).toEqual(Array(6).fill(true));
    expect(judge(walkRows('new', pressed))).toEqual([true, true, true]);
  });

  test('and missed beyond, and where nothing was measured', () => {
    expect(judge(weightRows('new', { landing: weight(100_001), wholeWay: weight(160_001) }))).toEqual([false, false]);
    const worse = {
      performance: 99,
      accessibility: 99,
      bestPractices: Number.NaN,
      largestPaintMs: 1101,
      blockingMs: 51,
      layoutShift: 0.001,
    };
    expect(judge(pageRows('new', worse))).toEqual(Array(6).fill(false));
    expect(judge(walkRows('new', { ...pressed, choosingMs: 104, openingMs: Number.NaN, layoutShift: 0.001 }))).toEqual([
      false,
      false,
      false,
    ]);
  });
});
