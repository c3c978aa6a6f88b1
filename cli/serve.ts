// `refill serve`: the shop in production. What it checks and starts lives in server/serve/.
import type { Command } from 'commander';
import { serve } from '#server/serve/serve.ts';
import type { Terminal } from './terminal.ts';

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description(
      'run the shop: checks everything first, lists every fault at once and opens nothing then (exit code 1)',
    )
    .option('--role <role>', 'web serves, worker delivers, all does both; REFILL_ROLE unless given')
    .action(async ({ role }: { role?: string }) => {
      const { environment } = terminal;
      // It ends by a signal, with the exit code of its own draining.
      const isRunning =
        role === undefined
          ? await serve(environment)
          : await serve({ ...environment, REFILL_ROLE: role }, { REFILL_ROLE: '--role' });
      if (isRunning) await new Promise(() => {});
      else terminal.setExitCode(1);
    });
}
