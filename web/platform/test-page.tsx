// What tests of components need: a page's data, English messages, a server of canned answers, and drawing into a document.
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import type { PageData } from '#contracts/boot.ts';
import { CODES, type CodeName } from '#contracts/errors.ts';
import english from '../../messages/en.json' with { type: 'json' };
import { setBoot } from './boot.ts';
import { startLanguage } from './i18n.ts';
import { closeAllPopups, PopupHost } from './popups.tsx';
import { createQueryClient } from './query.ts';
import { useToasts } from './toast.ts';
import { Toasts } from '#web/ui/Toasts.tsx';

const PAGE: PageData = {
  brand: {
    key: 'watt',
    name: 'Watt Games',
    title: 'Watt Games',
    theme: '#5B6CFF',
    look: {
      shift: 0, tint: 1, round: 1, corner: 'round', dense: 1, voice: 'sans', voiceWeight: 800, voiceTrack: 0, mode: 'auto', coin: 'coin',
    }, // prettier-ignore
    version: 'new',
    isVip: false,
    hasStepBar: false,
    hasEvents: false,
    needsTrackingConsent: false,
    logins: { kinds: [] },
    links: { privacy: 'https://watt.example/privacy', terms: 'https://watt.example/terms' },
    notices: [],
    copyright: '© Watt Games',
    koreanBusiness: null,
    supportHours: '',
    languages: ['en'],
    currency: 'USD',
    backupHosts: [],
    logo: { url: '/logo.svg' },
    hero: { picture: { url: '/hero.svg' }, title: 'Hello', text: '', chip: '' },
  },
  env: 'demo',
  language: 'en',
  messagesUrls: {},
  messages: Object.fromEntries(Object.entries(english).map(([id, text]) => [id, compileMessageOrThrow(text)])),
  user: null,
  region: 'universal',
  regions: [{ region: 'universal', name: 'Everywhere' }],
  games: [],
  clientId: '1001',
  pageConfig: null,
  goods: null,
  servers: null,
  nonce: '',
};

/** What one path answers: content, or the name of a code, or nothing at all when the line is dead. */
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
  await act(async () => closeAllPopups());
  await settle();
  await act(async () => drawn?.unmount());
  document.body.replaceChildren();
}

/** Draws into a fresh document with popups and toasts around, as main.tsx does. Waits until nothing is pending. */
export async function draw(node: ReactNode, page: Partial<PageData> = {}): Promise<void> {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  await leave();
  setBoot({ ...PAGE, ...page });
  startLanguage();
  const place = document.body.appendChild(document.createElement('div'));
  drawn = createRoot(place);
  await act(async () => {
    drawn?.render(
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={createQueryClient()}>
          {node}
          <PopupHost />
          <ToastHost />
        </QueryClientProvider>
      </I18nProvider>,
    );
  });
  await settle();
}

function ToastHost() {
  return <Toasts toasts={useToasts()} />;
}

/** Lets lazy parts, answers and transitions come in. */
export async function settle(ms = 20): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, ms)));
}

/** The button or link whose name holds the text. Throws when there is none: a test that presses nothing proves nothing. */
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
  await act(async () => find(text).click());
  await settle();
}

/** Types into the field with this label, as a player would. */
export async function type(label: string, value: string): Promise<void> {
  const id = [...document.querySelectorAll('label')].find((one) => one.textContent?.includes(label))?.htmlFor;
  const input = document.getElementById(id ?? '') as HTMLInputElement | null;
  if (!input) throw new Error(`no field "${label}"`);
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export const shownText = () => document.body.textContent ?? '';
