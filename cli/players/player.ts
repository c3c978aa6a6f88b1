// `refill player show`: what belongs to a player beside orders and accounts, at one look.
import type { Command } from 'commander';
import { money, toDecimal } from '#kernel/money.ts';
import { listFirstBonuses } from '#server/modules/catalogue/store.ts';
import { listPromoOrders } from '#server/modules/codes/store.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { isWithdrawn } from '#server/modules/coupons/present.ts';
import { listPlayerCoupons } from '#server/modules/coupons/store.ts';
import { listRewards } from '#server/modules/events/store.ts';
import { listGivenOffers } from '#server/modules/offers/store.ts';
import { levelOf } from '#server/modules/vip/service.ts';
import { readPoints } from '#server/modules/vip/store.ts';
import { readRealName } from '#server/modules/realname/store.ts';
import { readPayer } from '#server/modules/spending/store.ts';
import { withDatabase } from '#cli/database.ts';
import { type Terminal, drawTable, printJson } from '#cli/terminal.ts';
import { addPlayerFactCommands } from './player-facts.ts';
import { drawRewards } from './event.ts';
import { drawOffers, stateOf } from './offer.ts';
import { PLAYER_OPTION, readBrand, readPlayer } from './player-option.ts';

/** Our choice: more than anybody asks about. */
const CODES_SHOWN = 100;
/** Our choice: the newest are what support asks about; all of them by `event rewards`. */
const REWARDS_SHOWN = 100;

export function addPlayerCommands(program: Command, terminal: Terminal): void {
  const command = program.command('player').description('what belongs to a player');
  addPlayerFactCommands(command, terminal);
  command
    .command('show')
    .description('points, level, coupons, codes, offers, bonuses, rewards, real name and declared age of a player')
    .requiredOption('--brand <key>', 'whose player')
    .requiredOption('--player <id>', PLAYER_OPTION)
    .option('--json', 'one JSON object instead of tables')
    .action(async (options: { brand: string; player: string; json?: boolean }) => {
      const shown = await withDatabase({ isMigrating: false, environment: terminal.environment }, async (db) => {
        const brand = readBrand(await loadConfiguration(db), options.brand);
        const player = await readPlayer(terminal, db, brand.key, options.player, options);
        const points = await readPoints(db, player.player_id);
        const coupons = (await listPlayerCoupons(db, player.player_id)).map((one) => ({
          code: one.code,
          state: one.is_used ? 'used' : isWithdrawn(one) ? 'withdrawn' : one.is_ended ? 'expired' : one.state,
          rate: one.discount_rate,
          until: one.valid_end,
          order: one.billing_no,
          source: one.source,
        }));
        const level = brand.vip ? (levelOf(brand.vip.levels, points)?.id ?? null) : null;
        const codes = (await listPromoOrders(db, player.player_id, CODES_SHOWN)).map((one) => ({
          code: one.code,
          creator: one.creator,
          order: one.billing_no,
          state: one.state,
          discount: toDecimal(money(one.discount_minor, one.currency)),
          currency: one.currency,
        }));
        const bonuses = await listFirstBonuses(db, player.player_id, CODES_SHOWN);
        const rewards = await listRewards(db, { playerId: player.player_id }, REWARDS_SHOWN);
        const given = await listGivenOffers(db, { playerId: player.player_id }, REWARDS_SHOWN);
        const offers = given.map((one) => ({ ...one, state: stateOf(one) }));
        const realName = await readRealName(db, player.player_id);
        const { birth_year: year, birth_month: month } = await readPayer(db, player.player_id);
        const born = year === null ? null : `${year}-${String(month).padStart(2, '0')}`;
        const facts = { real_name: realName, born };
        const { player_id, suid: user_id } = player;
        return {
          player_id,
          user_id,
          points,
          level,
          ...facts,
          coupons,
          codes,
          first_bonuses: bonuses,
          offers,
          given,
          rewards,
        };
      });
      const { given, ...told } = shown;
      if (options.json) return printJson(terminal, told);
      const level = shown.level === null ? 'no VIP programme' : `level ${shown.level}`;
      terminal.out(`user_id:${shown.user_id} (player_id:${shown.player_id}): ${shown.points} points, ${level}.`);
      const { real_name: realName } = shown;
      if (realName)
        terminal.out(`Real name: ${realName.state} by ${realName.source}, asked ${realName.asked_at.toISOString()}.`);
      if (shown.born !== null) terminal.out(`Born ${shown.born}, as the player or support said.`);
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
      terminal.out(given.length === 0 ? 'No offers.' : drawOffers(given));
      terminal.out(shown.rewards.length === 0 ? 'No rewards of events.' : drawRewards(shown.rewards));
    });
}
