// The port every identity provider is written against: one login in two halves, `begin` and `finish`. No session,
// no database, no HTTP of ours.
import type { Environment } from '#kernel/environment.ts';
import type { BrandFile } from '#contracts/brand-file.ts';
import type { LoginKind } from '#contracts/logins.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import type { SettingForm } from '#kernel/setting-form.ts';

/** One setting, read from `REFILL_LOGIN_<NAME>_<DEMO|LIVE>_<SETTING>`. */
export type LoginSetting = {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  /** Says in one sentence what the setting is and where an operator finds it. */
  readonly about: string;
  /** How its value must be written, as of a payment provider's. */
  readonly form?: SettingForm;
};

export type LoginContext = {
  readonly environment: Environment;
  readonly settings: Readonly<Record<string, string>>;
  readonly outbound: Outbound;
  /**
   * For published keys: a notice that is not proven yet makes us ask for them, so its circuit breaker is another one.
   */
  readonly keysOutbound: Outbound;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The public ids of a brand's apps, from its file. */
export type BrandLogins = BrandFile['logins'];

export type BeginLogin = {
  /** The brand's app or client id, as `appOf` gave it. */
  readonly appId: string;
  readonly redirectUri: string;
  /** 256 random bits. */
  readonly state: string;
};

/**
 * `kept` is stored with the attempt and handed to `finish`. `state`: what comes back instead of ours,
 * for a provider that takes none.
 */
export type BeginOutcome =
  | { readonly kind: 'ok'; readonly url: string; readonly kept: Kept; readonly state?: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type Kept = Readonly<Record<string, string>>;

/** The attempt and what the browser brought for it. Every value of `brought` is a stranger's word. */
export type FinishLogin = BeginLogin & { readonly kept: Kept; readonly brought: Readonly<Record<string, string>> };

/**
 * `subject`: the player at this provider for ever, never an e-mail, a phone number or a name.
 * `name`: for show, may be null.
 * `refused`: no; the reason is for the log and holds no token. `unavailable`: the provider gave no clear answer.
 */
export type FinishOutcome =
  | { readonly kind: 'ok'; readonly subject: string; readonly name: string | null }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** A provider tells us this by itself about one of its accounts. */
export type LoginNotice = {
  /** One of the ids that a brand's apps go by. */
  readonly appId: string;
  readonly subject: string;
  /** The provider's own word, for the log. */
  readonly event: string;
  /** The account is gone, or its owner has taken back the consent: nobody is logged in by it any more. */
  readonly isOver: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
};

export type NoticeOutcome =
  | { readonly kind: 'ok'; readonly notices: readonly LoginNotice[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type LoginNotices = {
  /** The ids by which a notice may name a brand's apps. */
  idsOf(logins: BrandLogins): string[];
  /** Proves a call before it believes a word of it. @param ids those of all brands */
  read(body: string, ids: readonly string[]): Promise<NoticeOutcome>;
};

/** A provider with its settings. */
export type OpenLogin = {
  /** `URL.host` values the two halves call. */
  readonly apiHosts: readonly string[];
  /** The app of a brand, when it is set up here; null: this brand cannot offer it. */
  appOf(logins: BrandLogins): string | null;
  begin(input: BeginLogin): Promise<BeginOutcome>;
  finish(input: FinishLogin): Promise<FinishOutcome>;
  /** Only of providers that call us. */
  readonly notices?: LoginNotices;
};

export type LoginProvider = {
  readonly kind: LoginKind;
  /** Setting prefix and provider of the stored identity: "apple". */
  readonly name: string;
  readonly settings: readonly LoginSetting[];
  /** Throws one sentence when a setting cannot be used. */
  open(context: LoginContext): OpenLogin;
};
