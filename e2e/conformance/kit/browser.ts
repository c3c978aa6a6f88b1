// A payer's browser, as far as the pages of the simulators need one: forms, buttons, links, redirects. No scripts.
import { Window } from 'happy-dom';
import type { PageVisit } from './declaration.ts';

type Page = { readonly url: string; readonly html: string; readonly status: number };

/** Our choice: no provider's way has more steps than page, form, bank, result and back. */
const MAX_STEPS = 12;

const parser = new new Window().DOMParser();

/**
 * Opens the pay page, types, presses the button of that name and goes on until the payer is back in the shop.
 * @param isHome whether an address is the shop's; there the walk ends
 * @returns every address on the way, the shop's last when the payer came back
 */
export async function walk(
  start: PageVisit,
  options: {
    button: string;
    note: string;
    typed: Readonly<Record<string, string>>;
    isHome: (url: string) => boolean;
  },
): Promise<string[]> {
  const trail: string[] = [];
  const cookies = new Map<string, string>();
  let visit: PageVisit | undefined = start;
  let isPressed = false;
  while (visit && trail.length < MAX_STEPS) {
    const page = await open(visit, cookies, trail);
    if (options.isHome(page.url)) return trail;
    if (page.status >= 500) throw new Error(`the page ${page.url} answered ${page.status}`);
    const next = nextVisit(page, isPressed ? null : options);
    isPressed ||= next.isPressed;
    visit = next.visit;
  }
  if (!isPressed) throw new Error(`no button "${options.button}" on the way ${trail.join(' -> ')}`);
  return trail;
}

/** The text of the page that opens first: what the payer reads before paying. */
export async function readPage(start: PageVisit): Promise<string> {
  const { html } = await open(start, new Map(), []);
  return parser.parseFromString(html, 'text/html').body.textContent;
}

/** Follows redirects by itself, so that the trail names them all. */
async function open(first: PageVisit, cookies: Map<string, string>, trail: string[]): Promise<Page> {
  let visit = first;
  for (let hops = 0; hops < MAX_STEPS; hops += 1) {
    const { url, method = 'GET', fields = {} } = visit;
    trail.push(url);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(method === 'POST' ? { body: new URLSearchParams(fields) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || !location)
      return { url, html: await response.text(), status: response.status };
    await response.arrayBuffer();
    const isKept = response.status === 307 || response.status === 308;
    visit = { ...(isKept ? visit : {}), url: new URL(location, url).href };
  }
  throw new Error(`more redirects than ${MAX_STEPS} from ${first.url}`);
}

type Wish = { button: string; note: string; typed: Readonly<Record<string, string>> };

function nextVisit(page: Page, wish: Wish | null): { visit: PageVisit | undefined; isPressed: boolean } {
  const document = parser.parseFromString(page.html, 'text/html');
  const forms = [...document.querySelectorAll('form')];
  const buttonOf = (form: (typeof forms)[number]) =>
    [...form.querySelectorAll('button')].find((one) => one.textContent.trim() === wish?.button);
  const chosen = wish ? forms.find(buttonOf) : undefined;
  // A form without buttons posts itself; the provider's page of another step has one way on.
  const form = chosen ?? forms.find((one) => one.querySelector('button') === null);
  if (form) {
    const fields: Record<string, string> = {};
    for (const input of form.querySelectorAll('input, select')) {
      const name = input.getAttribute('name');
      const chosenOption = input.querySelector('option[selected]') ?? input.querySelector('option');
      if (name) fields[name] = (chosenOption ?? input).getAttribute('value') ?? '';
    }
    const button = chosen && buttonOf(chosen);
    if (wish && chosen) Object.assign(fields, wish.typed, { note: wish.note });
    const name = button?.getAttribute('name');
    if (name) fields[name] = button?.getAttribute('value') ?? '';
    const target = new URL(button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', page.url);
    if (form.getAttribute('method')?.toLowerCase() === 'post')
      return { visit: { url: target.href, method: 'POST', fields }, isPressed: chosen !== undefined };
    target.search = new URLSearchParams(fields).toString();
    return { visit: { url: target.href }, isPressed: chosen !== undefined };
  }
  const link = wish ? null : document.querySelector('a.main[href]');
  const href = link?.getAttribute('href');
  return { visit: href ? { url: new URL(href, page.url).href } : undefined, isPressed: false };
}
