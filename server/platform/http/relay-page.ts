// A page that only leads on: to a form of somebody else's, or by somebody else's script. It has a content
// policy of its own, lives for a moment, and works without script by its button.
import { escapeJson, escapeText } from '#kernel/escape.ts';
import { randomBytes } from 'node:crypto';

export type RelayPage = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Heading, and the button for whoever is not led on. */
  readonly title: string;
  readonly button: string;
  /** The page leads to this path of ours when the script fails. */
  readonly backPath: string;
} & (
  | {
      readonly kind: 'form';
      readonly action: string;
      readonly fields: Readonly<Record<string, string>>;
      readonly charset?: string;
    }
  | {
      readonly kind: 'script';
      readonly src: string;
      /** Body of an async function of one parameter `data`. */
      readonly run: string;
      readonly data: unknown;
      readonly fields?: Readonly<Record<string, string>>;
      readonly sources: readonly string[];
    }
);

/** Document and policy. Everything of the payment stands in attributes or in a JSON block, never in code. */
export function writeRelayPage(page: RelayPage): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64');
  const inner = page.kind === 'form' ? formOf(page, nonce) : scriptOf(page, nonce);
  const html = `<!doctype html><html lang="${escapeText(page.language)}" dir="${page.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeText(page.title)}</title>
<style nonce="${nonce}">body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;color-scheme:light dark;background:Canvas;color:CanvasText;text-align:center}
main{padding:24px}h1{font-size:18px;font-weight:600}button{font:inherit;min-height:48px;padding:0 24px;border-radius:12px;border:1px solid;background:none;color:inherit}</style></head>
<body><main><h1>${escapeText(page.title)}</h1>${inner}</main></body></html>`;
  return { html, policy: policyOf(page, nonce) };
}

function policyOf(page: RelayPage, nonce: string): string {
  const base = `default-src 'none'; base-uri 'none'; frame-ancestors 'none'`;
  // A provider's form may lead on to banks, and browsers hold the whole way against form-action.
  const target = new URL(page.kind === 'form' ? page.action : page.src).origin;
  const forms = `form-action https: ${target}`;
  if (page.kind === 'form') return `${base}; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; ${forms}`;
  const sources = [target, ...page.sources].join(' ');
  return (
    `${base}; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'unsafe-inline' ${sources}; img-src data: ` +
    `${sources}; font-src data: ${sources}; connect-src ${sources}; frame-src https: ${sources}; ${forms}`
  );
}

function formOf(page: Extract<RelayPage, { kind: 'form' }>, nonce: string): string {
  return `<form id="pay" method="post" action="${escapeText(page.action)}"${page.charset ? ` accept-charset="${escapeText(page.charset)}"` : ''}>
${inputs(page.fields)}<button>${escapeText(page.button)}</button></form><script nonce="${nonce}">document.getElementById('pay').submit()</script>`;
}

function scriptOf(page: Extract<RelayPage, { kind: 'script' }>, nonce: string): string {
  const data = escapeJson({ data: page.data, back: page.backPath });
  return `<form id="pay" method="post" hidden>${inputs(page.fields ?? {})}</form><p><a href="${escapeText(page.backPath)}">${escapeText(page.button)}</a></p>
<script type="application/json" id="data" nonce="${nonce}">${data}</script><script nonce="${nonce}" src="${escapeText(page.src)}"></script>
<script nonce="${nonce}">{const given=JSON.parse(document.getElementById('data').textContent);(async(data)=>{${page.run}})(given.data).catch((error)=>{console.error(error);location.replace(given.back)})}</script>`;
}

function inputs(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeText(name)}" value="${escapeText(value)}">`)
    .join('');
}
