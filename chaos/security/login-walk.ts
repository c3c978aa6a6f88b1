// A browser at the shop that logs in at another company's simulator: its cookies, the way there and the way back.
import type { UserInfo } from '#contracts/accounts.ts';
import { CODES } from '#contracts/errors.ts';
import type { LoginKind, LoginStart } from '#contracts/logins.ts';
import type { LoginMessage } from '#contracts/login-window.ts';
import { walkLogin } from '#e2e/walk-login.ts';
import type { Answered, TestShop } from '#testing/shop.ts';
import type { Round } from './security-test.ts';

const AUTH: Readonly<Record<LoginKind, string>> = {
  google: 'google_auth',
  ios: 'apple_auth',
  facebook: 'facebook_auth',
  twitter: 'twitter_auth',
  vk: 'vk_auth',
  huawei: 'huawei_auth',
  own: 'own_auth',
};

export type LoginBrowser = {
  readonly brand: string;
  readonly jar: Map<string, string>;
  post<Content>(path: string, body: object): Promise<Answered<Content>>;
  begin(kind: LoginKind, more?: object): Promise<Answered<LoginStart>>;
  /** To the provider, the name typed, and back: what the callback page tells our page. */
  walk(kind: LoginKind, name: string | null): Promise<{ begun: LoginStart; message: LoginMessage }>;
  finish(kind: LoginKind, fields: object): Promise<Answered<UserInfo>>;
  who(): Promise<Answered<UserInfo>>;
};

export function openLoginBrowser(shop: TestShop, brand = 'watt', clientId = '70021'): LoginBrowser {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const post = async <Content>(path: string, body: object): Promise<Answered<Content>> => {
    const answer = await shop.post<Content>(path, body, { brand, headers: { cookie: cookie() } });
    for (const { name, value } of answer.cookies as { name: string; value: string }[]) jar.set(name, value);
    return answer;
  };
  const begin: LoginBrowser['begin'] = (kind, more = {}) =>
    post('/util/login/start', { kind, client_id: clientId, ...more });
  return {
    brand,
    jar,
    post,
    begin,
    walk: async (kind, name) => {
      const begun = await begin(kind);
      if (begun.code !== 1) throw new Error(`a login with ${kind} does not begin: ${begun.text}`);
      const { url, form } = await walkLogin(begun.content.url, name);
      const { host, pathname, search } = new URL(url);
      const answer = await shop.app.inject({
        method: form ? 'POST' : 'GET',
        url: pathname + search,
        headers: { host, ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) },
        ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
      });
      const block = /<script type="application\/json" id="login">(.*?)<\/script>/s.exec(answer.body)?.[1] ?? '';
      return { begun: begun.content, ...(JSON.parse(block) as { message: LoginMessage }) };
    },
    finish: (kind, fields) => post(`/util/login/${AUTH[kind]}`, fields),
    who: () =>
      shop.get<UserInfo>(`/util/login/get_user_info?client_id=${clientId}`, { brand, headers: { cookie: cookie() } }),
  };
}

/** A login that opens nothing: one answer whatever was wrong, and the reason in the log. */
export function refuseLogin(
  { refused, holds }: Round,
  shop: TestShop,
  browser: LoginBrowser,
  what: string,
  answer: { code: number; text: string; content: unknown },
  before: string | undefined,
): void {
  refused(
    what,
    answer.code === CODES.loginFailed.code && answer.content === null && browser.jar.get('refill-demo') === before,
    answer.text,
  );
  const reason = shop.logLines.findLast((line) => line.includes('login_refused')) ?? '';
  holds(
    `${what}: the log has the reason and no token`,
    reason.includes('"reason"') && !/eyJ[\w-]{20}/.test(reason),
    reason,
  );
}
