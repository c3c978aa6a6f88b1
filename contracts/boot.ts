// Declares the data that the server puts inside the HTML, so that the first picture needs no call.
import type { Environment } from '#kernel/environment.ts';
import type { Language } from '#kernel/languages.ts';
import type { Currency } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { UserInfo } from './accounts.ts';
import type { BrandFile } from './brand-file.ts';
import type { catalogueRoutes } from './catalogue.ts';
import type { Platform } from './envelope.ts';
import type { GameListItem, PageConfig, gameRoutes } from './games.ts';
import type { Confirmation } from './confirmations.ts';
import type { Notice, NoticeItem } from './notices.ts';
import type { KeyArt } from './pictures.ts';
import type { Offer } from './offers.ts';
import type { Returning } from './orders.ts';
import type { OutputOf } from './route.ts';

/**
 * A brand's picture: mark-up that the server itself wrote out of a drawing, in the page's
 * colours, or the address of a file.
 */
export type BrandPicture =
  | { markup: string & { readonly isClean: true }; symbol: string; viewBox: string }
  | { url: string };

/** A picture as the page has it: the id of a symbol in the document with its box, or an address. */
export type PagePicture = { symbol: string; viewBox: string } | { url: string };

/** The page needs these fields of a brand's file. Texts are already in the language of the page. */
export type BootBrand<Picture> = {
  key: string;
  name: string;
  title: string;
  /** Six hex digits with a hash. */
  theme: string;
  look: BrandFile['look'];
  version: BrandFile['version'];
  isVip: boolean;
  /** Each game has accounts of its own: who is logged in at one of them is nobody at the others. */
  hasAccountsByGame: boolean;
  /** One of its games shows codes that open the shop on another device. */
  hasEntryCodes: boolean;
  /** Is true when the brand has promo codes to type. */
  hasPromoCodes: boolean;
  hasStepBar: boolean;
  /** Pages send visits to this host: empty for our own. Null: nothing. */
  tracking: { appId: string; eventId: string; host: string } | null;
  needsTrackingConsent: boolean;
  logins: BrandFile['logins'];
  links: BrandFile['links'];
  notices: BrandFile['notices'];
  /** Holds the settings that differ by payment region. */
  areas: NonNullable<BrandFile['areas']>;
  copyright: string;
  koreanBusiness: NonNullable<BrandFile['koreanBusiness']> | null;
  /** By region: the form that stands beside the button that pays. */
  confirmations: Partial<Record<Region, Confirmation>>;
  /** Empty when the brand names none. */
  supportHours: string;
  languages: Language[];
  currency: Currency;
  /** Counts have the separators of the page's language, as the brand's amounts do (`money: local`). */
  hasLocalCounts: boolean;
  /** Origins that answer the calls when our own does not; usually none. */
  backupOrigins: string[];
  logo: Picture;
  /** `picture` is the brand's own; null: the key art of the chosen game. */
  hero: { picture: Picture | KeyArt | null; title: string; text: string; chip: string };
};

export type GoodsOfLanding = OutputOf<(typeof catalogueRoutes)['goods']>;
export type GiftsOfLanding = OutputOf<(typeof catalogueRoutes)['gifts']>;
export type CountriesOfLanding = OutputOf<(typeof catalogueRoutes)['countries']>;
export type ServersOfLanding = OutputOf<(typeof gameRoutes)['servers']>;

/** One message compiled by scripts/messages.ts, in Lingui's form. */
export type CompiledMessages = Record<string, unknown>;

type Boot<Picture> = {
  brand: BootBrand<Picture>;
  env: Environment;
  /** Super mode: this browser holds a beta key, so `user` is its beta user, who sees what is marked beta. */
  isBeta: boolean;
  /** The page may stand in a frame of these exact origins, and of no others; empty for all but the game's own view. */
  frameParents: string[];
  /** The browser is a view of another app, as it says itself. */
  isInApp: boolean;
  /** The page's own language; one of the brand's. */
  language: Language;
  /** Address of the compiled messages of each of the brand's languages. */
  messagesUrls: Partial<Record<Language, string>>;
  /** The compiled messages of `language`. */
  messages: CompiledMessages;
  user: UserInfo | null;
  /** The brand asks for a real-name check, and this player has not passed it. */
  isRealNameMissing: boolean;
  /** The payment region the server assumed, or null when the address asked for one that the brand does not sell in. */
  region: Region | null;
  /** The country the server assumed within `region`; empty without a region. */
  country: string;
  /** Is true when the brand sells in more than one country or currency, so that there is something to choose. */
  hasMarkets: boolean;
  /** The brand's regions in the order they are offered, with the name shown. */
  regions: {
    region: Region;
    name: string;
    /** Countries in which the prices include tax; left out where there are none. */
    taxIn?: readonly Country[];
  }[];
  /** Names of methods that are usual in `country`, the first ones; empty where the page does not know. */
  ways: { names: readonly string[]; isMore: boolean };
  /** Regions that the brand ties to clients, by client id. @source specification section 4: "from client_id" */
  clientRegions?: Readonly<Record<string, Region>>;
  games: GameListItem[];
  /** The platform whose client ids `games` carries; null when the address named a client, which stays what it is. */
  platform: Platform | null;
  /**
   * The chosen game; empty when the address named one that is not this brand's, so that
   * nothing of another one is shown.
   */
  clientId: string;
  pageConfig: PageConfig | null;
  /** Goods of `clientId` in `region`, or null when there are none to show or the page does not need them. */
  goods: GoodsOfLanding | null;
  /**
   * Bonus items of these goods and the countries to choose from: with the goods, so that no
   * card grows when they arrive.
   */
  gifts: GiftsOfLanding | null;
  countries: CountriesOfLanding | null;
  servers: ServersOfLanding | null;
  /** The open offers, with the server's clock: in the first picture, so that no price changes under the eye. */
  offers: { now: number; list: Offer[] } | null;
  /** The player's earlier purchase here. */
  returning: Returning | null;
  /** Kinds of prepaid cards that the brand takes: `pay_id` and `channel_id` go with the call. None: no gift tab. */
  cardKinds: { pay_id: string; channel_id: string; name: string }[];
};

/**
 * The brand's own words in another language, for a page that changes its language: `GET /brand-texts.json?spec_lang=`.
 */
export type BrandTexts = {
  title: string;
  hero: { title: string; text: string; chip: string };
  regions: Boot<never>['regions'];
  /** The texts of the notices, fetched only when somebody reads them. */
  noticeItems: Partial<Record<Notice, NoticeItem[]>>;
};
export const BRAND_TEXTS_PATH = '/brand-texts.json';

/** The server gathers and renders this. */
export type BootData = Boot<BrandPicture> & {
  /** Address of the tab's icon. */
  iconUrl: string;
  /** A small AVIF in the place of the landing page's key art until that has come, in base64; empty for none. */
  firstLook: string;
  noticeItems: BrandTexts['noticeItems'];
};

/** The page reads this from its HTML. `nonce` is for style elements that a component writes by itself. */
export type PageData = Boot<PagePicture> & { nonce: string };
