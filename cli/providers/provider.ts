// `refill provider ...`: which payment providers there are, whether one is set up right, and beginning a new one.
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { type CallbackOptions, sendCallback } from './callback.ts';
import { EVENT_NAMES } from './callback-event.ts';
import { runCheck } from './provider-check.ts';
import { listProviders } from './provider-list.ts';
import { scaffoldProvider } from './scaffold.ts';
import type { Terminal } from '#cli/terminal.ts';
import { writeTo } from '#cli/written-file.ts';

const project = resolve(import.meta.dirname, '..', '..');

export function addProviderCommands(program: Command, terminal: Terminal): void {
  const provider = program
    .command('provider')
    .description('payment providers: which are on, whether they work, beginning a new one');
  provider
    .command('new <name>')
    .description('begin an adapter, its simulator and its declaration for the conformance suite')
    .option('--title <text>', 'as people write it; the name with a capital unless given')
    .addOption(new Option('--root <folder>', 'where to write').default(project, 'this checkout'))
    .action(async (name: string, options: { title?: string; root: string }) => {
      const title = options.title ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const paths = await writeTo('--root', options.root, () =>
        scaffoldProvider(resolve(options.root), { name, title }),
      );
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
  provider
    .command('list')
    .description('each provider: on or off in this environment (REFILL_ENVIRONMENT), what is missing, what it can do')
    .option('--json', 'one JSON object instead of tables')
    .action((options: { json?: boolean }) => listProviders(terminal, options));
  provider
    .command('check <name>')
    .description(
      'settings, hosts, credentials and clock of a provider, by a harmless call; exit code 1 when something is wrong',
    )
    .option('--json', 'one JSON object instead of sentences')
    .action((name: string, options: { json?: boolean }) => runCheck(terminal, name, options));
  provider
    .command('callback <name> <event>')
    .description(
      'one message of a provider about an order, signed by its simulator and posted to the running shop, with ' +
        `both sides shown: ${EVENT_NAMES.join(', ')}, or an event as the provider names it; never on a live ` +
        'environment',
    )
    .requiredOption('--order <number>', 'the order number')
    .option('--attempt <n>', 'which payment of the order; the last one at this provider unless given')
    .option('--url <address>', 'of the shop; where npm start listens unless given')
    .option('--json', 'one JSON object instead of lines')
    .action((name: string, event: string, options: CallbackOptions) => sendCallback(terminal, name, event, options));
}
