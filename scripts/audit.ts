// npm run audit: what is known against the packages this shop runs on, and how old they are. It only tells: what
// to do about it is a person's decision, so it never fails, not even without a network.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from './run-tool.ts';
import { answerHelp } from './usage.ts';

type Vulnerability = {
  name: string;
  severity: string;
  range: string;
  fixAvailable: unknown;
  via: (string | { title?: string; url?: string })[];
};
type Audit = { vulnerabilities?: Record<string, Vulnerability>; message?: string; error?: { summary?: string } };
type Outdated = Record<string, { current?: string; wanted: string; latest: string }>;

const SEVERITIES = ['critical', 'high', 'moderate', 'low', 'info'];
/** Our choice: a registry that is silent for a minute will stay so. */
const TIMEOUT_MS = 60_000;

/** Asks npm for JSON. It ends with 1 when it has something to report, so the code means nothing. */
async function askNpm<Answer>(...args: string[]): Promise<Answer | null> {
  const options = { cwd: projectRoot, timeout: TIMEOUT_MS, maxBuffer: 64 << 20, shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)('npm', [...args, '--json'], options).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    return null;
  }
}

/** One line each, the worst first. */
export function tellVulnerabilities(audit: Audit | null): string[] {
  if (!audit?.vulnerabilities)
    return [`The registry could not be asked: ${audit?.error?.summary || audit?.message || 'no answer'}.`];
  const known = Object.values(audit.vulnerabilities).toSorted(
    (one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
  );
  if (known.length === 0) return ['Nothing is known against the packages that run in production.'];
  return known.map(({ name, severity, range, fixAvailable, via }) => {
    const reasons = via.map((one) =>
      typeof one === 'string' ? `through ${one}` : [one.title, one.url].filter(Boolean).join(' '),
    );
    return (
      `${severity.padEnd(9)} ${name} ${range}: ` +
      `${reasons.join('; ')}${fixAvailable ? ' (a fixed version exists)' : ''}`
    );
  });
}

export function tellOutdated(outdated: Outdated | null): string[] {
  return Object.entries(outdated ?? {}).map(
    ([name, { current, latest }]) => `${name}: ${current ?? 'not installed'} here, ${latest} is out`,
  );
}

if (import.meta.main) {
  answerHelp(`Usage: npm run audit

What is known against the packages, and how old they are. It only tells: exit code 0 also without a network.`);
  const [audit, outdated] = await Promise.all([askNpm<Audit>('audit', '--omit=dev'), askNpm<Outdated>('outdated')]);
  console.log(tellVulnerabilities(audit).join('\n'));
  const old = tellOutdated(outdated);
  if (old.length > 0) console.log(`\nNewer versions:\n${old.join('\n')}`);
}
