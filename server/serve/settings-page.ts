// docs/settings.md: every variable there is, written from the tables and declarations that the code reads by.
import { DEPRECATED_SETTINGS } from '#server/platform/deprecations.ts';
import { OTHER_SETTINGS, SETTINGS } from '#server/platform/settings/settings-table.ts';
import { describeForm, formOf } from '#kernel/setting-form.ts';
import { type KnownOwner, type KnownSetting, listKnownGames, listKnownOwners } from './known-settings.ts';

const HEAD = `# Settings

Every variable that a process reads. Written by \`npm run refill -- settings\` from the tables in the code; a test keeps the two equal, so change
\`server/platform/settings/settings-table.ts\` or an adapter's declaration and run the command.

A variable that begins with \`REFILL_\` and does not stand here stops a start. Secrets may stand in a file: where "file" says so, \`<NAME>_FILE\` names it.

## Of a process
`;

const SCOPED = `
## Of providers, logins and games

Each belongs to one environment: \`REFILL_<OWNER>_DEMO_<NAME>\` or \`REFILL_<OWNER>_LIVE_<NAME>\`, and each may stand in a file (\`..._FILE\`). A process reads those of its own
environment; a live one refuses a secret that is the same in demo. A value that is none of "Values" stops a start in both; where nothing stands there, any text is one. A provider or login without its required settings is off, its channels are not offered.
Addresses need not be set: the official ones hold. In live they must be https and official, or be named in \`..._LIVE_ALLOW_HOST\`.
`;

export function writeSettingsPage(): string {
  const plain = [...Object.values(SETTINGS), ...OTHER_SETTINGS].map((one) => [
    `\`${one.name}\``,
    one.about,
    one.fallback === '' ? '' : `\`${one.fallback}\``,
    one.range,
    [one.isSecret ? 'secret' : '', one.mayBeFile ? 'file' : ''].filter(Boolean).join(', '),
    one.readBy,
  ]);
  const owners = [...listKnownGames(['<game>']), ...listKnownOwners()];
  return `${HEAD}
${drawRows(['Variable', 'What it decides', 'Default', 'Values', '', 'Read by'], plain)}
${SCOPED}
${owners.map(writeOwner).join('\n\n')}
${writeDeprecated()}`;
}

/** Nothing while no setting is deprecated. */
function writeDeprecated(): string {
  if (DEPRECATED_SETTINGS.length === 0) return '';
  const rows = DEPRECATED_SETTINGS.map((one) => [`\`${one.name}\``, `\`${one.now}\``, one.since, one.removedIn]);
  return `
## Deprecated names

Still read, with a warning at every start and in \`refill doctor\` and \`refill plan\` (docs/releases.md).

${drawRows(['Variable', 'Its name today', 'Deprecated since', 'Refused from'], rows)}
`;
}

function writeOwner({ owner, settings, title }: KnownOwner): string {
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    setting.about,
    writeForm(setting),
    writeMarks(setting),
  ]);
  const head = ['Name', 'What it is', 'Values', ''];
  return `### ${title}\n\n\`REFILL_${owner}_<DEMO|LIVE>_...\`\n\n${drawRows(head, rows)}`;
}

function writeForm(setting: KnownSetting): string {
  const form = formOf(setting);
  return form && form.kind !== 'text' ? describeForm(form) : '';
}

function writeMarks({ isLiveOnly, isRequired, isSecret, minBytes }: KnownSetting): string {
  const secret = isSecret ? (minBytes ? `secret of ${minBytes} bytes or more` : 'secret') : '';
  return [isRequired ? 'required' : '', secret, isLiveOnly ? 'live only' : ''].filter(Boolean).join(', ');
}

function drawRows(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
