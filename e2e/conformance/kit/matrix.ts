// The result of the suite as a table of providers and cases, from the report of the runner.
import { stripVTControlCharacters } from 'node:util';

/** The matrix reads these fields of Vitest's JSON report. */
type Report = {
  readonly testResults: readonly {
    readonly message?: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[] | null;
    }[];
  }[];
};

type Mark = 'ok' | 'n.a.' | 'FAILED';

export type Conformance = {
  /** Case -> provider -> what came of it; cases in the order of the suite. */
  readonly cases: ReadonlyMap<string, ReadonlyMap<string, Mark>>;
  readonly providers: readonly string[];
  /** Reason -> "provider: case". */
  readonly reasons: ReadonlyMap<string, readonly string[]>;
  /** Each with its first lines. */
  readonly failures: readonly string[];
  readonly passed: number;
  readonly notApplicable: number;
  readonly failed: number;
};

/** As conformance.test.ts names a case that falls away. */
const ABSENT = ': not applicable. ';
/** Our choice: the assertion and what it found, without the stack. */
const FAILURE_LINES = 4;

/** Tests outside of a provider count, and are told when they fail; a file that did not load is one failure. */
export function readConformance(report: Report): Conformance {
  const cases = new Map<string, Map<string, Mark>>();
  const providers = new Set<string>();
  const reasons = new Map<string, string[]>();
  const failures: string[] = [];
  const count = { ok: 0, 'n.a.': 0, FAILED: 0 };
  for (const file of report.testResults) {
    if (file.status === 'failed' && file.assertionResults.length === 0) {
      count.FAILED += 1;
      failures.push(file.message ?? 'a file that did not load');
    }
    for (const { ancestorTitles, failureMessages, status, title } of file.assertionResults) {
      const [name = title, reason] = title.split(ABSENT);
      const mark: Mark = status !== 'passed' ? 'FAILED' : reason === undefined ? 'ok' : 'n.a.';
      count[mark] += 1;
      const [provider] = ancestorTitles;
      if (mark === 'FAILED') {
        const said = firstLines((failureMessages ?? []).join('\n')).join('\n    ');
        failures.push(`${[provider, name].filter(Boolean).join(': ')}\n    ${said || `it was ${status}`}`);
      }
      if (provider === undefined) continue;
      providers.add(provider);
      const row = cases.get(name) ?? new Map<string, Mark>();
      cases.set(name, row.set(provider, mark));
      if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), `${provider}: ${name}`]);
    }
  }
  return {
    cases,
    providers: [...providers],
    reasons,
    failures,
    passed: count.ok,
    notApplicable: count['n.a.'],
    failed: count.FAILED,
  };
}

function firstLines(text: string): string[] {
  const lines = stripVTControlCharacters(text).split('\n');
  return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).slice(0, FAILURE_LINES);
}

/** @param columns width of the terminal; a table that is wider goes on below itself */
export function drawConformance(found: Conformance, columns: number): string {
  const nameWidth = Math.max(...[...found.cases.keys()].map((name) => name.length)) + 2;
  const blocks: string[] = [];
  let rest = [...found.providers];
  while (rest.length > 0) {
    let width = nameWidth;
    // At least one, however narrow the terminal is.
    const fitting = rest.filter((name, index) => (width += cellWidth(name)) <= columns || index === 0);
    blocks.push(drawBlock(found, fitting, nameWidth));
    rest = rest.slice(fitting.length);
  }
  const reasons = [...found.reasons].map(([reason, about]) => `  ${reason}\n    ${about.join('; ')}`);
  if (reasons.length > 0) blocks.push(['Not applicable (n.a.), with the reason:', ...reasons].join('\n'));
  if (found.failures.length > 0) blocks.push(['Failed:', ...found.failures.map((one) => `  ${one}`)].join('\n'));
  return blocks.join('\n\n');
}

function cellWidth(name: string): number {
  return Math.max(name.length, 'FAILED'.length) + 2;
}

function drawBlock(found: Conformance, providers: readonly string[], nameWidth: number): string {
  const line = (name: string, cell: (provider: string) => string) =>
    `${name.padEnd(nameWidth)}${providers.map((one) => cell(one).padEnd(cellWidth(one))).join('')}`.trimEnd();
  const rows = [...found.cases].map(([name, marks]) => line(name, (one) => marks.get(one) ?? '-'));
  return [line('', (one) => one), ...rows].join('\n');
}
