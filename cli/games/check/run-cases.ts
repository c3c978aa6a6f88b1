// Runs the cases of `refill game check` one after the other and says what came of each.
import { ulid } from 'ulid';
import { Broken, type Case, type CheckedGame, NotOffered, type Subject } from './case.ts';
import { type Answer, createCaller, NoAnswer } from './call.ts';
import { GRANT_CASES } from './grant-cases.ts';
import { READ_CASES } from './read-cases.ts';
import { SIGNATURE_CASES } from './signature-cases.ts';

export const CASES: readonly Case[] = [...SIGNATURE_CASES, ...READ_CASES, ...GRANT_CASES];

export type Result = {
  readonly name: string;
  readonly about: string;
  readonly section: string;
  readonly outcome: 'ok' | 'broken' | 'not_offered';
  /** States the expected and the actual answer, or the missing offer. */
  readonly said: string | null;
};

/** The longest answer of a verb, in milliseconds, where it is longer than the contract wants. */
export type Slow = { readonly verb: string; readonly milliseconds: number; readonly wanted: number };

/** @source docs/game-server-contract.md, "Requests": a player waits for these */
const WAITED_FOR: ReadonlySet<string> = new Set(['servers', 'roles', 'check']);
const wantedMs = (verb: string): number => (WAITED_FOR.has(verb) ? 300 : 1000);

/** @param onResult told of each case as it ends */
export async function runCases(
  game: { baseUrl: string; secret: string; subject: Subject },
  cases: readonly Case[],
  onResult: (result: Result) => void,
): Promise<{ results: readonly Result[]; slow: readonly Slow[] }> {
  const longest = new Map<string, number>();
  const onAnswer = (verb: string, { milliseconds }: Answer): void => {
    longest.set(verb, Math.max(longest.get(verb) ?? 0, Math.round(milliseconds)));
  };
  const checked: CheckedGame = {
    call: createCaller(game.baseUrl, game.secret, onAnswer),
    subject: game.subject,
    billingNo: () => ulid(),
  };
  const results: Result[] = [];
  for (const { run, ...about } of cases) {
    const result = { ...about, ...(await outcomeOf(() => run(checked))) };
    results.push(result);
    onResult(result);
  }
  const slow = [...longest]
    .map(([verb, milliseconds]) => ({ verb, milliseconds, wanted: wantedMs(verb) }))
    .filter((one) => one.milliseconds > one.wanted);
  return { results, slow };
}

async function outcomeOf(run: () => Promise<void>): Promise<Pick<Result, 'outcome' | 'said'>> {
  try {
    await run();
    return { outcome: 'ok', said: null };
  } catch (error) {
    if (error instanceof NotOffered) return { outcome: 'not_offered', said: error.message };
    if (error instanceof Broken || error instanceof NoAnswer) return { outcome: 'broken', said: error.message };
    throw error;
  }
}
