// A login that is not drawn: the call that the page would make, and its cookies in the browser.
import { randomUUID } from 'node:crypto';
import type { BrowserContext } from '@playwright/test';
import { addressOf, runningShop } from './running-shop.ts';

export type Account = { brand: string; name: string; password: string; clientId: string };

/** From here on the pages of this browser are those of a player who is logged in. */
export async function enter(context: BrowserContext, { brand, name, password, clientId }: Account): Promise<void> {
  const { origin, host } = new URL(addressOf(brand));
  // *.localhost leads to this machine in a browser only.
  const answer = await context.request.post(`http://127.0.0.1:${runningShop().port}/util/login/auth`, {
    headers: { host, origin, 'x-refill': '1', 'idempotency-key': randomUUID() },
    data: { username: encode(name), password: encode(password), client_id: clientId },
  });
  const { code, msg } = (await answer.json()) as { code: number; msg: string };
  if (code !== 1) throw new Error(`${name} is not let into ${brand}: ${msg}`);
  const lines = answer.headersArray().filter((header) => header.name.toLowerCase() === 'set-cookie');
  await context.addCookies(lines.map((line) => cookieOf(line.value, origin)));
}

/** Three characters of no meaning in front, as the wire wants it. */
const encode = (text: string): string => Buffer.from(`abc${text}`).toString('base64url');

/** @param line as the server sets it, "name=value; Path=/; HttpOnly; SameSite=Lax" */
function cookieOf(line: string, url: string) {
  const [pair = ''] = line.split(';', 1);
  const cut = pair.indexOf('=');
  const sameSite = /samesite=strict/i.test(line) ? ('Strict' as const) : ('Lax' as const);
  return { name: pair.slice(0, cut), value: pair.slice(cut + 1), url, httpOnly: /httponly/i.test(line), sameSite };
}
