// `refill preview`: the folder's state at an address of its own, before it is applied. Its parts live in
// server/serve/preview/.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Command } from 'commander';
import type { FastifyInstance } from 'fastify';
import { readPreview } from '#server/modules/configuration/service.ts';
import { loadAdapters } from '#server/own-modules/load-modules.ts';
import { createLog } from '#server/platform/log.ts';
import { describeFinding } from '#server/platform/settings/finding.ts';
import { locateShop } from '#server/platform/settings/shop-folder.ts';
import { explainListening } from '#server/serve/explain-start.ts';
import { createPreview } from '#server/serve/preview/preview-app.ts';
import { EXIT, InputFault, type Terminal } from './terminal.ts';
import { readTime } from './times.ts';

type Options = { brand?: string; at?: string; host: string; port: string; hours: string };

/** Names of this machine alone: nobody else reaches them, so no key is asked. */
const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

export function addPreviewCommand(program: Command, terminal: Terminal): void {
  program
    .command('preview')
    .description('show the pages of the folder before it is applied; nothing is bought, logged in or written')
    .option('--brand <key>', 'the brand that is shown first')
    .option('--at <moment>', 'with the prices of that moment, e.g. 2026-12-24T00:00:00Z')
    .option('--host <address>', 'other machines reach it there, by a secret link alone', '127.0.0.1')
    .option('--port <number>', 'port; 0 takes a free one', '4380')
    .option('--hours <number>', 'a secret link, and the preview, end after so many hours', '8')
    .action((options: Options) => serve(terminal, options));
}

async function serve(terminal: Terminal, options: Options): Promise<void> {
  const root = locateShop(terminal.environment);
  const at = options.at === undefined ? null : readTime('--at', options.at).getTime();
  const port = readNumber('--port', options.port, 65_535);
  const hours = readNumber('--hours', options.hours, 168);
  const { adapters, faults } = await loadAdapters(root);
  const read = await readPreview(root, { ...adapters, faults }, at ?? Date.now());
  if (!read.ok) {
    terminal.setExitCode(EXIT.fault);
    return terminal.err(read.faults.map(({ sentence }) => sentence).join('\n'));
  }
  for (const { sentence } of read.warnings) terminal.err(`warning: ${sentence}`);
  const brands = orderBrands([...read.configuration.brands.keys()], options.brand);
  const key = LOOPBACK.includes(options.host) ? null : randomBytes(24).toString('base64url');
  const log = createLog('warn', { write: (line) => terminal.err(line.trimEnd()) });
  const app = await createPreview({ ...read, root, adapters, access: { brands, key }, at, log });
  await listenAt(app, { port, host: options.host });
  const address = app.server.address();
  const found = typeof address === 'object' && address ? address.port : port;
  const name = options.host.includes(':') ? `[${options.host}]` : options.host;
  terminal.out(
    key === null
      ? `Preview of ${root}: http://127.0.0.1:${found}/ (this machine alone; Ctrl-C ends it)`
      : `Preview of ${root}: http://${name}:${found}/preview/open/${key} (whoever has this link, for ${hours} ` +
          'hours; Ctrl-C ends it)',
  );
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const timer = key === null ? null : setTimeout(() => ending.abort(), hours * 3_600_000);
  await once(ending.signal, 'abort');
  if (timer) clearTimeout(timer);
  await app.close();
}

/** @throws InputFault for a port that is taken and for an address that is no own one; the app is closed then */
export async function listenAt(app: FastifyInstance, asked: { port: number; host: string }): Promise<void> {
  try {
    await app.listen(asked);
  } catch (error) {
    await app.close();
    const fault = explainListening(error, { port: '--port', host: '--host' }, asked);
    throw fault === null ? error : new InputFault(describeFinding(fault));
  }
}

function orderBrands(brands: readonly string[], first: string | undefined): string[] {
  if (first === undefined) return [...brands];
  if (!brands.includes(first)) throw new InputFault(`--brand "${first}": there are ${brands.join(', ')}.`);
  return [first, ...brands.filter((brand) => brand !== first)];
}

function readNumber(option: string, text: string, most: number): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) > most)
    throw new InputFault(`${option} "${text}": it must be a whole number up to ${most}.`);
  return Number(text);
}
