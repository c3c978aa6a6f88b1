// Gathers what the page needs for its first picture: brand, language, player, market, games and goods. At most three
// database calls (the session; what its player bought before, and the offers open for them, at the same time; where a
// brand asks for real names, that as well); everything else is in memory.
import type { Environment } from '#kernel/environment.ts';
import type { FastifyRequest } from 'fastify';
import type { BootBrand, BootData, BrandPicture } from '#contracts/boot.ts';
import type { Platform } from '#contracts/envelope.ts';
import type { Texts } from '#contracts/files.ts';
import { NOTICE_ITEMS, type NoticeItem, NOTICES } from '#contracts/notices.ts';
import type { GameId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import { isCurrency } from '#kernel/money.ts';
import { platformOf, readUserAgent } from '#kernel/user-agents.ts';
import {
  type Brand,
  type Configuration,
  type Display,
  displayFor,
  regionName,
} from '../modules/configuration/service.ts';
import type { CatalogueService } from '../modules/catalogue/service.ts';
import { type GamesService, gameForCaller } from '../modules/games/service.ts';
import { listMarkets, type Market, marketOfVisit } from '../modules/pricing/service.ts';
import type { OffersService } from '../modules/offers/service.ts';
import type { OrdersService } from '../modules/orders/service.ts';
import type { PaymentsService } from '../modules/payments/service.ts';
import type { RealNameService } from '../modules/realname/service.ts';
import type { AccountsService } from '../modules/accounts/service.ts';
import { sessionAt } from '#server/platform/http/account-game.ts';
import { type HttpDeps, originOnPort, readCaller, siteOfRequest } from '#server/platform/http/http.ts';
import { environmentOfHost } from '#server/platform/http/site.ts';
import { listFrameParents } from './frame-view.ts';
import { guessCountries } from './guess-country.ts';
import type { PictureReader } from './drawings.ts';
import { keyArtOf } from './key-art.ts';

export type BootDeps = HttpDeps & {
  readonly configuration: () => Configuration;
  readonly accounts: AccountsService;
  readonly games: GamesService;
  readonly catalogue: CatalogueService;
  readonly orders: Pick<OrdersService, 'returning'>;
  readonly payments: Pick<PaymentsService, 'cardKinds' | 'usualWays'>;
  readonly offers: Pick<OffersService, 'list'>;
  readonly realNames: Pick<RealNameService, 'isMissing'>;
};

/** Beside the services: what the build and the disk give. */
export type BootSources = { readonly messagesOf: MessagesOf; readonly readPicture: PictureReader };

/** Compiled messages of one language and the addresses of all, as the build made them. */
export type MessagesOf = (
  languages: readonly Language[],
  language: Language,
) => Pick<BootData, 'messages' | 'messagesUrls'>;

/** Null: no brand has this host. */
export async function gatherBootData(
  deps: BootDeps,
  { messagesOf, readPicture }: BootSources,
  request: FastifyRequest,
): Promise<BootData | null> {
  const site = siteOfRequest(deps, request);
  const configuration = deps.configuration();
  const brand = site && configuration.brands.get(site.brandKey);
  if (!site || !brand) return null;
  const keys = request.query as Record<string, string | undefined>;
  // The page keeps its language in its own storage and tells the server by a cookie, so that the
  // first picture is right already.
  const wanted = keys.client_id ?? '';
  // Without a client in the address the page opens the game that it remembers: whether the player is logged in there
  // is answered by its first call.
  const whole = await readCaller(deps, request, site, {
    spec_lang: keys.spec_lang ?? request.cookies.refill_lang,
    client_id: wanted,
  });
  const { language, session } = whole;
  const platform = wanted === '' ? platformOf(whole.userAgent) : null;
  const clientId = platform ? firstClient(configuration, brand, platform) : ownClient(configuration, brand, wanted);
  const caller = { ...whole, session: sessionAt(site, session, { client_id: clientId }) };
  const game = gameForCaller(configuration, caller, clientId);
  const market = marketOfVisit(
    brand,
    {
      asked: keys.domain_area,
      keptRegion: request.cookies.refill_area,
      keptCountry: request.cookies.refill_country,
      guesses: guessCountries(deps.config, request),
    },
    wanted,
    clientId,
  );
  const display = displayFor(brand, language);
  const goods = game && market ? deps.catalogue.listGoods(market, game, language) : null;
  const place = market && { client_id: clientId, domain_area: market.region, country: market.country };
  const [returning, offers] = await Promise.all([
    caller.session && game ? deps.orders.returning({ ...caller, session: caller.session }, clientId) : null,
    game && place ? deps.offers.list(caller, place).then(unwrap) : null,
  ]);
  const choice = { chosen: clientId, ...(platform ? { platform } : {}) };
  const games = deps.games.listGames(brand, language, choice, market && { ...market, betaId: site.betaId });
  const art = keyArtOf({ brand: { hero: { picture: brand.hero } }, games, clientId });
  const { environment } = deps.config;
  const backupOrigins = brand.file.backupHosts
    // A demo page must not call a live host, nor the other way round.
    .filter((host) => environmentOfHost(host) === environment)
    .map((host) => originOnPort(deps, request, host));
  return {
    brand: await describeBrand(configuration, brand, environment, backupOrigins, language, readPicture),
    noticeItems: readNotices(brand, display),
    firstLook: art ? configuration.firstLookOf(art) : '',
    iconUrl: `/brands/${brand.key}/${brand.file.art.icon}`,
    env: environment,
    isBeta: caller.site.betaId !== undefined,
    frameParents: listFrameParents(deps, request),
    isInApp: readUserAgent(caller.userAgent).isEmbedded,
    language,
    ...messagesOf(brand.file.languages, language),
    user: session
      ? {
          username: session.username,
          suid: session.suid,
          oauth_token: session.publicId,
          gp_id: deps.accounts.gpIdOf(brand.key, clientId),
        }
      : null,
    isRealNameMissing: session !== null && (await deps.realNames.isMissing({ ...whole, session })),
    region: market?.region ?? null,
    country: market?.country ?? '',
    hasMarkets: listMarkets(brand.regions, market?.region).length > 1,
    regions: [...brand.regions].map(([region, { countries }]) => {
      const taxIn = countries.filter(({ isTaxIncluded }) => isTaxIncluded).map(({ code }) => code);
      const name = regionName(configuration, region, display, (key) => deps.texts(language, key));
      return { region, name, ...(taxIn.length > 0 && { taxIn }) };
    }),
    ways: waysOf(deps, brand, market, goods, language),
    ...(brand.file.clientRegions ? { clientRegions: brand.file.clientRegions } : {}),
    games,
    platform,
    clientId,
    pageConfig: game
      ? unwrap(
          deps.games.pageConfig(caller, { client_id: clientId, ...(market ? { domain_area: market.region } : {}) }),
        )
      : null,
    goods,
    gifts: game && market ? unwrap(deps.catalogue.gifts(caller, clientId)) : null,
    countries: market ? unwrap(deps.catalogue.countries(caller, market.region)) : null,
    servers: null,
    cardKinds: deps.payments.cardKinds(brand.key).map(({ payId, channelId, name }) => ({
      pay_id: payId,
      channel_id: channelId,
      name: display.text(name),
    })),
    returning,
    offers,
  };
}

/**
 * The client that the address names, if it is one of a game of this brand; else none. Another game's goods would be
 * one tap from a wrong purchase.
 * @source specification section 8: "-3001: clears the selected game"
 */
function ownClient(configuration: Configuration, brand: Brand, wanted: string): string {
  const found = configuration.gameOfClient(wanted);
  return found && brand.file.games.includes(found.game.id) ? wanted : '';
}

/** The brand's first game, as its client for this platform; its first edition where there are some. */
function firstClient({ games }: Configuration, brand: Brand, platform: Platform): string {
  const file = games.get(brand.file.games[0] as GameId)?.file;
  return file ? (file.subGames?.[0]?.clientId ?? file.clients[platform] ?? file.clients.web) : '';
}

/** The forms beside the button that pays, with what the brand says of itself in them. */
function readConfirmations({ file }: Brand, { text }: Display): BootData['brand']['confirmations'] {
  const trade = file.noticeItems?.trade;
  const seller = text(trade?.seller) || file.koreanBusiness?.company || file.name;
  return Object.fromEntries(
    Object.entries(file.areas ?? {}).flatMap(([region, { confirmation: form }]) =>
      form
        ? [[region, { form, seller, payment: text(trade?.payment), delivery: text(trade?.delivery), returns: text(trade?.returns) }]] /* a row a line */ // prettier-ignore
        : [],
    ),
  );
}

/** Reads the texts of the notices, for a player who opens one. */
function readNotices({ file }: Brand, { text }: Display): BootData['noticeItems'] {
  return Object.fromEntries(
    NOTICES.flatMap((notice) => {
      const items: Partial<Record<NoticeItem['item'], Texts>> | undefined = file.noticeItems?.[notice];
      const said = NOTICE_ITEMS[notice].map((item) => ({ item, text: text(items?.[item]) }));
      return items ? [[notice, said]] : [];
    }),
  );
}

async function describeBrand(
  { games }: Configuration,
  brand: Brand,
  environment: Environment,
  backupOrigins: string[],
  language: Language,
  readPicture: PictureReader,
): Promise<BootBrand<BrandPicture>> {
  const { file } = brand;
  const display = displayFor(brand, language);
  const { text } = display;
  return {
    key: brand.key,
    name: file.name,
    title: text(file.title),
    theme: file.theme,
    look: file.look,
    version: file.version,
    isVip: file.isVip,
    hasAccountsByGame: file.accounts === 'game',
    hasEntryCodes: file.games.some((id) => games.get(id as GameId)?.file.hasEntryCodes === true),
    hasPromoCodes: brand.promoCodes.size > 0,
    hasStepBar: file.hasStepBar,
    tracking: file.tracking
      ? {
          appId: file.tracking.appId,
          eventId: file.tracking.eventId,
          host: file.tracking.collection?.[environment] ?? '',
        }
      : null,
    needsTrackingConsent: file.needsTrackingConsent,
    logins: file.logins,
    links: file.links,
    notices: file.notices,
    areas: file.areas ?? {},
    copyright: file.copyright,
    koreanBusiness: file.koreanBusiness ?? null,
    confirmations: readConfirmations(brand, display),
    supportHours: file.supportHours ?? '',
    languages: [...file.languages],
    currency: file.currency,
    hasLocalCounts: file.money === 'local',
    backupOrigins,
    logo: await readPicture(brand.key, file.art.logo, 'brand-logo'),
    hero: {
      picture: brand.hero ?? (file.art.hero ? await readPicture(brand.key, file.art.hero, 'brand-hero') : null),
      title: text(file.hero.title),
      text: text(file.hero.text),
      chip: text(file.hero.chip),
    },
  };
}

function unwrap<Content>(answer: { content: Content | null }): Content | null {
  return answer.content;
}

/** Our choice: as many names as the line beside the goods holds. */
const MAX_WAYS = 3;

/** The methods that are usual where the visitor is and take the price of the first goods. */
function waysOf(
  deps: Pick<BootDeps, 'payments'>,
  brand: Brand,
  market: Market | null,
  goods: BootData['goods'],
  language: Language,
): BootData['ways'] {
  const first = goods?.list[0];
  if (!market || !first || !isCurrency(first.currency)) return { names: [], isMore: false };
  const price = { amountMinor: first.price_minor, currency: first.currency };
  const names = deps.payments.usualWays(brand.key, market, price, language);
  return { names: names.slice(0, MAX_WAYS), isMore: names.length > MAX_WAYS };
}
