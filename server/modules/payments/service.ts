// Payment channels as a player may use them, and a provider ready to be called. Orders decide what is done with it.
import type { Environment } from '#kernel/environment.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { Money } from '#kernel/money.ts';
import type { PaymentOption } from '#contracts/payments.ts';
import {
  type Channel,
  type Configuration,
  displayFor,
  type SubChannel,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { marketOf, quote } from '#server/modules/pricing/service.ts';
import { type Answer, type Caller, refuse, succeed } from '#server/platform/http/http.ts';
import type { Log } from '#server/platform/log.ts';
import { type GuardedOutbound, guardOutbound } from '#server/platform/outbound/outbound-guard.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import type { PaymentProvider, ProviderContext } from './provider.ts';
import { toOption } from './present.ts';
import { type ChannelView, visibleChannels } from './rules.ts';

/**
 * A provider with its credentials. `noticeContext` is for messages that are not proven yet: what a stranger makes us call
 * must not open the circuit breaker of payments.
 */
export type Terminal = {
  readonly provider: PaymentProvider;
  readonly context: ProviderContext;
  readonly noticeContext: ProviderContext;
};

export type ChosenChannel = { readonly channel: Channel; readonly sub: SubChannel | null; readonly terminal: Terminal };

export type ChannelsFor = {
  readonly brandKey: string;
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
};

export type PaymentsService = {
  terminal(provider: string): Terminal | null;
  /**
   * Asked right before an order is placed. False: the provider's circuit is open, so the payment could not be created and
   * nothing is to be written; the player hears `providerUnavailable`. One caller at a time hears true when a probe is due.
   */
  isAvailable(provider: string): boolean;
  channelList(
    caller: Caller,
    input: ChannelListInput,
  ): Answer<{ country: string; list: Record<string, PaymentOption[]> }>;
  /** The channel behind a pay call, only if the player could see it; `channelId` is empty for a provider's own page. */
  chooseChannel(
    query: ChannelsFor,
    countries: readonly Country[],
    payPath: string,
    payId: string,
    channelId: string,
  ): ChosenChannel | null;
  /** Hosts our verbs may call, of every provider that is on. */
  apiHosts(): string[];
};

export function createPaymentsService(deps: {
  providers: readonly PaymentProvider[];
  environment: Environment;
  providerSettings: (provider: string) => Readonly<Record<string, string>>;
  configuration: () => Configuration;
  outbound: Outbound;
  log: Log;
  now: () => number;
}): PaymentsService {
  const terminals = new Map<string, Terminal>();
  const guards = new Map<string, GuardedOutbound>();
  // Every provider has a circuit breaker of its own, and a bound of calls where the operator's contract names one.
  const guardOf = (name: string, settings: Readonly<Record<string, string>>) =>
    guardOutbound(deps.outbound, {
      name,
      callsPerSecond: /^[1-9]\d{0,5}$/.test(settings['CALLS_PER_SECOND'] ?? '')
        ? Number(settings['CALLS_PER_SECOND'])
        : null,
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
    const context = { environment: deps.environment, settings, outbound, now: deps.now, cache: new Map() };
    const noticeContext = { ...context, outbound: guardOf(`${provider.name} notices`, settings) };
    terminals.set(provider.name, { provider, context, noticeContext });
  }
  const terminal = (provider: string) => terminals.get(provider) ?? null;
  const listChannels = (query: ChannelsFor, country: Country): ChannelView[] =>
    visibleChannels(deps.configuration().channels, {
      ...query,
      country,
      isProviderOn: (provider) => {
        const found = terminal(provider);
        return found !== null && found.provider.supportsCurrency(query.price.currency);
      },
    });
  return {
    terminal,
    isAvailable: (provider) => guards.get(provider)?.isAvailable() ?? false,
    channelList: (caller, input) => {
      const configuration = deps.configuration();
      const brand = brandOf(configuration, caller);
      const game = gameForCaller(configuration, caller, input.client_id);
      const market = marketOf(brand, input.domain_area, input.country, input.client_id);
      if (!game) return refuse('noGame');
      if (!market) return refuse('wrongDomain');
      const product = game.products.get(input.product_id);
      const priced = product && quote(market, product);
      if (!priced) return refuse('productNotFound');
      const query = {
        brandKey: brand.key,
        region: market.region,
        price: priced.price,
        platform: input.platform ?? 'web',
      } as const;
      // The chosen country's own channels first, then those offered everywhere; a region without channels is left out.
      const display = displayFor(brand, caller.language);
      const list: Record<string, PaymentOption[]> = {};
      for (const country of new Set<Country>([market.country, 'GLOBAL'])) {
        const views = listChannels(query, country);
        if (views.length > 0) list[country] = views.map((view) => toOption(view, priced.price, display));
      }
      return succeed({ country: market.country, list });
    },
    chooseChannel: (query, countries, payPath, payId, channelId) => {
      const views = countries.flatMap((country) => listChannels(query, country));
      for (const { channel, subs } of views) {
        if (channel.file.payPath !== payPath || (payId && channel.file.id !== payId)) continue;
        const sub = subs.find((entry) => entry.file.channelId === channelId) ?? null;
        if (channel.sub.length > 0 ? !sub : channel.file.channelId !== channelId) continue;
        const found = terminal(channel.file.provider);
        if (found) return { channel, sub, terminal: found };
      }
      return null;
    },
    apiHosts: () =>
      [...terminals.values()].flatMap(({ provider, context }) => [
        ...provider.apiHosts(context.settings, context.environment),
      ]),
  };
}
