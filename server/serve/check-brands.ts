// Compares the applied files with the settings: brands that cannot sell, and why; channels that are not offered. A
// start, the doctor, `/readyz` on the operator's port, the metrics and `refill plan` tell the same.
import type { Environment } from '#kernel/environment.ts';
import type { GameId } from '#kernel/ids.ts';
import type { Brand, Configuration } from '#server/modules/configuration/service.ts';
import { findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { quote } from '#server/modules/pricing/service.ts';
import type { Config } from '#server/platform/config.ts';
import type { GameFault } from '#server/platform/outbound/outbound-measure.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';

type ShopFindings = { readonly faults: Finding[]; readonly warnings: Finding[] };
type Settings = Pick<Config, 'gameServer' | 'providerSettings' | 'scoped'>;
/** One fault, and the brands that cannot sell for it, or not all that they should. */
type BrandFault = {
  readonly brands: readonly string[];
  readonly finding: Finding;
  /** To one of the brands, instead of the finding's own reason. */
  readonly reason?: string;
};

/** Brands that cannot sell in this environment, and channels that wait for credentials. */
export function checkBrands(
  config: Settings,
  configuration: Configuration,
  providers: readonly PaymentProvider[],
  environment: Environment,
): ShopFindings {
  return {
    faults: [
      ...findUnsetGames(config, configuration, environment),
      ...findUnpayable(config, configuration, providers, environment),
    ].map(({ finding }) => finding),
    warnings: [
      ...findEmptyShelves(configuration).map(({ finding }) => finding),
      ...findUnsetChannels(config, configuration, providers, environment),
    ],
  };
}

/** Checks files that were not applied yet, without any setting. */
export function checkBrandFiles(configuration: Configuration): Finding[] {
  return [...findUnpayableAnywhere(configuration), ...findEmptyShelves(configuration)].map(({ finding }) => finding);
}

export type Unsellable = { readonly brand: string; readonly reasons: readonly string[] };

/** Knowledge of this process from its own calls, beside files and settings. */
export type Reach = {
  readonly gameFault: (gameId: string) => GameFault | null;
  /** Returns true while a payment provider does not accept our credentials. */
  readonly isProviderDenied: (provider: string) => boolean;
};

/** Brands that cannot sell now, or not all that they should. */
export function listUnsellable(
  config: Settings & Pick<Config, 'environment'>,
  configuration: Configuration,
  providers: readonly PaymentProvider[],
  reach: Reach,
): Unsellable[] {
  const faults = [
    ...findUnsetGames(config, configuration, config.environment),
    ...findUnpayable(config, configuration, providers, config.environment, reach.isProviderDenied),
    ...findEmptyShelves(configuration),
    ...findLostGames(configuration, reach.gameFault),
  ];
  return [...configuration.brands.keys()].flatMap((brand) => {
    const own = faults.filter(({ brands }) => brands.includes(brand));
    if (own.length === 0) return [];
    const reasons = own.map(({ finding, reason = finding.reason }) =>
      finding.name === `brand ${brand}` ? reason : `${finding.name} ${reason}`,
    );
    return [{ brand, reasons }];
  });
}

const sellersOf = (configuration: Configuration, gameId: string): string[] =>
  [...configuration.brands.values()].filter((brand) => brand.file.games.includes(gameId)).map(({ key }) => key);

const soldGames = ({ brands }: Configuration): Set<string> =>
  new Set([...brands.values()].flatMap((brand) => brand.file.games));

function findUnsetGames(config: Settings, configuration: Configuration, environment: Environment): BrandFault[] {
  return [...soldGames(configuration)].flatMap((id) => {
    if (config.gameServer(id) !== null) return [];
    const wanted = ['URL', 'SECRETS']
      .map((setting) => variableOf(`game-${id}`, environment, setting))
      .filter((variable) => !config.scoped.some((one) => one.variable === variable));
    const brands = sellersOf(configuration, id);
    const reason = wanted.length === 1 ? 'lacks its address or its secret' : 'has no address and no secret';
    const finding = {
      name: `game ${id}`,
      reason: `${reason}, and ${brands.length === 1 ? 'the brand' : 'the brands'} ${brands.join(', ')} cannot sell it`,
      remedy: `set ${wanted.join(' and ')}`,
    };
    return [{ brands, finding, reason }];
  });
}

const GAME_FAULTS: Record<GameFault, { reason: string; remedy: string }> = {
  silent: { reason: 'answers no call', remedy: 'see that it runs' },
  denied: {
    reason: 'refuses our signature (401 or 403)',
    remedy: 'compare its secrets, the first one signs, and the clocks of both servers',
  },
};

function findLostGames(configuration: Configuration, gameFault: Reach['gameFault']): BrandFault[] {
  return [...soldGames(configuration)].flatMap((id) => {
    const fault = gameFault(id);
    if (fault === null) return [];
    return [{ brands: sellersOf(configuration, id), finding: { name: `game ${id}`, ...GAME_FAULTS[fault] } }];
  });
}

/** Names of the providers of a brand's channels. */
function providersOf(configuration: Configuration, brand: Brand): string[] {
  const channels = configuration.channels.filter(
    ({ file }) =>
      (!file.brands || file.brands.includes(brand.key)) && file.regions.some((region) => brand.regions.has(region)),
  );
  return [...new Set(channels.map(({ file }) => file.provider))];
}

function findUnpayable(
  config: Settings,
  configuration: Configuration,
  providers: readonly PaymentProvider[],
  environment: Environment,
  isDenied: Reach['isProviderDenied'] = () => false,
): BrandFault[] {
  const isOn = (name: string) =>
    !isDenied(name) &&
    providers.some((one) => one.name === name && findMissing(one, config.providerSettings(name)).length === 0);
  return [...configuration.brands.values()].flatMap((brand): BrandFault[] => {
    const tell = (reason: string, remedy: string) => ({
      brands: [brand.key],
      finding: { name: `brand ${brand.key}`, reason, remedy },
    });
    const { URL: address, SECRETS: secrets } = config.providerSettings('realname');
    const unasked =
      brand.file.realName === 'operator' && !(address && secrets)
        ? [
            tell(
              'asks an operator for real names, and there is none to ask, so nobody can pay',
              `set ${variableOf('realname', environment, 'URL')} and ${variableOf('realname', environment, 'SECRETS')}`,
            ),
          ]
        : [];
    const wanted = providersOf(configuration, brand);
    if (wanted.some(isOn)) return unasked;
    const remedy =
      wanted.length > 0 ? `set the credentials of one of ${wanted.join(', ')} (docs/providers/)` : GIVE_CHANNEL;
    return [...unasked, tell(NO_CHANNEL, remedy)];
  });
}

const NO_CHANNEL = 'has no payment channel that works';
const GIVE_CHANNEL = 'give it a channel in channels/channels.yaml and apply it';

/** Brands that no channel is for, whatever is set. */
function findUnpayableAnywhere(configuration: Configuration): BrandFault[] {
  return [...configuration.brands.values()]
    .filter((brand) => providersOf(configuration, brand).length === 0)
    .map(({ key }) => ({
      brands: [key],
      finding: { name: `brand ${key}`, reason: NO_CHANNEL, remedy: GIVE_CHANNEL },
    }));
}

/** Games that a brand offers and has no goods of with a price in any of its countries. */
function findEmptyShelves(configuration: Configuration): BrandFault[] {
  return [...configuration.brands.values()].flatMap((brand) =>
    brand.file.games
      .filter((id) => !hasGoods(configuration, brand, id))
      .map((id) => ({
        brands: [brand.key],
        finding: {
          name: `brand ${brand.key}`,
          reason: `has no goods of ${id} with a price in its countries`,
          remedy: `give the products of games/${id}/game.yaml a price in its currencies and apply it`,
        },
      })),
  );
}

function hasGoods(configuration: Configuration, brand: Brand, gameId: string): boolean {
  const products = [...(configuration.games.get(gameId as GameId)?.products.values() ?? [])];
  return [...brand.regions].some(([region, { countries }]) =>
    countries.some(({ code }) => products.some((product) => quote({ brand, region, country: code }, product) !== null)),
  );
}

function findUnsetChannels(
  config: Settings,
  configuration: Configuration,
  providers: readonly PaymentProvider[],
  environment: Environment,
): Finding[] {
  const names = [...new Set(configuration.channels.map(({ file }) => file.provider))];
  return names.flatMap((name): Finding[] => {
    const provider = providers.find((one) => one.name === name);
    const missing = provider ? findMissing(provider, config.providerSettings(name)) : [];
    if (provider && missing.length === 0) return [];
    const keys = configuration.channels.filter(({ file }) => file.provider === name).map(({ key }) => key);
    const wanted = missing.map((setting) => variableOf(name, environment, setting.name));
    return [
      {
        name,
        reason:
          'is not set up, so ' +
          `${keys.length === 1 ? `its channel ${keys[0]} is` : `its ${keys.length} channels are`} not offered`,
        remedy: wanted.length > 0 ? `set ${wanted.join(', ')}` : 'there is no such provider',
      },
    ];
  });
}
