// `refill card ...`: issuing prepaid cards, and looking after them. Passwords are written once,
// into a file of the operator.
import { DAY_MS } from '#kernel/time.ts';
import { rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Environment } from '#kernel/environment.ts';
import { money, toDecimal } from '#kernel/money.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { normaliseCardText } from '#server/modules/giftcards/card-secret.ts';
import { type IssuedCard, issueCards, spaceOut } from '#server/modules/giftcards/issue-cards.ts';
import {
  type NewBatch,
  changeCards,
  findCard,
  hasBatch,
  listBatches,
  unlockCard,
} from '#server/modules/giftcards/store.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, type Queryable, transaction } from '#server/platform/database/db.ts';
import { DEMO_SETTINGS } from '#server/platform/settings/published.ts';
import { withDatabase } from '#cli/database.ts';
import { readCommandConfig } from '#cli/environment.ts';
import { addCardReportCommands, noSuchBatch } from './card-report.ts';
import { PLAYER_OPTION, readActor, readAmount, readBrand, readCount, readPlayer } from './player-option.ts';
import { EXIT, InputFault, type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { explainWriting } from '#cli/written-file.ts';

type IssueOptions = {
  count: string; value: string; out: string; brand?: string; game?: string; product?: string; extra: string; kind: string; days: string;
  player?: string; inactive?: boolean; by?: string; json?: boolean;
}; /* a row a line */ // prettier-ignore

const LARGEST_BATCH = 100_000;

type WithShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) => Promise<Result>;

export function addCardCommands(program: Command, terminal: Terminal): void {
  const card = program.command('card').description('issue prepaid cards and look after them');
  const withShopDatabase = <Result>(work: (db: Db, configuration: Configuration) => Promise<Result>) =>
    withDatabase({ environment: terminal.environment }, async (db) => work(db, await loadConfiguration(db)));

  addIssueCommand(card, terminal, withShopDatabase);
  addChangeCommands(card, terminal, withShopDatabase);

  card
    .command('unlock <number>')
    .description('end the lockout of a card that ten wrong passwords brought; exit code 3 when it is not locked out')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (number: string, options: { by?: string; json?: boolean }) => {
      const by = readActor(options.by);
      const cardId = normaliseCardText(number);
      const isDone = await withShopDatabase((db) =>
        transaction(db, async (client) => {
          if (!(await findCard(client, cardId))) throw new InputFault(`There is no card ${number}.`);
          if (!(await unlockCard(client, cardId))) return false;
          await addAudit(client, { actor: by, act: 'card-unlock', billingNo: null, details: { cardId } });
          return true;
        }),
      );
      if (!isDone) terminal.setExitCode(EXIT.impossible);
      if (options.json) return printJson(terminal, { ok: isDone, card: cardId });
      (isDone ? terminal.out : terminal.err)(
        isDone ? `Card ${spaceOut(cardId)} can be used again.` : `Card ${spaceOut(cardId)} is not locked out.`,
      );
    });

  addCardReportCommands(card, terminal, withShopDatabase);
  addListCommands(card, terminal, withShopDatabase);
}

function addIssueCommand(card: Command, terminal: Terminal, withShopDatabase: WithShopDatabase): void {
  card
    .command('issue')
    .description('make a batch of cards; numbers and passwords are written into a CSV file, once')
    .requiredOption('--count <n>', 'how many')
    .requiredOption('--value <currency=amount>', 'what each is worth, e.g. USD=9.99')
    .requiredOption('--out <file>', 'the CSV file; it must not exist yet')
    .option('--brand <key>', 'only in this shop; every brand unless given')
    .option('--game <id>', 'only for this game')
    .option('--product <id>', 'the goods of the game that the card is turned into by itself')
    .option('--extra <n>', 'how much more of them the card gives', '0')
    .option('--kind <kind>', 'the channel that takes it: card or card43', 'card')
    .option('--days <n>', 'good for so many days', '365')
    .option(
      '--player <id>',
      `issued to this player: number and password open the account (needs --brand). ${PLAYER_OPTION}`,
    )
    .option('--inactive', 'not good before `refill card activate`')
    .option('--by <name>', 'who does it, for the audit; your login name unless given')
    .option('--json', 'one JSON object instead of a sentence')
    .action(async (options: IssueOptions) => {
      const by = readActor(options.by);
      const count = readCount('--count', options.count, LARGEST_BATCH);
      const pepper = readPepper(terminal);
      const batchId = await withShopDatabase(async (db, configuration) => {
        const batch = readBatch(configuration, options, by);
        const issuedTo = await readOwner(terminal, db, configuration, options);
        return transaction(db, async (client) => {
          const cards = await issueCards(client, { batch, count, pepper, isActive: !options.inactive, issuedTo });
          await addAudit(client, {
            actor: by,
            act: 'card-issue',
            billingNo: null,
            details: { batch: batch.batch_id, count, value: options.value, to: options.player ?? null },
          });
          // Before the commit: cards whose passwords nobody has are worth less than a file of cards that do not exist.
          await writeCards(options.out, batch, cards);
          return batch.batch_id;
        }).catch(async (error: unknown) => {
          if ((error as { code?: string }).code !== 'EEXIST') await rm(options.out, { force: true });
          throw explainWriting('--out', options.out, error);
        });
      });
      if (options.json) return printJson(terminal, { batch: batchId, count, file: options.out });
      terminal.out(`${count} cards are in ${options.out}, batch ${batchId}. Their passwords are nowhere else.`);
    });
}

