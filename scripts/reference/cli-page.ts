// docs/reference/cli.md: every command of `refill`, read from the commands themselves.
import type { Argument, Command, Option } from 'commander';
import { createProgram } from '#cli/program.ts';
import { processTerminal } from '#cli/terminal.ts';
import { code, drawPage, drawRows } from './markdown.ts';

const HEAD = `# Commands

Every command of \`refill\`, as \`npm run refill -- <command>\` in a checkout and \`npx refill <command>\` in a shop of your own. Written by \`npm run dump -- reference\` from the commands themselves. Exit codes: [operating.md](../operating.md#exit-codes).`;

/** The commands of a program that do something themselves, with all their words. */
export function listCommands(program: Command, words: readonly string[] = []): { path: string; command: Command }[] {
  return program.commands.flatMap((command) => {
    const path = [...words, command.name()];
    return [...(doesSomething(command) ? [{ path: path.join(' '), command }] : []), ...listCommands(command, path)];
  });
}

/** `refill archive` and `refill revisions` act themselves and group another one: options tell them from groups. */
const doesSomething = (command: Command): boolean => command.commands.length === 0 || command.options.length > 0;

export const readProgram = (): Command => createProgram(processTerminal);

export function writeCliPage(): string {
  const program = readProgram();
  const commands = listCommands(program);
  return drawPage([
    HEAD,
    drawRows(
      ['Command', 'Does'],
      commands.map(({ path, command }) => [`[${code(path)}](#${path.replaceAll(' ', '-')})`, firstWords(command)]),
    ),
    `## Of every command\n\n${drawOptions(program.options)}`,
    ...commands.map(({ path, command }) => drawCommand(path, command)),
  ]);
}

const firstWords = (command: Command): string => escape(command.description());

/** An angle bracket in prose would be taken for HTML. */
const escape = (text: string): string => text.replaceAll('<', '&lt;');

function drawCommand(path: string, command: Command): string {
  const usage = [
    'refill',
    path,
    ...command.registeredArguments.map(drawArgument),
    command.options.length > 0 ? '[options]' : '',
  ]
    .filter(Boolean)
    .join(' ');
  const aliases = command.aliases();
  return [
    `## ${path}`,
    `${code(usage)}${aliases.length > 0 ? ` (also ${aliases.map(code).join(', ')})` : ''}`,
    `${firstUpper(escape(command.description()))}.`,
    ...(command.options.length > 0 ? [drawOptions(command.options)] : []),
  ].join('\n\n');
}

function drawArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function drawOptions(options: readonly Option[]): string {
  return drawRows(
    ['Option', 'Is'],
    options.map((option) => [code(option.flags), `${escape(option.description)}${drawDefault(option)}`]),
  );
}

function drawDefault({ defaultValue, defaultValueDescription, mandatory }: Option): string {
  if (mandatory) return ' (must be given)';
  if (defaultValueDescription !== undefined) return ` (${defaultValueDescription} unless given)`;
  const isGiven = typeof defaultValue === 'string' && defaultValue !== '';
  return isGiven ? ` (${code(defaultValue)} unless given)` : '';
}

const firstUpper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
