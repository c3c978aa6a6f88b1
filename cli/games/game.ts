// `refill game ...`: whether a game's server keeps the contract, and single calls to it with both sides shown.
import type { Command } from 'commander';
import { drawTable, EXIT, InputFault, printJson, type Terminal } from '#cli/terminal.ts';
import { createCaller } from './check/call.ts';
import { CASES, type Result, runCases, type Slow } from './check/run-cases.ts';
import { addGameOptions, type GameOptions, readGameAddress, readSubject } from './game-options.ts';
import { SENT_VERBS, type SendOptions, sendCall } from './send.ts';

type CheckOptions = GameOptions & { only?: string; json?: boolean; list?: boolean };

export function addGameCommands(program: Command, terminal: Terminal): void {
  const game = program
    .command('game')
    .description("a game's server: whether it keeps the contract, single calls to it");
  addGameOptions(game.command('check <game>'), true)
    .description(
      `the game server contract as ${CASES.length} cases against a server; it delivers goods to the named ` +
        'player, so name one of your own',
    )
    .option('--only <pattern>', 'cases whose name matches, a regular expression')
    .option('--json', 'one JSON object instead of a table')
    .action((gameId: string, options: CheckOptions) => check(terminal, gameId, options));
  game
    .command('cases')
    .description('lists the cases of `game check`')
    .action(() =>
      terminal.out(
        drawTable(
          ['CASE', 'THE CONTRACT SAYS', 'SECTION'],
          CASES.map((one) => [one.name, one.about, one.section]),
        ),
      ),
    );
  addGameOptions(game.command('send <game> <verb>'), false)
    .description(`one signed call, with both sides shown: ${SENT_VERBS.join(', ')}`)
    .option('--order <number>', 'the order number; a new one unless given, so that a grant can be sent again')
    .option('--reason <word>', 'of a revoke: refund, chargeback or operator', 'operator')
    .option('--json', 'one JSON object instead of lines')
    .action((gameId: string, verb: string, options: SendOptions) => sendCall(terminal, gameId, verb, options));
}

async function check(terminal: Terminal, gameId: string, options: CheckOptions): Promise<void> {
  const chosen = CASES.filter(({ name }) => readPattern(options.only ?? '').test(name));
  if (chosen.length === 0) throw new InputFault(`No case matches "${options.only}": refill game cases lists them.`);
  const address = await readGameAddress(terminal, gameId, options);
  const subject = await readSubject(
    terminal,
    createCaller(address.baseUrl, address.secret, () => undefined),
    gameId,
    options,
  );
  if (!options.json) {
    const { userId, roleId, serverId, productId } = subject;
    terminal.out(`${gameId} at ${address.baseUrl}: ${chosen.length} cases`);
    terminal.out(`Goods (${productId}) go to character ${roleId} of ${userId} on ${serverId}.\n`);
  }
  const { results, slow } = await runCases({ ...address, subject }, chosen, (result) => {
    if (!options.json) terminal.out(line(result));
  });
  const isKept = results.every(({ outcome }) => outcome !== 'broken');
  if (!isKept) terminal.setExitCode(EXIT.fault);
  if (options.json) printJson(terminal, { ok: isKept, game: gameId, address: address.baseUrl, cases: results, slow });
  else terminal.out(`\n${summary(results, slow)}`);
}

/** Of the longest name, and a blank. */
const NAME_WIDTH = Math.max(...CASES.map(({ name }) => name.length)) + 1;

const WORDS = { ok: 'ok      ', broken: 'BROKEN  ', not_offered: 'absent  ' } as const;

function line({ name, about, section, outcome, said }: Result): string {
  const first = `${WORDS[outcome]}${name.padEnd(NAME_WIDTH)}${about}`;
  if (said === null) return first;
  const place = outcome === 'broken' ? ` (contract, "${section}")` : '';
  return `${first}\n${' '.repeat(8 + NAME_WIDTH)}${said}${place}`;
}

function summary(results: readonly Result[], slow: readonly Slow[]): string {
  const count = (outcome: Result['outcome']) => results.filter((one) => one.outcome === outcome).length;
  return [
    ...slow.map(
      ({ verb, milliseconds, wanted }) => `${verb} took up to ${milliseconds} ms; the contract aims at ${wanted} ms.`,
    ),
    `${results.length} cases: ${count('ok')} ok, ${count('broken')} broken, ${count('not_offered')} not offered.`,
  ].join('\n');
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch {
    throw new InputFault(`--only "${text}": it is no regular expression; write part of a name, e.g. grant.`);
  }
}
