// The operator's command: `npm run refill -- <command>`. The process around the program: its faults and its exit code.
import { createProgram } from './program.ts';
import { cleanLines, processTerminal } from './terminal.ts';

try {
  await createProgram(processTerminal).parseAsync();
} catch (error) {
  // A database that is not there is daily life, not a bug; DEBUG shows where it happened.
  console.error(process.env.DEBUG ? error : cleanLines(describe(error)));
  process.exitCode = 1;
}
// Said outright: the embedded PostgreSQL's exit hook would end the process with 0. The empty write waits
// for what was printed before.
const exitCode = process.exitCode ?? 0;
process.stdout.write('', () => process.exit(exitCode));

function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return `refill: ${message || code || String(error)}`;
}
