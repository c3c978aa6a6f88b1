// Prints the summary of a start when everything is up: where the shops are, who can log in, where the simulated goods
// arrive.

import type { OwnShop } from './start-own-shop.ts';

export type DemoAccount = { login: string; password: string; note: string };
export type DemoCard = { number: string; password: string; note: string };
/** A demonstration was given these. */
export type Demo = { accounts: DemoAccount[]; cards: DemoCard[] };

export type Welcome = {
  port: number;
  /** Keys of the brands, the names of their folders. */
  brands: string[];
  accounts: DemoAccount[];
  cards: DemoCard[];
  /** Address of the simulated games' inbox. */
  inbox: string;
  logs: string;
  /** Left out: the demonstration's own. */
  own?: OwnShop | undefined;
};

/** The text that `npm start` ends with; its last line is `ready` alone, for whoever waits for it. */
export function describeWelcome(welcome: Welcome): string {
  const widest = Math.max(0, ...welcome.brands.map((brand) => brand.length));
  const lines = [
    '',
    welcome.own ? `Your shop, ${welcome.own.folder}` : 'Shops',
    ...welcome.brands.map((brand) => `  ${brand.padEnd(widest)}  ${addressOf(brand, welcome.port)}`),
  ];
  if (welcome.accounts.length > 0) {
    lines.push('', 'Demo accounts (password in brackets)');
    lines.push(...welcome.accounts.map((account) => `  ${account.login} (${account.password})  ${account.note}`));
  }
  if (welcome.cards.length > 0) {
    lines.push('', 'Prepaid cards to try (number, password)');
    lines.push(...welcome.cards.map((card) => `  ${card.number}  ${card.password}  ${card.note}`));
  }
  const { own } = welcome;
  if (own && own.ownGames.length > 0) {
    lines.push('', 'Games that answer themselves, with accounts of their own');
    lines.push(...own.ownGames.map(({ id, url }) => `  ${id}  ${url}`));
  }
  if (!own || own.simulatedGames.length > 0) lines.push('', 'Goods arrive in the simulated game', `  ${welcome.inbox}`);
  if (!own) lines.push('', 'A game that shows the shop inside', `  ${new URL('/sample-game', welcome.inbox).href}`);
  lines.push('', `Logs: ${welcome.logs}   Stop: Ctrl-C`, 'ready');
  return lines.join('\n');
}

/** `*.localhost` leads to this machine in every browser, without a hosts file. @source RFC 6761 section 6.3 */
function addressOf(brand: string, port: number): string {
  return `http://${brand.toLowerCase()}.demo.localhost:${port}`;
}
