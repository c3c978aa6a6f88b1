// The page on which a payer decides: what is bought, for how much, and the three buttons.

import type { FastifyReply } from 'fastify';
import { sentinels } from './faults.ts';
import { escapeHtml, type Look, sendPage } from './page.ts';

export type HostedPage = {
  provider: string;
  look: Look;
  /** Wording of the provider's own kind of page. */
  heading: string;
  merchant: string;
  description: string;
  amountText: string;
  reference: string;
  /** The form posts to this address. */
  action: string;
  hidden: Record<string, string>;
  /** Further lines of the provider's summary. */
  lines?: [label: string, value: string][];
  /** The payer fills these in before paying, prefilled so that one press is enough. */
  inputs?: PageInput[];
  notice?: string;
  /** Words that only this provider knows, with their meaning. */
  extraSentinels?: Record<string, string>;
};

/** A line to type in, or a choice when there are options. */
export type PageInput = {
  name: string;
  label: string;
  value: string;
  type?: 'text' | 'password';
  options?: [value: string, label: string][];
};

/** The payer chose this on the page. */
export type Decision = 'pay' | 'decline' | 'later';

export function readDecision(value: unknown): Decision | undefined {
  return value === 'pay' || value === 'decline' || value === 'later' ? value : undefined;
}

/** `Simulated <provider>: no real money`, on top of every page. */
function bannerOf(provider: string): string {
  return `Simulated ${provider}: no real money`;
}

function inputOf({ name, label, value, type = 'text', options }: PageInput): string {
  const id = escapeHtml(name);
  const choice = ([one, text]: [string, string]) =>
    `<option value="${escapeHtml(one)}"${one === value ? ' selected' : ''}>${escapeHtml(text)}</option>`;
  const field = options
    ? `<select id="${id}" name="${id}">${options.map(choice).join('')}</select>`
    : `<input id="${id}" name="${id}" type="${type}" value="${escapeHtml(value)}" autocomplete="off">`;
  return `<label for="${id}">${escapeHtml(label)}</label>${field}`;
}

export function sendHostedPage(reply: FastifyReply, page: HostedPage): FastifyReply {
  const hidden = Object.entries(page.hidden)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const line = ([label, value]: [string, string]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`;
  const lines: [string, string][] = [
    ['Merchant', page.merchant],
    ['Product', page.description],
    ['Reference', page.reference],
    ...(page.lines ?? []),
  ];
  const words = Object.entries({ ...sentinels, ...page.extraSentinels })
    .map(([word, meaning]) => `<dt><code>${word}</code></dt><dd style="text-align:start">${escapeHtml(meaning)}</dd>`)
    .join('');
  return sendPage(reply, {
    title: `${page.provider}: ${page.heading}`,
    banner: bannerOf(page.provider),
    look: page.look,
    content: `<h1>${escapeHtml(page.heading)}</h1>
${page.notice ? `<p class="notice" role="alert">${escapeHtml(page.notice)}</p>` : ''}
<div class="card"><p class="amount">${escapeHtml(page.amountText)}</p><dl>${lines.map(line).join('')}</dl>
<form method="post" action="${escapeHtml(page.action)}">${hidden}${(page.inputs ?? []).map(inputOf).join('')}
<button class="main" name="action" value="pay">Pay</button>
<button name="action" value="later">Pay later</button>
<button name="action" value="decline">Decline</button>
<label for="note">Note</label><input id="note" name="note" autocomplete="off" autocapitalize="none">
<details><summary>Words that make something go wrong</summary><p>Type one or more into the note before you press a button.
Pay later leaves now; the provider completes 15 seconds afterwards, by callback only.</p><dl style="grid-template-columns:1fr">${words}</dl></details>
</form></div>`,
  });
}

/** A page that only says something, with one way on. */
export function sendMessagePage(
  reply: FastifyReply,
  page: {
    provider: string;
    look: Look;
    heading: string;
    text: string;
    status?: number;
    next?: { label: string; url: string };
  },
): FastifyReply {
  const next = page.next
    ? `<a class="button main" href="${escapeHtml(page.next.url)}">${escapeHtml(page.next.label)}</a>`
    : '';
  return sendPage(reply, {
    title: `${page.provider}: ${page.heading}`,
    banner: bannerOf(page.provider),
    look: page.look,
    ...(page.status ? { status: page.status } : {}),
    content: `<h1>${escapeHtml(page.heading)}</h1><div class="card"><p>${escapeHtml(page.text)}</p>${next}</div>`,
  });
}
