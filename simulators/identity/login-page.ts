// The page on which a player says who they are: a name, and two buttons. And what each kind
// of provider makes of a name.

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { escapeHtml, type Look, sendPage } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';

export type LoginPage = {
  provider: string;
  look: Look;
  /** The app that asks, as the provider knows it. */
  app: string;
  /** The form posts to this address. */
  action: string;
  hidden?: Record<string, string>;
};

export function sendLoginPage(reply: FastifyReply, page: LoginPage): FastifyReply {
  const hidden = Object.entries(page.hidden ?? {})
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  return sendPage(reply, {
    title: `${page.provider}: sign in`,
    banner: `Simulated ${page.provider}: no real account`,
    look: page.look,
    content: `<h1>Sign in with ${escapeHtml(page.provider)}</h1><div class="card">
<form method="post" action="${escapeHtml(page.action)}">${hidden}
<p>The app <code>${escapeHtml(page.app)}</code> asks who you are. Any name will do; the same name is the same player every time.</p>
<label for="name">Name</label><input id="name" name="name" required maxlength="60" autocomplete="off" autocapitalize="none" autofocus>
<button class="main" name="action" value="continue">Continue</button>
<button name="action" value="cancel" formnovalidate>Cancel</button></form></div>`,
  });
}

/** Null: the player pressed Cancel, or gave no name. */
export function readName(body: unknown): string | null {
  const name = (textAt(body, 'name') ?? '').trim();
  return textAt(body, 'action') === 'cancel' || name === '' ? null : name;
}

/** Says why it can go no further, as the real ones do on a page of their own. */
export function sendRefusal(reply: FastifyReply, provider: string, reason: string): FastifyReply {
  return sendPage(reply, {
    title: `${provider}: error`,
    banner: `Simulated ${provider}: no real account`,
    status: 400,
    content: `<h1>This does not work</h1><div class="card"><p>${escapeHtml(reason)}</p></div>`,
  });
}

/** `length` decimal digits that belong to a name for ever, none of them a leading zero. */
export function digitsOf(provider: string, name: string, length: number): string {
  const hash = createHash('sha256')
    .update(`${provider}/${name.normalize('NFKC').toLowerCase()}`)
    .digest('hex');
  const digits = BigInt(`0x${hash}`)
    .toString()
    .slice(0, length - 1);
  return `1${digits}`;
}
