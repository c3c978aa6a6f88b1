// THE table of what goes: settings and keys of files that are still read, since when they are deprecated, with which
// version they are gone, and what stands in their place. `refill plan`, `refill doctor` and every start warn of them.
// The rule, and how long one lasts: docs/releases.md. Functions of the database have marks of their own in
// their files (`-- until <version>`).
import type { Finding } from './settings/finding.ts';
import type { Variables } from './settings/setting.ts';

type Deprecation = {
  /** The first version that warns. */
  readonly since: string;
  /** The first version that refuses it; a test fails when this version is that one. */
  readonly removedIn: string;
};

/** Read as `now`, unless `now` itself is set; so is `<name>_FILE`. */
type DeprecatedSetting = Deprecation & { readonly name: string; readonly now: string };

type DeprecatedKey = Deprecation & {
  readonly file: 'brand' | 'game' | 'channels' | 'regions';
  /** From the top of the file; `*` is every entry of a list. */
  readonly at: readonly string[];
  /** Only these values are left out without a loss; another one is refused. All, unless given. */
  readonly mayBe?: readonly unknown[];
  /** Advises the operator: an imperative without its full stop. */
  readonly instead: string;
};

const SINCE_0_2 = { since: '0.2.0', removedIn: '0.3.0' } as const;

export const DEPRECATED_SETTINGS: readonly DeprecatedSetting[] = [
  { ...SINCE_0_2, name: 'REFILL_HEALTH_PORT', now: 'REFILL_OPERATOR_PORT' },
  { ...SINCE_0_2, name: 'REFILL_HEALTH_HOST', now: 'REFILL_OPERATOR_HOST' },
  { ...SINCE_0_2, name: 'REFILL_HEALTH_TOKEN', now: 'REFILL_OPERATOR_TOKEN' },
];

const EVENTS_RUN = 'remove the line: the events of the game files are what runs';

export const DEPRECATED_KEYS: readonly DeprecatedKey[] = [
  { ...SINCE_0_2, file: 'brand', at: ['hasEvents'], instead: EVENTS_RUN },
  {
    ...SINCE_0_2,
    file: 'brand',
    at: ['needsRealName'],
    // A shop that asked for real names must not lose the check unnoticed.
    mayBe: [false],
    instead: 'remove the line, or write realName: game or operator where names are checked',
  },
  { ...SINCE_0_2, file: 'game', at: ['hasRoleChoice'], instead: 'remove the line: it decided nothing' },
  { ...SINCE_0_2, file: 'game', at: ['hasCumulativeEvent'], instead: EVENTS_RUN },
  { ...SINCE_0_2, file: 'game', at: ['hasContinuousEvent'], instead: EVENTS_RUN },
  {
    ...SINCE_0_2,
    file: 'game',
    at: ['goods', '*', 'couponPoints'],
    instead: 'remove the line: points follow from the price (vip.points of the brand)',
  },
  {
    ...SINCE_0_2,
    file: 'game',
    at: ['goods', '*', 'flag'],
    instead: 'remove the line: firstTime, isSpecial and offers say what is special',
  },
];

/** "is deprecated since 0.2.0 and gone with 0.3.0". */
export const describeEnd = ({ removedIn, since }: Deprecation): string =>
  `is deprecated since ${since} and gone with ${removedIn}`;

/** The same variables by their names of today, and a warning for each that has another one. */
export function renameSettings(variables: Variables): { variables: Variables; warnings: Finding[] } {
  const today: Record<string, string | undefined> = { ...variables };
  const warnings: Finding[] = [];
  for (const setting of DEPRECATED_SETTINGS) {
    for (const ending of ['', '_FILE']) {
      const name = setting.name + ending;
      const now = setting.now + ending;
      if (today[name] === undefined) continue;
      warnings.push({ name, reason: describeEnd(setting), remedy: `name it ${now}` });
      // Whichever way the value of today is given, it is the one that counts.
      if (today[setting.now] === undefined && today[`${setting.now}_FILE`] === undefined) today[now] = today[name];
      delete today[name];
    }
  }
  return { variables: today, warnings };
}
