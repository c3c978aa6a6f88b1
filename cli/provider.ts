// `refill provider ...`: beginning a payment provider.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { scaffoldProvider } from './scaffold.ts';
import type { Terminal } from './terminal.ts';

export function addProviderCommands(program: Command, terminal: Terminal): void {
  const provider = program.command('provider').description('payment providers of this code base');
  provider
    .command('new <name>')
    .description('begin an adapter, its stand-in and its declaration for the conformance suite')
    .option('--title <text>', 'as people write it; the name with a capital unless given')
    .option('--root <folder>', "the project's folder", resolve(import.meta.dirname, '..'))
    .action(async (name: string, options: { title?: string; root: string }) => {
      const title = options.title ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const paths = await scaffoldProvider(resolve(options.root), { name, title });
      terminal.out(
        [
          `${title} begins in ${paths.length} files:`,
          ...paths.map((path) => `  ${path}`),
          'Types pass; the conformance suite now says what is missing, case by case:',
          `  npm test -- e2e/conformance -t ${name}`,
          'docs/adding-a-provider.md tells what each verb means.',
        ].join('\n'),
      );
    });
}
