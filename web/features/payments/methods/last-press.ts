// When a row was pressed last by finger or mouse: only then the focus may move on to what the row asks for.
// Arrow keys walk through rows.

/** Our choice: what opens later than this was not opened by the press. */
const WINDOW_MS = 1000;

let at = -Infinity;

export function notePress(): void {
  at = performance.now();
}

export function wasPressed(): boolean {
  return performance.now() - at < WINDOW_MS;
}
