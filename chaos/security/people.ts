// Accounts with passwords, the login call as the page sends it, and who a browser is.
import type { UserInfo } from '#contracts/accounts.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { type Answered, type TestPlayer, type TestShop, credentials } from '#testing/shop.ts';
import { PROXY } from './test-harness.ts';

export const LOGIN = '/util/login/auth';
export const LOGOUT = '/util/login/logout';
export const WHO = '/util/login/get_user_info?client_id=70021';
/** A request that came by TLS through the proxy in front. */
export const OVER_TLS = {
  host: 'pay-demo.watt.example',
  remoteAddress: PROXY,
  headers: { 'x-forwarded-proto': 'https' },
};

export type Account = { readonly brand: string; readonly username: string; readonly password: string };

let made = 0;

export async function makeAccount(
  shop: TestShop,
  password = 'correct horse battery',
  brand = 'watt',
): Promise<Account> {
  made += 1;
  const username = `security ${made}`;
  await shop.services.accounts.saveAccount({
    brandKey: brand as BrandKey,
    username,
    suid: `security-${made}`,
    password,
  });
  return { brand, username, password };
}

type Sent = Parameters<TestShop['post']>[2];

export function logIn(
  shop: TestShop,
  { username, password, brand }: Account,
  sent: Sent = {},
): Promise<Answered<UserInfo>> {
  return shop.post<UserInfo>(LOGIN, credentials(username, password), { brand, ...sent });
}

/** The session's cookie of an answer, not those beside it; empty when there is none. */
export function tokenOf(answer: Answered<unknown>): string {
  const cookies = answer.cookies as { name: string; value: string }[];
  return cookies.find(({ name }) => name === 'refill-demo' || name === '__Host-refill')?.value ?? '';
}

/** A browser that holds this token. */
export const holding = (token: string, brand = 'watt'): TestPlayer => ({ brand, token }) as TestPlayer;

export const whoIs = (shop: TestShop, token: string, brand = 'watt'): Promise<Answered<UserInfo>> =>
  shop.get<UserInfo>(WHO, { session: holding(token, brand) });
