// `refill webhooks ...`: which of the operator's systems hear of orders, and what became of each message.
import type { Command } from 'commander';
import { WEBHOOK_TYPES, type WebhookType } from '#contracts/webhooks.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { makeEndpoint, rotateSecret, testEndpoint } from '#server/modules/webhooks/service.ts';
import { type Endpoint, enableEndpoint, listEndpoints, removeEndpoint } from '#server/modules/webhooks/store.ts';
import type { Config } from '#server/platform/config.ts';
import { type Db, type Queryable, transaction } from '#server/platform/database/db.ts';
import { createOutbound } from '#server/platform/outbound/outbound.ts';
import { findAddressFault, publicHosts } from '#server/platform/outbound/outbound-public.ts';
import { withDatabase } from '#cli/database.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { readActor, readBrand } from '#cli/players/player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { readEndpoint } from './webhook-option.ts';
import { addMessageCommands } from './webhook-messages.ts';

type Common = { by?: string; json?: boolean };
type AddOptions = Common & { types?: string; brand?: string };

const NO_SETTING = 'REFILL_KEY_SECRETS is not set: secrets are made of it. Make one with `openssl rand -base64 32`.';

export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhooks = program
    .command('webhooks')
    .alias('webhook')
    .description('tell systems of your own what becomes of orders (docs/webhooks.md)');
  const open = <Result>(work: (db: Db, config: Config) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, (db, url) =>
      work(db, readCommandConfig(terminal.environment, url)),
    );
  const act = (name: string, about: string) =>
    webhooks
      .command(name)
      .description(about)
      .option('--by <name>', 'who does it, for the audit; your login name unless given')
      .option('--json', 'one JSON object instead of sentences');

  act('add <url>', 'add an endpoint; its secret is shown this once')
    .option('--types <list>', `events by commas, of ${WEBHOOK_TYPES.join(', ')}; all unless given`)
    .option('--brand <key>', 'of one brand only')
    .action(async (url: string, options: AddOptions) => {
      const by = readActor(options.by);
      const types = readTypes(options.types);
      const made = await open(async (db, config) => {
        const fault = findAddressFault(url, new Set(config.webhookPrivateHosts));
        if (fault)
          throw new InputFault(
            `"${url}": ${fault}. REFILL_WEBHOOK_PRIVATE_HOSTS names hosts that may be private or without TLS.`,
          );
        const brandKey: BrandKey | null =
          options.brand === undefined ? null : readBrand(await loadConfiguration(db), options.brand).key;
        return transaction(db, async (client) => {
          const endpoint = await makeEndpoint(client, config.keySecrets, { url, types, brandKey, by });
          if (!endpoint) throw new InputFault(NO_SETTING);
          await audit(client, by, 'webhook-add', { endpoint: endpoint.endpointId, url, types, brand: brandKey });
          return endpoint;
        });
      });
      if (options.json) return printJson(terminal, { endpoint_id: made.endpointId, url, types, secret: made.secret });
      terminal.out(`${made.endpointId} is told of ${types.join(', ')}. Its secret, shown this once:`);
      terminal.out(`  ${made.secret}`);
      terminal.out(`Try it: refill webhooks test ${made.endpointId}`);
    });

  webhooks
    .command('list')
    .description('endpoints, and how they do')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: Common) => {
      const endpoints = await open((db) => listEndpoints(db));
      if (json)
        return printJson(terminal, {
          endpoints: endpoints.map(({ secret_hash: _hash, previous_hash: _before, ...shown }) => shown),
        });
      terminal.out(
        endpoints.length === 0
          ? 'No endpoint is told of anything.'
          : drawTable(
              ['ENDPOINT', 'URL', 'EVENTS', 'BRAND', 'STATE', 'SINCE'],
              endpoints.map((one) => [one.endpoint_id, one.url, one.types.join(' '), one.brand_key, ...stateOf(one)]),
            ),
      );
    });

  act('remove <endpoint>', 'remove an endpoint and every message of it').action(
    async (endpointId: string, options: Common) => {
      const by = readActor(options.by);
      const waiting = await open((db) =>
        transaction(db, async (client) => {
          const { url } = await readEndpoint(client, endpointId);
          const left = await removeEndpoint(client, endpointId);
          await audit(client, by, 'webhook-remove', { endpoint: endpointId, url, waiting: left });
          return left ?? 0;
        }),
      );
      if (options.json) return printJson(terminal, { ok: true, endpoint_id: endpointId, waiting });
      terminal.out(`${endpointId} is removed; ${waiting} messages that waited for it are gone.`);
    },
  );

  act(
    'enable <endpoint>',
    'call a disabled endpoint again; what waited goes out. Exit code 3 when it is not disabled',
  ).action(async (endpointId: string, options: Common) => {
    const by = readActor(options.by);
    const isDone = await open((db) =>
      transaction(db, async (client) => {
        await readEndpoint(client, endpointId);
        if (!(await enableEndpoint(client, endpointId))) return false;
        await audit(client, by, 'webhook-enable', { endpoint: endpointId });
        return true;
      }),
    );
    if (!isDone) terminal.setExitCode(EXIT.impossible);
    if (options.json) return printJson(terminal, { ok: isDone, endpoint_id: endpointId });
    (isDone ? terminal.out : terminal.err)(`${endpointId} is ${isDone ? 'called again' : 'not disabled'}.`);
  });

  act('rotate <endpoint>', 'give it a new secret, shown this once; for a day both sign').action(
    async (endpointId: string, options: Common) => {
      const by = readActor(options.by);
      const secret = await open((db, config) =>
        transaction(db, async (client) => {
          const made = await rotateSecret(client, config.keySecrets, await readEndpoint(client, endpointId));
          if (made === null) throw new InputFault(NO_SETTING);
          await audit(client, by, 'webhook-rotate', { endpoint: endpointId });
          return made;
        }),
      );
      if (options.json) return printJson(terminal, { endpoint_id: endpointId, secret });
      terminal.out(`The new secret of ${endpointId}, shown this once; the old one signs as well for a day:`);
      terminal.out(`  ${secret}`);
    },
  );

  webhooks
    .command('test <endpoint>')
    .description('call it once, now, with an event of the type webhook.test; exit code 1 when it does not take it')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (endpointId: string, { json }: Common) => {
      const sent = await open(async (db, config) => {
        const endpoint = await readEndpoint(db, endpointId);
        const outbound = createOutbound(publicHosts(new Set(config.webhookPrivateHosts)));
        try {
          return await testEndpoint({ outbound, now: Date.now }, config.keySecrets, endpoint);
        } finally {
          await outbound.close();
        }
      });
      if (!sent)
        throw new InputFault('the secret of this endpoint was made of a REFILL_KEY_SECRETS that is not set here.');
      if (!sent.isDone) terminal.setExitCode(EXIT.fault);
      if (json) return printJson(terminal, { ok: sent.isDone, status: sent.status, error: sent.error });
      (sent.isDone ? terminal.out : terminal.err)(
        sent.isDone ? `It was taken: ${sent.status}.` : `It was not taken: ${sent.error}.`,
      );
    });

  addMessageCommands(webhooks, terminal);
}

function readTypes(list: string | undefined): WebhookType[] {
  if (list === undefined) return [...WEBHOOK_TYPES];
  const names = [...new Set(list.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    const type = WEBHOOK_TYPES.find((known) => known === name);
    if (!type) throw new InputFault(`--types "${name}": it must be one of ${WEBHOOK_TYPES.join(', ')}.`);
    return type;
  });
}

function stateOf(endpoint: Endpoint): [string, Date] {
  if (endpoint.disabled_at) return ['disabled', endpoint.disabled_at];
  return endpoint.failing_since ? ['failing', endpoint.failing_since] : ['ok', endpoint.created_at];
}

function audit(db: Queryable, actor: string, act: string, details: object): Promise<void> {
  return addAudit(db, { actor, act, billingNo: null, details });
}
