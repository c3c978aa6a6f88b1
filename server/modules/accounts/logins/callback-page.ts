// The page a provider sends the player back to: hands what came to the page that began the login, or
// finishes the login by itself.
// Nothing is decided here: an attempt counts only in the browser that began it, and only the login calls know.
import { escapeJson, escapeText } from '#kernel/escape.ts';
import type { OwnPath } from '#kernel/own-path.ts';
import { randomBytes } from 'node:crypto';
import { type LoginKind } from '#contracts/logins.ts';
import { LOGIN_CHANNEL, LOGIN_TIMEOUT_MS, LOGIN_RESULT_KEY, type LoginMessage } from '#contracts/login-window.ts';

/** Fields of the login calls, by the names under which the providers send them. */
const FIELDS: Readonly<Record<string, string>> = {
  code: 'authorization_code',
  id_token: 'identity_token',
  state: 'state',
  iss: 'iss',
  device_id: 'device_id',
  oauth_token: 'oauth_token',
  oauth_verifier: 'oauth_verifier',
};
/** As long as the longest field of the contract. */
const FIELD_LENGTH = 8000;
/** @source the providers' pages named in server/providers/identity/README.md: what they send when the player says no */
const CANCELLED = new Set(['access_denied', 'user_cancelled_authorize', 'user_denied']);

/**
 * Converts the fields that a provider sent, by GET or POST, to the message for our page. Values are a stranger's; only
 * their shape is looked at.
 */
export function readCallback(kind: LoginKind, sent: Readonly<Record<string, unknown>>): LoginMessage {
  const fields: Record<string, string> = {};
  for (const [theirs, ours] of Object.entries(FIELDS)) {
    const value = sent[theirs];
    if (typeof value === 'string' && value !== '' && value.length <= FIELD_LENGTH) fields[ours] = value;
  }
  const denied = kind === 'twitter' && typeof sent['denied'] === 'string' ? sent['denied'].slice(0, 200) : '';
  const state = kind === 'twitter' ? denied || (fields['oauth_token'] ?? '') : (fields['state'] ?? '');
  // X's request token goes by its own name only, and nobody else's token is called oauth_token.
  if (kind === 'twitter') delete fields['state'];
  else for (const name of ['oauth_token', 'oauth_verifier']) delete fields[name];
  const isComplete = Boolean(state && (kind === 'twitter' ? fields['oauth_verifier'] : fields['authorization_code']));
  const isCancelled = denied !== '' || (typeof sent['error'] === 'string' && CANCELLED.has(sent['error']));
  const error = isCancelled ? 'cancelled' : 'error' in sent || !isComplete ? 'failed' : null;
  return { type: 'refill-login', kind, state, error, fields: error ? {} : fields };
}

export type CallbackPage = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly message: LoginMessage;
  readonly display: 'popup' | 'page';
  /** A path of ours. */
  readonly returnTo: OwnPath;
  /** The login call of this kind. */
  readonly authPath: string;
  readonly texts: { readonly wait: string; readonly close: string; readonly back: string };
};

/** Document and headers. What came from outside stands in a JSON block, never in code. */
export function writeCallbackPage(page: CallbackPage): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  const { message, display, returnTo, authPath } = page;
  const data = escapeJson({
    message,
    display,
    returnTo,
    authPath,
    channel: LOGIN_CHANNEL,
    timeoutMs: LOGIN_TIMEOUT_MS,
    resultKey: LOGIN_RESULT_KEY,
  });
  const html = `<!doctype html><html lang="${escapeText(page.language)}" dir="${page.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeText(page.texts.wait)}</title>
<style nonce="${nonce}">body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark;background:Canvas;color:CanvasText;text-align:center}
main{padding:24px}a{display:inline-block;padding:12px 24px;color:inherit}</style></head>
<body><main><p role="status" id="wait">${escapeText(page.texts.wait)}</p><p id="close" hidden>${escapeText(page.texts.close)}</p><a href="${escapeText(returnTo)}">${escapeText(page.texts.back)}</a></main>
<script type="application/json" id="login">${data}</script><script nonce="${nonce}">${SCRIPT}</script></body></html>`;
  return {
    html,
    headers: {
      'content-security-policy':
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri ` +
        `'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; ` +
        `trusted-types 'none'`,
      // With a policy of its own this page would lose its opener, and the login with it.
      'cross-origin-opener-policy': 'unsafe-none',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
  };
}

/** Plain JavaScript, a constant: the only variable is the JSON block. */
const SCRIPT = `(() => {
  const login = JSON.parse(document.getElementById('login').textContent);
  const { message } = login;
  history.replaceState(null, '', location.pathname);
  const leave = (result) => {
    const to = new URL(login.returnTo, location.origin);
    if (result) to.searchParams.set(login.resultKey, result);
    location.replace(to.origin === location.origin ? to.href : '/');
  };
  const finish = async () => {
    if (message.error) return leave(message.error);
    try {
      const answer = await fetch(login.authPath, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-refill': '1' },
        body: JSON.stringify(message.fields),
      });
      const { code } = await answer.json();
      leave(code === 1 ? '' : 'failed');
    } catch {
      leave('failed');
    }
  };
  if (login.display === 'page') return void finish();
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(login.channel) : null;
  const patience = setTimeout(() => { channel?.close(); void finish(); }, login.timeoutMs);
  const hear = (heard) => {
    if (heard?.type !== 'refill-login-heard' || heard.state !== message.state) return;
    clearTimeout(patience);
    clearTimeout(second);
    channel?.close();
    document.getElementById('wait').hidden = true;
    document.getElementById('close').hidden = false;
    window.close();
  };
  window.addEventListener('message', (event) => { if (event.origin === location.origin) hear(event.data); });
  if (channel) channel.onmessage = (event) => hear(event.data);
  // The provider's page may have cut us off from our opener; the channel is of our origin alone
  // and reaches it all the same.
  const second = setTimeout(() => channel?.postMessage(message), window.opener ? 400 : 0);
  try { window.opener?.postMessage(message, location.origin); } catch { /* an opener of another origin gets nothing */ }
})();`;