function addChangeCommands(card: Command, terminal: Terminal, withShopDatabase: WithShopDatabase): void {
  for (const [name, to, about] of [
    ['activate', 'active', 'make the cards of a batch good'],
    ['void', 'void', 'make unspent cards worthless: a batch, or one card'],
  ] as const) {
    const command = card.command(name).description(`${about}; exit code 3 when there is nothing to change`);
    command.option('--batch <id>', 'all of a batch').option('--by <name>', 'who does it, for the audit');
    if (name === 'void') command.option('--card <number>', 'one card');
    command.action(async (options: { batch?: string; card?: string; by?: string }) => {
      if ((options.batch === undefined) === (options.card === undefined))
        throw new InputFault('Say which: either --batch or --card.');
      const by = readActor(options.by);
      const which =
        options.batch === undefined ? { cardId: normaliseCardText(options.card ?? '') } : { batchId: options.batch };
      const changed = await withShopDatabase((db) =>
        transaction(db, async (client) => {
          const number = await changeCards(client, which, to);
          if (number === 0) await requireCards(client, which, options.card);
          else
            await addAudit(client, {
              actor: by,
              act: `card-${name}`,
              billingNo: null,
              details: { ...which, changed: number },
            });
          return number;
        }),
      );
      if (changed > 0) return terminal.out(`${changed} cards are ${to} now.`);
      terminal.setExitCode(EXIT.impossible);
      terminal.err(`No card was changed: ${IMPOSSIBLE[name]}.`);
    });
  }
}

const IMPOSSIBLE = { activate: 'none of the batch is inactive', void: 'each is spent or void already' };

/** @throws InputFault where nothing was changed because nothing is there */
async function requireCards(
  db: Queryable,
  which: { cardId: string } | { batchId: string },
  number: string | undefined,
): Promise<void> {
  if ('batchId' in which) {
    if (!(await hasBatch(db, which.batchId))) throw noSuchBatch(which.batchId);
  } else if (!(await findCard(db, which.cardId))) throw new InputFault(`There is no card ${number}.`);
}

function addListCommands(card: Command, terminal: Terminal, withShopDatabase: WithShopDatabase): void {
  card
    .command('list')
    .description('batches with their cards by state, and what of each can still be spent')
    .option('--json', 'one JSON object instead of a table')
    .action(async ({ json }: { json?: boolean }) => {
      const batches = await withShopDatabase(listBatches);
      if (json) return printJson(terminal, { batches });
      const show = (one: (typeof batches)[number], minor: number) =>
        `${toDecimal(money(minor, one.currency))} ${one.currency}`;
      terminal.out(
        batches.length === 0
          ? 'No cards were issued.'
          : drawTable(
              ['BATCH', 'BRAND', 'KIND', 'VALUE', 'INACTIVE', 'ACTIVE', 'SPENT', 'VOID', 'OWED', 'UNTIL'],
              batches.map((one) => [
                one.batch_id,
                one.brand_key ?? 'all',
                one.channel,
                show(one, one.face_minor),
                one.created,
                one.active,
                one.spent,
                one.void,
                show(one, one.owed_minor),
                one.valid_to,
              ]),
            ),
      );
    });

  card
    .command('show <number>')
    .description('one card and the last tries with it')
    .option('--json', 'one JSON object instead of tables')
    .action(async (number: string, { json }: { json?: boolean }) => {
      const found = await withShopDatabase((db) => findCard(db, normaliseCardText(number)));
      if (!found) throw new InputFault(`There is no card ${number}.`);
      if (json) return printJson(terminal, found);
      terminal.out(drawTable(['CARD', ''], Object.entries(found.card)));
      if (found.tries.length > 0)
        terminal.out(
          drawTable(
            ['WHEN', 'FOR', 'CAME TO', 'PLAYER', 'BRAND', 'ADDRESS'],
            found.tries.map((one) => [one.at, one.purpose, one.outcome, one.player_id, one.brand_key, one.ip]),
          ),
        );
    });
}

