// Provides tests of components with a page's data, a server of canned answers, and drawing into a document.
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterAll, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { CODES, type CodeName } from '#contracts/errors.ts';
import { setBoot } from './boot.ts';
import { listenLess } from './listened-events.ts';
import { startLanguage } from './i18n.ts';
import { PopupHost } from './popups/PopupHost.tsx';
import { closeAllPopups, currentPopups, removePopup } from './popups/popups.tsx';
import { createQueryClient } from './calls/query.ts';
import { useToasts } from './toast.ts';
import { Toasts } from '#web/ui/Toasts.tsx';

const PAGE: PageData = {
  brand: {
    key: 'watt',
    name: 'Watt Games',
    title: 'Watt Games',
    theme: '#5B6CFF',
    look: {
      shift: 0, tint: 1, round: 1, corner: 'round', dense: 1, voice: 'sans', voiceWeight: 800, voiceTrack: 0, mode: 'auto', coin: 'coin', stage: 'poster', card: 'tile',
    } /* a row a line */, // prettier-ignore
    version: 'new',
    isVip: false,
    hasAccountsByGame: false,
    hasEntryCodes: false,
    hasPromoCodes: false,
    hasStepBar: false,
    tracking: null,
    needsTrackingConsent: false,
    logins: { kinds: [] },
    links: { privacy: 'https://watt.example/privacy', terms: 'https://watt.example/terms' },
    notices: [],
    areas: {},
    copyright: '© Watt Games',
    koreanBusiness: null,
    confirmations: {},
    supportHours: '',
    languages: ['en'],
    currency: 'USD',
    hasLocalCounts: false,
    backupOrigins: [],
    logo: { url: '/logo.svg' },
    hero: { picture: { url: '/hero.svg' }, title: 'Hello', text: '', chip: '' },
  },
  env: 'demo',
  isBeta: false,
  frameParents: [],
  isInApp: false,
  language: 'en',
  messagesUrls: {},
  messages: {},
  user: null,
  isRealNameMissing: false,
  region: 'universal',
  country: '',
  hasMarkets: false,
  regions: [{ region: 'universal', name: 'Everywhere' }],
  games: [],
  platform: null,
  clientId: '1001',
  pageConfig: null,
  goods: null,
  gifts: null,
  countries: null,
  servers: null,
  offers: null,
  returning: null,
  cardKinds: [],
  ways: { names: ['Card', 'PayPal'], isMore: false },
  nonce: '',
};

/** Gives every page of this test file its texts; without them a page shows the ids. */
export function speak(messages: PageData['messages']): void {
  PAGE.messages = messages;
}

/** The answer of one path: content, or the name of a code, or nothing at all when the line is dead. */
export type Canned = { content: unknown } | { name: CodeName; content?: unknown } | 'dead';

export type Call = { path: string; fields: Record<string, unknown>; key: string | null };

/**
 * Puts a server in place of fetch. `answers` holds what each path says, a list in turn (the last one stays).
 * @returns every call that was made, in order
 */
export function serve(answers: Record<string, Canned | Canned[]>): Call[] {
  const calls: Call[] = [];
  const turns = new Map<string, number>();
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), 'http://watt.demo.localhost');
    const path = url.pathname;
    const fields =
      typeof init?.body === 'string' ? (JSON.parse(init.body) as Call['fields']) : Object.fromEntries(url.searchParams);
    calls.push({ path, fields, key: new Headers(init?.headers).get('Idempotency-Key') });
    const said = answers[path];
    if (!said) throw new Error(`no answer for ${path}`);
    const turn = turns.get(path) ?? 0;
    turns.set(path, turn + 1);
    const one = Array.isArray(said) ? said[Math.min(turn, said.length - 1)] : said;
    if (!one || one === 'dead') throw new TypeError('no line');
    const name = 'name' in one ? one.name : 'success';
    return Response.json({ code: CODES[name].code, msg: `says ${name}`, content: one.content ?? null });
  };
  return calls;
}

let drawn: Root | null = null;

/** Takes away what the last test drew, popups included: their stack outlives a page of React. */
async function leave(): Promise<void> {
  closeAllPopups();
  await settle();
  // No transition ends here: without this the next test's page would still hold them for a second.
  for (const { id } of currentPopups()) removePopup(id);
  drawn?.unmount();
  document.body.replaceChildren();
}

// A page that stays goes on drawing after its file, where there is no window any more: an error of no test.
afterAll(async () => {
  vi.useRealTimers();
  await leave();
  await settle();
});

/** Draws into a fresh document with popups and toasts around, as main.tsx does. Waits until nothing is pending. */
export async function draw(node: ReactNode, page: Partial<PageData> = {}): Promise<void> {
  await leave();
  // Drawings come over the line; there is none.
  globalThis.XMLHttpRequest = class extends EventTarget {
    open() {}
    overrideMimeType() {}
    send() {}
  } as unknown as typeof XMLHttpRequest;
  setBoot({ ...PAGE, ...page });
  startLanguage();
  const place = document.body.appendChild(document.createElement('div'));
  drawn = createRoot(listenLess(place));
  drawn.render(
    <QueryClientProvider client={createQueryClient()}>
      {node}
      <PopupHost />
      <ToastHost />
    </QueryClientProvider>,
  );
  await settle();
}

function ToastHost() {
  return <Toasts toasts={useToasts()} />;
}

/** Our choice: longer than a lazy part or a transition takes on a busy machine. */
const TIMEOUT_MS = 4000;

/** Waits at least `ms`, then until the page has stood still for a moment: answers, lazy parts, transitions. */
export async function settle(ms = 20): Promise<void> {
  await sleep(ms);
  let changedAt = Date.now();
  const watcher = new MutationObserver(() => {
    changedAt = Date.now();
  });
  watcher.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() - changedAt < 60 && Date.now() < end) {
    const began = Date.now();
    await sleep(10);
    // Nothing moves while the code of a lazy part is fetched, for as long as the machine takes.
    await vi.dynamicImportSettled();
    if (Date.now() - began > 40) changedAt = Date.now();
  }
  watcher.disconnect();
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The same as find, but waits for it: a popup's code may still be on its way. */
export async function appear(text: string, selector?: string): Promise<HTMLElement> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return find(text, selector);
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
  }
}

/**
 * The button or link whose name holds the text. Throws when there is none: a test that presses nothing proves nothing.
 */
export function find(text: string, selector = 'button, a, [role="radio"], input'): HTMLElement {
  const found = [...document.querySelectorAll<HTMLElement>(selector)].find((element) => nameOf(element).includes(text));
  if (!found) throw new Error(`nothing called "${text}" in: ${document.body.textContent}`);
  return found;
}

function nameOf(element: HTMLElement): string {
  const label = element.closest('label')?.textContent ?? '';
  return `${element.getAttribute('aria-label') ?? ''} ${element.textContent ?? ''} ${label}`;
}

export async function press(text: string): Promise<void> {
  (await appear(text)).click();
  await settle();
}

/** Types into the field with this label, as a player would. */
export async function type(label: string, value: string): Promise<void> {
  const id = [...document.querySelectorAll('label')].find((one) => one.textContent?.includes(label))?.htmlFor;
  const input = document.getElementById(id ?? '') as HTMLInputElement | null;
  if (!input) throw new Error(`no field "${label}"`);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
}

export const shownText = () => document.body.textContent ?? '';
