// `refill player show`: one player at one look.
import type { Command } from 'commander';
import { money, toDecimal } from '#kernel/money.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { type PlayerPage, readPlayerPage } from '#server/operator/admin/player-page.ts';
import { withDatabase } from '#cli/database.ts';
import { InputFault, type Terminal, cleanText, drawTable, printJson } from '#cli/terminal.ts';
import { drawOrders } from '#cli/orders/order-find.ts';
import { addPlayerFactCommands } from './player-facts.ts';
import { drawRewards } from './event.ts';
import { drawOffers, stateOf } from './offer.ts';
import { PLAYER_OPTION, readBrand, readPlayer } from './player-option.ts';

export function addPlayerCommands(program: Command, terminal: Terminal): void {
  const command = program.command('player').description('what belongs to a player');
  addPlayerFactCommands(command, terminal);
  command
    .command('show')
    .description(
      'one player: accounts, sessions, characters, balances, caps, orders, points, coupons, codes, offers, ' +
        'rewards, real name, age',
    )
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .option('--json', 'one JSON object instead of tables')
    .action(async (options: { brand: string; player: string; json?: boolean }) => {
      const shown = await withDatabase({ environment: terminal.environment }, async (db) => {
        const configuration = await loadConfiguration(db);
        const brand = readBrand(configuration, options.brand);
        const player = await readPlayer(terminal, db, brand.key, options.player, { ...options, isDisabled: true });
        const page = await readPlayerPage(db, configuration, player.player_id);
        if (!page) throw new InputFault(`--player "${options.player}": the player is gone.`);
        return page;
      });
      if (options.json) {
        const offers = shown.offers.map((one) => ({ ...one, state: stateOf(one) }));
        return printJson(terminal, { ...shown, offers });
      }
      const level = shown.level === null ? 'no VIP programme' : `level ${shown.level}`;
      terminal.out(`user_id:${shown.user_id} (player_id:${shown.player_id}): ${shown.points} points, ${level}.`);
      terminal.out(drawFacts(shown));
      terminal.out(
        shown.coupons.length === 0
          ? 'No coupons.'
          : drawTable(
              ['COUPON', 'STATE', 'RATE', 'UNTIL', 'ORDER', 'FROM'],
              shown.coupons.map((one) => [one.code, one.state, one.rate, one.until, one.order, one.source]),
            ),
      );
      if (shown.codes.length > 0)
        terminal.out(
          drawTable(
            ['CODE', 'CREATOR', 'ORDER', 'STATE', 'OFF'],
            shown.codes.map((one) => [one.code, one.creator, one.order, one.state, `${one.currency} ${one.discount}`]),
          ),
        );
      if (shown.first_bonuses.length > 0)
        terminal.out(
          drawTable(
            ['FIRST-PURCHASE BONUS', 'SEASON', 'ORDER', 'STATE'],
            shown.first_bonuses.map((one) => [`${one.game} ${one.product}`, one.season, one.order, one.state]),
          ),
        );
      terminal.out(shown.offers.length === 0 ? 'No offers.' : drawOffers(shown.offers));
      terminal.out(shown.rewards.length === 0 ? 'No rewards of events.' : drawRewards(shown.rewards));
    });
}

/** Facts that are missing have no line. */
function drawFacts(shown: PlayerPage): string {
  const amount = (minor: number | null, currency: Parameters<typeof money>[1]) =>
    minor === null ? 'none' : `${toDecimal(money(minor, currency))} ${currency}`;
  const { real_name: realName } = shown;
  const parts = [
    `${cleanText(shown.username)} of ${shown.brand_key}, known since ${shown.created_at.toISOString()}, ${shown.sessions} ` +
      'live sessions.',
    shown.blocked_at ? `Shut out since ${shown.blocked_at.toISOString()}.` : '',
    realName ? `Real name: ${realName.state} by ${realName.source}, asked ${realName.asked_at.toISOString()}.` : '',
    shown.born === null ? '' : `Born ${shown.born}, as the player or support said.`,
    shown.paused_until ? `Buys nothing until ${shown.paused_until.toISOString()}, by their own wish.` : '',
    ...shown.balances.map(
      (one) => `Balance: ${amount(one.paid_minor, one.currency)} paid, ${amount(one.free_minor, one.currency)} given.`,
    ),
    ...shown.caps.map((one) => {
      const next = one.next_at ? `, ${amount(one.next_cap_minor, one.currency)} from ${one.next_at.toISOString()}` : '';
      return `Cap of a ${one.period}: ${amount(one.cap_minor, one.currency)}${next}.`;
    }),
    drawTable(
      ['WAY IN', 'ACCOUNT', 'SINCE'],
      shown.accounts.map((one) => [one.provider, one.account, one.created_at]),
    ),
    shown.characters.length === 0
      ? 'No characters.'
      : drawTable(
          ['CHARACTER', 'ID', 'LEVEL', 'SERVER', 'CLIENT', 'SEEN'],
          shown.characters.map((one) => [
            one.name,
            one.role_id,
            one.level,
            one.server_name,
            one.client_id,
            one.seen_at,
          ]),
        ),
    shown.orders.length === 0 ? 'No orders.' : drawOrders(shown.orders),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
