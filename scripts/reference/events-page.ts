// docs/reference/events.md: everything that has an event's name, from the tables that bring it about.
import { MOMENTS } from '#contracts/tracking.ts';
import { OrderEvent, WEBHOOK_TYPES } from '#contracts/webhooks.ts';
import { SECURITY_EVENTS } from '#server/platform/security-log.ts';
import { code, drawPage, drawRows } from './markdown.ts';

type Field = { readonly type?: string; readonly description?: string; readonly anyOf?: readonly { type?: string }[] };

export function writeEventsPage(): string {
  const { data } = OrderEvent.properties;
  return drawPage([
    `# Events

Written by \`npm run dump -- reference\` from \`contracts/webhooks.ts\`, \`contracts/tracking.ts\` and \`server/platform/security-log.ts\`. Events with rewards, which players take part in, are another thing: [configuration.md](../configuration.md).`,
    `## Outgoing webhooks

When each is sent, and how it is verified: [webhooks.md](../webhooks.md).`,
    drawRows(
      ['Type'],
      [...WEBHOOK_TYPES, 'webhook.test'].map((type) => [code(type)]),
    ),
    '`data` of each holds the order as it was when the event happened:',
    drawRows(
      ['Field', 'Type', 'Is'],
      Object.entries(data.properties as Record<string, Field>).map(([name, field]) => [
        code(name),
        field.anyOf ? field.anyOf.map(({ type }) => type ?? '').join(' or ') : (field.type ?? ''),
        field.description ?? '',
      ]),
    ),
    `## Moments of a visit

What pages tell where the brand's file has \`tracking\`. No key holds anything about a person.`,
    drawRows(
      ['Id', 'Event', 'When', 'Data'],
      Object.entries(MOMENTS).map(([name, { data: keys, id, moment }]) => [
        code(id),
        code(name),
        moment,
        keys.map(code).join(', '),
      ]),
    ),
    `## Security, in the log

A line carries its event under \`security\`; \`refill_security_events_total\` counts all of them, also those that are too many to be written one by one.`,
    drawRows(
      ['Event', 'Level', 'Says'],
      Object.entries(SECURITY_EVENTS).map(([name, [level, sentence]]) => [code(name), level, sentence]),
    ),
  ]);
}
