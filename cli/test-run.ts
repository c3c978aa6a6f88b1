// A command as an operator runs it, inside a test: what it printed and how it ended.
import { createProgram } from './program.ts';
import { cleanLines } from './terminal.ts';

export type Run = { code: number; out: string; err: string };

/**
 * @param environment the variables of the operator's shell, DATABASE_URL among them; a demo's unless they say otherwise
 * @param answer of the person at the terminal to whatever is asked; left out: a script, nobody is there
 */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  answer?: boolean,
): Promise<Run> {
  const run: Run = { code: 0, out: '', err: '' };
  const program = createProgram({
    environment: { REFILL_ENVIRONMENT: 'demo', ...environment },
    out: (text) => void (run.out += `${text}\n`),
    err: (text) => void (run.err += `${text}\n`),
    setExitCode: (code) => void (run.code = code),
    ask:
      answer === undefined
        ? null
        : async (question) => {
            run.out += `${question}\n`;
            return answer;
          },
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    // As main.ts ends a process whose command threw.
    run.code = 1;
    run.err += cleanLines(`refill: ${(error as Error).message}\n`);
  }
  return run;
}
