// Which tests and flows belong to changed files that no import leads to: SQL, texts, data, styles, documents. What
// imports a changed file is found by Vitest itself. Knows no git and no disk.

export type Selection = {
  /** Beginnings of paths of test files. */
  readonly tests: readonly string[];
  /** Nouns of e2e/<noun>.e2e.ts. */
  readonly flows: readonly string[];
};

/** Nouns whose flow is not called as they are. */
const FLOWS_OF: Readonly<Record<string, readonly string[]>> = {
  accounts: ['login', 'login-windows'],
  catalogue: ['purchase', 'fits'],
  games: ['purchase'],
  layout: ['navigation', 'fits'],
  orders: ['purchase', 'dead-ends'],
  payments: ['purchase', 'checkout'],
  pricing: ['purchase'],
  privacy: ['my-data'],
  spending: ['japan'],
  steps: ['classic'],
  wallet: ['checkout', 'giftcards'],
};

/** They read every function, of whatever module. */
const LAWS_OF_SQL = [
  'server/modules/orders/doors.',
  'server/modules/orders/leases.',
  'server/modules/invariants/noting.',
];

type Rule = readonly [files: RegExp, select: (name: string, path: string) => Partial<Selection>];

/** The first group of a pattern is the name. A file may fit several. */
const RULES: readonly Rule[] = [
  // A function is proven by its module, and by what holds for all SQL; stored databases are migrated with it.
  [
    /^server\/modules\/([^/]+)\/(?:.+\/)?sql\//,
    (noun) => ({ tests: [`server/modules/${noun}/`, ...LAWS_OF_SQL, 'server/platform/database/', 'testing/dumps/'] }),
  ],
  [/^(migrations)\//, () => ({ tests: ['server/platform/database/', 'testing/dumps/'] })],
  [
    /^(messages)\//,
    () => ({
      tests: ['scripts/messages.', 'scripts/untranslated.', 'server/platform/', 'server/shell/', 'web/platform/'],
    }),
  ],
  [/^(brands|games|channels|regions|schemas)\//, () => ({ tests: ['server/modules/configuration/', 'server/shell/'] })],
  [/^testing\/fixtures\/(configuration)\//, () => ({ tests: ['server/modules/configuration/'] })],
  [/^(testing\/fixtures\/walls\/|\.oxlintrc\.json$|scripts\/lint\/)/, () => ({ tests: ['testing/walls.'] })],
  [/^(deploy)\//, () => ({ tests: ['scripts/rehearsal/', 'cli/metrics.'] })],
  [/^cli\/(templates)\//, () => ({ tests: ['cli/new.', 'cli/providers/', 'cli/games/'] })],
  [
    /^(docs\/|[^/]+\.md$|\.github\/)/,
    () => ({ tests: ['testing/documents.', 'scripts/release/', 'cli/settings.', 'cli/metrics.', 'server/operator/'] }),
  ],
  [/^(CHANGELOG\.md|testing\/dumps\/)/, () => ({ tests: ['testing/dumps/'] })],
  // Looks are seen in a browser only: whether everything fits, on every screen.
  [/^(web)\/.+\.css$/, (_, path) => ({ tests: [folderOf(path)], flows: ['fits'] })],
  [/^web\/(screens)\//, () => ({ flows: ['screens', 'navigation'] })],
  [/^(?:web\/features|server\/modules|e2e|contracts)\/([^/.]+)/, (noun) => ({ flows: FLOWS_OF[noun] ?? [noun] })],
];

/** A file that no rule knows and no code can import: nobody would notice that it broke. */
const IMPORTED = /\.(?:ts|tsx|mjs|cjs|css|json)$/;

/**
 * @param changed paths from the root, with slashes
 * @param known every test file and flow there is
 */
export function selectTests(
  changed: readonly string[],
  known: { readonly tests: readonly string[]; readonly flows: readonly string[] },
): Selection & { readonly untested: readonly string[] } {
  const found = changed.map((path) => {
    const rules = RULES.flatMap(([files, select]) => {
      const name = files.exec(path)?.[1];
      return name === undefined ? [] : [select(name, path)];
    });
    return { path, rules };
  });
  const starts = found.flatMap(({ rules }) => rules.flatMap(({ tests }) => tests ?? []));
  const nouns = new Set(found.flatMap(({ rules }) => rules.flatMap(({ flows }) => flows ?? [])));
  return {
    tests: known.tests.filter((test) => starts.some((start) => test.startsWith(start))),
    flows: known.flows.filter((flow) => nouns.has(flow)),
    untested: found.filter(({ path, rules }) => rules.length === 0 && !IMPORTED.test(path)).map(({ path }) => path),
  };
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
