// Shows and sets the spending limits of players: the rules of a market, their declared age, and the caps that they set
// themselves. Placing an order enforces them (payer_refusal, cap_refusal).
import { PAUSE_DAYS, SPENDING_PERIODS, type SpendingPeriod, type SpendingState } from '#contracts/spending.ts';
import { OF_AGE, ageInMonth, monthIn } from '#kernel/age.ts';
import { AGE_CAPS } from '#kernel/age-caps.ts';
import { type Currency, money, parseDecimal, toDecimal } from '#kernel/money.ts';
import type { Region } from '#kernel/regions.ts';
import { type Brand, type Configuration, type Display, displayFor } from '#server/modules/configuration/service.ts';
import { brandOf } from '#server/modules/games/service.ts';
import { currencyOfMarket, marketOf } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { PayerRules } from './spending-types.ts';
import { declareAge, pauseSpending, readCaps, readLimits, readPayer, setCap } from './store.ts';

/** An order in this region is placed under these rules. */
export function payerRulesOf({ file }: Brand, region: Region): PayerRules {
  const own = file.areas?.[region]?.ageCaps;
  // Whoever said their age where it is asked is of that age in every area of the brand.
  const elsewhere = Object.values(file.areas ?? {}).find((area) => area?.ageCaps)?.ageCaps;
  const ageCaps = own ?? elsewhere;
  return {
    real_name: file.realName !== undefined,
    age_caps: ageCaps ? AGE_CAPS[ageCaps] : null,
    asks_age: own !== undefined,
    time_zone: file.timeZone,
  };
}

type PlaceInput = { domain_area?: string; country?: string };
type Place = { rules: PayerRules; currency: Currency; display: Display };
type Changed = Promise<Answer<SpendingState>>;

export type SpendingService = {
  state(caller: PlayerCaller, input: PlaceInput): Changed;
  declareAge(
    caller: PlayerCaller,
    input: PlaceInput & { birth_year: number; birth_month: number; has_consent?: number },
  ): Changed;
  setCap(caller: PlayerCaller, input: PlaceInput & { period: SpendingPeriod; amount: string }): Changed;
  pause(caller: PlayerCaller, input: PlaceInput & { days: number }): Changed;
};

export function createSpendingService(deps: {
  db: Db;
  configuration: () => Configuration;
  now: () => number;
}): SpendingService {
  const { db, configuration, now } = deps;

  function placeOf(caller: PlayerCaller, input: PlaceInput): Place | null {
    const brand = brandOf(configuration(), caller);
    const market = marketOf(brand, input.domain_area, input.country);
    return (
      market && {
        rules: payerRulesOf(brand, market.region),
        currency: currencyOfMarket(market),
        display: displayFor(brand, caller.language),
      }
    );
  }

  async function show(caller: PlayerCaller, { rules, currency, display }: Place): Changed {
    const { playerId } = caller.session;
    const [limits, caps, payer] = await Promise.all([
      readLimits(db, playerId, rules, currency),
      readCaps(db, playerId, currency),
      readPayer(db, playerId),
    ]);
    const shown = (minor: number | null | undefined) =>
      minor === null || minor === undefined ? '' : display.money(money(minor, currency));
    return succeed({
      currency,
      needs_age: rules.asks_age && payer.birth_year === null,
      age_tiers: (rules.asks_age ? (rules.age_caps?.tiers ?? []) : []).map(({ under, cap_minor: cap }) => ({
        under,
        cap_shown: rules.age_caps ? display.money(money(cap, rules.age_caps.currency)) : '',
      })),
      limits: limits.map(({ kind, cap_minor: cap, used_minor: used, ends_at: endsAt }) => ({
        kind,
        cap_shown: shown(cap),
        left_minor: Math.max(0, cap - used),
        left_shown: shown(Math.max(0, cap - used)),
        ends_at: endsAt.getTime(),
      })),
      caps: SPENDING_PERIODS.map((period) => {
        const set = caps.find((one) => one.period === period);
        const cap = set?.cap_minor ?? null;
        return {
          period,
          cap: cap === null ? '' : toDecimal(money(cap, currency)),
          cap_shown: shown(cap),
          next_at: set?.next_at?.getTime() ?? 0,
          next_shown: shown(set?.next_cap_minor),
        };
      }),
      paused_until: payer.paused_until?.getTime() ?? 0,
    });
  }

  /** Runs a change in a market, then shows what holds now. */
  async function change(
    caller: PlayerCaller,
    input: PlaceInput,
    work: (place: Place) => Promise<Answer<never> | null>,
  ): Changed {
    const place = placeOf(caller, input);
    if (!place) return refuse('wrongDomain');
    return (await work(place)) ?? show(caller, place);
  }

  return {
    state: (caller, input) => change(caller, input, async () => null),
    declareAge: (caller, input) =>
      change(caller, input, async ({ rules }) => {
        const { birth_year: birthYear, birth_month: birthMonth } = input;
        const age = ageInMonth(birthYear, birthMonth, monthIn(rules.age_caps?.time_zone ?? rules.time_zone, now()));
        const hasConsent = input.has_consent === 1;
        if (age < 0 || (age < OF_AGE && !hasConsent)) return refuse('badRequest');
        // Said before: what was said first stays, and is shown.
        await declareAge(db, caller.session.playerId, { birthYear, birthMonth, hasConsent }, null);
        return null;
      }),
    setCap: (caller, input) =>
      change(caller, input, async ({ currency }) => {
        const amount = input.amount === '' ? null : parseDecimal(input.amount, currency);
        if (input.amount !== '' && (!amount || amount.amountMinor < 0)) return refuse('badRequest');
        const { playerId } = caller.session;
        await setCap(db, playerId, { currency, period: input.period, capMinor: amount?.amountMinor ?? null });
        return null;
      }),
    pause: (caller, input) =>
      change(caller, input, async () => {
        if (input.days !== 0 && !(PAUSE_DAYS as readonly number[]).includes(input.days)) return refuse('badRequest');
        await pauseSpending(db, caller.session.playerId, input.days);
        return null;
      }),
  };
}
