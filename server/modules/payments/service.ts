// Payment channels as a player may use them, and a provider ready to be called. Orders decide what is done with it.
import type { Environment } from '#kernel/environment.ts';
import type { Language } from '#kernel/languages.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { Money } from '#kernel/money.ts';
import type { Texts } from '#contracts/files.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import {
  type Channel,
  type Configuration,
  displayFor,
  type SubChannel,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { chargesIn, type Market, marketOf, quote } from '#server/modules/pricing/service.ts';
import { type Caller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { LimitStore } from '#server/platform/limits/limit-store.ts';
import type { Log } from '#server/platform/log.ts';
import type { Texts as Messages } from '#server/platform/texts.ts';
import { type GuardedOutbound, guardOutbound } from '#server/platform/outbound/outbound-guard.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import { type CredentialsWatch, watchCredentials } from './credentials-watch.ts';
import { createMethodTexts } from './method-texts.ts';
import { type LastPaid, fixRoute, foldMethods, groupMethods, methodKeyOf } from './methods-rules.ts';
import type { PaymentProvider, ProviderContext } from './provider.ts';
import { toMethod, toOption } from './present.ts';
import { type ChannelView, visibleChannels } from './rules.ts';

/**
 * A provider with its credentials. `noticeContext` is for messages that are not proven yet:
 * what a stranger makes us call must not open the circuit breaker of payments.
 */
export type ProviderAccount = {
  readonly provider: PaymentProvider;
  readonly context: ProviderContext;
  readonly noticeContext: ProviderContext;
  /** To be called when the provider refuses a payment or a refund: are our credentials why? */
  noteRefusal(): void;
};

/** The order keeps the player's choice: the key, and the name that receipts show. */
export type ChosenMethod = { readonly key: string; readonly name: Texts };

export type ChosenChannel = {
  readonly channel: Channel;
  readonly sub: SubChannel | null;
  readonly method: ChosenMethod;
  readonly account: ProviderAccount;
};

export type ChannelsFor = {
  readonly brandKey: BrandKey;
  readonly region: Region;
  readonly price: Money;
  readonly platform: 'android' | 'ios' | 'web';
};

type ChannelListInput = {
  client_id: string;
  product_id: string;
  platform?: 'android' | 'ios' | 'web';
  domain_area?: string;
  country?: string;
  replenish_id?: string;
};

export type PaymentsService = {
  account(provider: string): ProviderAccount | null;
  /**
   * Asked right before an order is placed. False: the provider's circuit is open, so the
   * payment could not be created and
   * nothing is to be written; the player hears `providerUnavailable`. One caller at a time
   * hears true when a probe is due.
   */
  isAvailable(provider: string): boolean;
  /** Returns true while the provider does not accept our credentials. */
  isDenied(provider: string): boolean;
  channelList(
    caller: Caller,
    input: ChannelListInput,
  ): Promise<Answer<{ country: string; list: Record<string, PaymentOption[]>; methods: PaymentMethod[] }>>;
  /** Returns today's name of a brand's channel or sub-channel, by its key; undefined where it is gone. */
  channelName(brandKey: BrandKey, key: string): Texts | undefined;
  /** The method of a channel, or of a sub-channel inside it. */
  methodOf(channel: Channel, sub: SubChannel | null): ChosenMethod;
  /** The channel behind a pay call, only if the player could see it; `channelId` is empty for a provider's own page. */
  chooseChannel(
    query: ChannelsFor,
    countries: readonly Country[],
    payPath: string,
    payId: string,
    channelId: string,
  ): ChosenChannel | null;
  /** Returns true when a channel takes prepaid cards for this price. */
  takesCard(query: ChannelsFor, countries: readonly Country[], payId: string): boolean;
  /** Kinds of prepaid cards that a brand takes anywhere: the channels by id, and what they are called. */
  cardKinds(brandKey: BrandKey): { payId: string; channelId: string; name: Texts }[];
  /** Names of the methods that are usual in a country and take the price on any device, in the operator's order. */
  usualWays(brandKey: BrandKey, market: Market, price: Money, language: Language): string[];
  /** Hosts our verbs may call, of every provider that is on. */
  apiHosts(): string[];
};

export function createPaymentsService(deps: {
  providers: readonly PaymentProvider[];
  environment: Environment;
  providerSettings: (provider: string) => Readonly<Record<string, string>>;
  configuration: () => Configuration;
  outbound: Outbound;
  /** Counts the calls of a provider that wants no more than so many a second. */
  counts: LimitStore;
  log: Log;
  texts: Messages;
  now: () => number;
  /** Finds the player's last payment among orders. Null when they never did. */
  lastPaidOf: (playerId: PlayerId) => Promise<LastPaid | null>;
  /** Amount of a make-up payment that this player may pay; null: there is none. */
  amountOfReplenish: (caller: Caller, input: { replenish_id: string; client_id: string }) => Promise<Money | null>;
}): PaymentsService {
  const accounts = new Map<string, ProviderAccount>();
  const guards = new Map<string, GuardedOutbound>();
  const watches = new Map<string, CredentialsWatch>();
  // Every provider has a circuit breaker of its own, and a bound of calls where the operator's contract names one.
  const guardOf = (name: string, settings: Readonly<Record<string, string>>) =>
    guardOutbound(deps.outbound, {
      name,
      callsPerSecond: readCallsPerSecond(name, settings),
      counts: deps.counts,
      onChange: (provider, circuit) =>
        deps.log.warn({ alert: 'circuit', provider, circuit }, `calls to ${provider}: ${circuit}`),
    });
  for (const provider of deps.providers) {
    const settings = deps.providerSettings(provider.name);
    // A provider without its credentials is off: never half on.
    const isOn = provider.settings.every((setting) => !setting.isRequired || settings[setting.name]);
    if (!isOn) continue;
    const outbound = guardOf(provider.name, settings);
    guards.set(provider.name, outbound);
    const base = { environment: deps.environment, settings, outbound, now: deps.now, cache: new Map() };
    const watch = watchCredentials(provider, base, deps.log);
    const context = { ...base, outbound: watch.outbound };
    const noticeContext = { ...base, outbound: guardOf(`${provider.name} notices`, settings) };
    accounts.set(provider.name, { provider, context, noticeContext, noteRefusal: watch.noteRefusal });
    watches.set(provider.name, watch);
  }
  const account = (provider: string) => accounts.get(provider) ?? null;
  const textsOf = createMethodTexts(deps.texts);
  const listChannels = (
    query: ChannelsFor,
    country: Country,
    isWanted: (channel: Channel) => boolean = () => true,
  ): ChannelView[] =>
    visibleChannels((deps.configuration().brands.get(query.brandKey)?.channels ?? []).filter(isWanted), {
      ...query,
      country,
      isProviderOn: (provider) => {
        const found = account(provider);
        return found !== null && found.provider.supportsCurrency(query.price.currency);
      },
    });
  const isCardChannel = ({ file }: Channel) => account(file.provider)?.provider.internalTender === 'card';
  const answers = (provider: string) => guards.get(provider)?.isAnswering() ?? false;
  const methodOf = (channel: Channel, sub: SubChannel | null): ChosenMethod => {
    const { methods } = deps.configuration();
    const texts = textsOf(methods);
    const key = methodKeyOf(channel, sub);
    const method = methods.get(key);
    // A second choice is called by its own name: "Lawson" says more on a receipt than "Convenience store".
    const isSecond = sub !== null && sub.method === null;
    return { key, name: method && !isSecond ? texts.nameOfMethod(method) : texts.nameOf(channel, sub) };
  };
  return {
    account,
    isDenied: (provider) => watches.get(provider)?.isDenied() ?? false,
    isAvailable: (provider) => guards.get(provider)?.isAvailable() ?? false,
    methodOf,
    channelName: (brandKey, key) => {
      for (const channel of deps.configuration().brands.get(brandKey)?.channels ?? []) {
        if (channel.key === key) return methodOf(channel, null).name;
        const sub = channel.sub.find((one) => one.key === key);
        if (sub) return methodOf(channel, sub).name;
      }
      return undefined;
    },
    channelList: async (caller, input) => {
      const configuration = deps.configuration();
      const brand = brandOf(configuration, caller);
      const game = gameForCaller(configuration, caller, input.client_id);
      const market = marketOf(brand, input.domain_area, input.country, input.client_id);
      if (!game) return refuse('noGame');
      if (!market) return refuse('wrongDomain');
      const product = game.products.get(input.product_id);
      const fixed = input.replenish_id
        ? await deps.amountOfReplenish(caller, { replenish_id: input.replenish_id, client_id: input.client_id })
        : null;
      const priceIn = (place: Market): Money | null => {
        if (input.replenish_id) return fixed && chargesIn(place, fixed.currency) ? fixed : null;
        return (product && quote(place, product)?.price) ?? null;
      };
      if (!priceIn(market)) return refuse(input.replenish_id && !fixed ? 'replenishError' : 'productNotFound');
      // The chosen country's own channels first, then those offered everywhere, then the other countries; one
      // without channels is left out.
      // @source specification section 3, "Payment list response"; section 5: "Regions without channels are left out"
      const texts = textsOf(configuration.methods);
      const display = displayFor(brand, caller.language);
      const list: Record<string, PaymentOption[]> = {};
      const here: ChannelView[] = [];
      const platform = input.platform ?? 'web';
      for (const { country, ...place } of countriesToList(market)) {
        const there = Object.hasOwn(list, country) ? null : priceIn(place.market);
        if (!there) continue;
        const { region } = place.market;
        const views = listChannels({ brandKey: brand.key, region, price: there, platform }, country);
        // The player chooses only among channels that can take the price that is shown.
        if (country === market.country || country === 'GLOBAL') here.push(...views);
        if (views.length > 0) list[country] = views.map((view) => toOption(view, there, display, texts));
      }
      const last = caller.session && (await deps.lastPaidOf(caller.session.playerId));
      const methods = groupMethods(foldMethods(here, configuration.methods), market.country, last).map((one) =>
        toMethod(one, fixRoute(one.view, answers), last, display, texts),
      );
      return succeed({ country: market.country, list, methods });
    },
    chooseChannel: (query, countries, payPath, payId, channelId) => {
      const isWanted = ({ file }: Channel) => file.payPath === payPath && (!payId || file.id === payId);
      const views = countries.flatMap((country) => listChannels(query, country, isWanted));
      for (const { channel, subs } of views) {
        const sub = subs.find((entry) => entry.file.channelId === channelId) ?? null;
        if (subs.length > 0 ? !sub : channel.file.channelId !== channelId) continue;
        const found = account(channel.file.provider);
        if (found) return { channel, sub, method: methodOf(channel, sub), account: found };
      }
      return null;
    },
    takesCard: (query, countries, payId) =>
      countries.some((country) =>
        listChannels(query, country).some(({ channel }) => channel.file.id === payId && isCardChannel(channel)),
      ),
    cardKinds: (brandKey) =>
      (deps.configuration().brands.get(brandKey)?.channels ?? []).filter(isCardChannel).map((channel) => ({
        payId: channel.file.id,
        channelId: channel.file.channelId,
        name: methodOf(channel, null).name,
      })),
    usualWays: (brandKey, { region, country }, price, language) => {
      const configuration = deps.configuration();
      const brand = configuration.brands.get(brandKey);
      if (!brand) return [];
      const query = { brandKey, region, price, platform: 'web' } as const;
      const views = [country, 'GLOBAL' as Country].flatMap((place) => listChannels(query, place));
      const display = displayFor(brand, language);
      const { nameOfMethod } = textsOf(configuration.methods);
      return groupMethods(foldMethods(views, configuration.methods), country, null)
        .filter(({ group, view }) => group === 'country' && view.method.device === null)
        .map(({ view }) => display.text(nameOfMethod(view.method)));
    },
    apiHosts: () =>
      [...accounts.values()].flatMap(({ provider, context }) => [
        ...provider.apiHosts(context.settings, context.environment),
      ]),
  };
}

/** Calls a second, null for no limit. Throws for anything else: a start refuses it, and no limit is not what it says. */
function readCallsPerSecond(name: string, { CALLS_PER_SECOND = '' }: Readonly<Record<string, string>>): number | null {
  if (CALLS_PER_SECOND === '') return null;
  if (!/^[1-9]\d{0,5}$/.test(CALLS_PER_SECOND))
    throw new Error(`CALLS_PER_SECOND of ${name} is no whole number from 1`);
  return Number(CALLS_PER_SECOND);
}

/**
 * Region codes of the channel list in order, each with the market whose prices count there: its own
 * area's where it has the country.
 */
function countriesToList(market: Market): { country: Country; market: Market }[] {
  const { brand } = market;
  const areas = [market.region, ...brand.regions.keys()];
  const everywhere = areas.flatMap((region) =>
    (brand.regions.get(region)?.countries ?? []).map(({ code }) => ({
      country: code,
      market: { brand, region, country: code },
    })),
  );
  return [{ country: market.country, market }, { country: 'GLOBAL', market }, ...everywhere];
}