/** The one that `npm start` sells with: a demonstration of an operator's own database has none but its own. */
function demoPepperOf({ environment }: Pick<Terminal, 'environment'>, side: Environment): string {
  const isOwnDatabase = Boolean(environment['DATABASE_URL'] || environment['DATABASE_URL_FILE']);
  return side === 'demo' && !isOwnDatabase ? DEMO_SETTINGS.REFILL_CARD_DEMO_PEPPER : '';
}

/** @throws InputFault where none is set */
export function readPepper(terminal: Pick<Terminal, 'environment'>): string {
  // The command opens whatever database it finds; only the settings of the cards are read here.
  const { environment, providerSettings } = readCommandConfig(terminal.environment, 'postgres://nobody');
  const pepper = providerSettings('card')['PEPPER'] || demoPepperOf(terminal, environment);
  if (pepper.length < 32)
    throw new InputFault(
      `REFILL_CARD_${environment.toUpperCase()}_PEPPER (or _FILE) is missing or shorter than 32 characters: the ` +
        'shop and this command need the same.',
    );
  return pepper;
}

function readBatch(configuration: Configuration, options: IssueOptions, by: string): NewBatch {
  const face = readAmount('--value', options.value);
  if (face.amountMinor < 1) throw new InputFault('--value: it must be above zero.');
  if (options.kind !== 'card' && options.kind !== 'card43')
    throw new InputFault(`--kind "${options.kind}": it must be card or card43.`);
  const brand = options.brand === undefined ? null : readBrand(configuration, options.brand);
  const game = options.game === undefined ? null : configuration.games.get(options.game as never);
  if (game === undefined || (game && brand && !brand.file.games.includes(game.id)))
    throw new InputFault(`--game "${options.game}": there is no such game${brand ? ` in ${brand.key}` : ''}.`);
  const product = options.product === undefined ? null : game?.products.get(options.product);
  if (product === undefined) throw new InputFault(`--product "${options.product}": name a product of --game.`);
  const now = new Date();
  return {
    batch_id: `${now.toISOString().slice(0, 10)}-${randomBytes(3).toString('hex')}`,
    brand_key: brand?.key ?? null,
    channel: options.kind,
    game_id: game?.id ?? null,
    product_id: product?.id ?? null,
    face_minor: face.amountMinor,
    currency: face.currency,
    gems_number: product?.file.amount ?? 0,
    extra_gems: options.extra === '0' ? 0 : readCount('--extra', options.extra, 1_000_000),
    valid_to: new Date(now.getTime() + readCount('--days', options.days, 3660) * DAY_MS),
    issued_by: by,
  };
}

async function readOwner(terminal: Terminal, db: Db, configuration: Configuration, options: IssueOptions) {
  if (options.player === undefined) return null;
  if (options.brand === undefined) throw new InputFault('--player: name the --brand of the account too.');
  return (await readPlayer(terminal, db, readBrand(configuration, options.brand).key, options.player, options))
    .player_id;
}

/** Never over another file, and for nobody else's eyes. */
async function writeCards(file: string, batch: NewBatch, cards: readonly IssuedCard[]): Promise<void> {
  const value = toDecimal(money(batch.face_minor, batch.currency));
  const until = batch.valid_to.toISOString().slice(0, 10);
  const lines = cards.map(({ cardId, password }) =>
    [spaceOut(cardId), spaceOut(password), value, batch.currency, until].join(','),
  );
  await writeFile(file, `number,password,value,currency,valid_until\n${lines.join('\n')}\n`, {
    flag: 'wx',
    mode: 0o600,
  });
}
