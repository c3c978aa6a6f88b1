// `refill webhooks deliveries` and `replay`: what was sent to an endpoint, and sending it once more.
import type { Command } from 'commander';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { listMessages, replayMessages } from '#server/modules/webhooks/store.ts';
import { pageOf } from '#server/platform/cursor.ts';
import { transaction } from '#server/platform/database/db.ts';
import { withDatabase } from '#cli/database.ts';
import { readActor, readCount } from '#cli/players/player-option.ts';
import { InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { readPage, readTimes } from '#cli/times.ts';
import { readEndpoint } from './webhook-option.ts';

const STATES = ['queued', 'calling', 'done', 'dead'] as const;
const LARGEST_LIMIT = 1000;

type ListOptions = { state?: string; order?: string; limit: string; before?: string; json?: boolean };
type ReplayOptions = { message?: string; since?: string; until?: string; state?: string; by?: string; json?: boolean };

export function addMessageCommands(webhooks: Command, terminal: Terminal): void {
  const environment = terminal.environment;
  webhooks
    .command('deliveries <endpoint>')
    .description('messages of an endpoint; the newest first')
    .option('--state <state>', STATES.join(', '))
    .option('--order <billing_no>', 'of one order')
    .option('--limit <n>', 'at most so many', '50')
    .option('--before <cursor>', 'the page behind this one, as its last line names it')
    .option('--json', 'one JSON object instead of a table')
    .action(async (endpointId: string, options: ListOptions) => {
      const limit = readCount('--limit', options.limit, LARGEST_LIMIT);
      const state = readState(options.state);
      const before = readPage(options.before);
      const found = await withDatabase({ environment }, async (db) => {
        await readEndpoint(db, endpointId);
        return listMessages(db, { endpointId, state, billingNo: options.order ?? null, before }, limit + 1);
      });
      const { rows: shown, next } = pageOf(found, limit, (message) => message.message_id);
      if (options.json) return printJson(terminal, { messages: shown, next });
      terminal.out(
        shown.length === 0
          ? 'No message fits.'
          : drawTable(
              ['MESSAGE', 'HAPPENED', 'TYPE', 'ORDER', 'STATE', 'TRIES', 'ANSWER', 'NEXT', 'REASON'],
              shown.map((one) => [
                one.message_id,
                one.created_at,
                one.type,
                one.billing_no,
                one.state,
                one.tries,
                one.last_status,
                one.state === 'done' || one.state === 'dead' ? null : one.next_at,
                one.last_error,
              ]),
            ),
      );
      if (next) terminal.out(`More: --before ${next}`);
    });

  webhooks
    .command('replay <endpoint>')
    .description(
      'send messages again: those that were given up, or all of a time; the id stays, so receivers know them',
    )
    .option('--message <id>', 'one of them')
    .option('--since <time>', 'happened at or after: 2026-11-21 or 2026-11-21T08:30:00Z (UTC)')
    .option('--until <time>', 'happened before')
    .option('--state <state>', 'dead or done; dead unless --message is given', undefined)
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (endpointId: string, options: ReplayOptions) => {
      const messageId = options.message ?? null;
      const state = readState(options.state) ?? (messageId === null ? 'dead' : null);
      if (state !== null && state !== 'dead' && state !== 'done')
        throw new InputFault(`--state "${state}": messages that still wait need no replay; write dead or done.`);
      const { since, until } = readTimes(options);
      if (messageId === null && since === null)
        throw new InputFault('Say which: --message, or --since (and --until, --state).');
      const by = readActor(options.by);
      const count = await withDatabase({ environment }, (db) =>
        transaction(db, async (client) => {
          await readEndpoint(client, endpointId);
          const replayed = await replayMessages(client, { endpointId, messageId, state, since, until });
          const details = { endpoint: endpointId, message: messageId, state, since, until, messages: replayed };
          if (replayed > 0) await addAudit(client, { actor: by, act: 'webhook-replay', billingNo: null, details });
          return replayed;
        }),
      );
      if (options.json) return printJson(terminal, { ok: true, messages: count });
      terminal.out(count === 0 ? 'No message fits.' : `${count} messages go out again.`);
    });
}

function readState(text: string | undefined): (typeof STATES)[number] | null {
  if (text === undefined) return null;
  const state = STATES.find((known) => known === text);
  if (!state) throw new InputFault(`--state "${text}": it must be one of ${STATES.join(', ')}.`);
  return state;
}
