// The page that asks whether to go on as the player of a link. It works without script, and nobody can frame it.
import { randomBytes } from 'node:crypto';

export type QuestionPage = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly texts: { readonly title: string; readonly text: string; readonly stay: string };
  /** The player that is logged in, null for nobody, and that of the link: names of players, so strangers' texts. */
  readonly current: string | null;
  readonly other: string;
  /** Where the answer goes, as a form. */
  readonly action: string;
};

/** Document and headers. */
export function writeQuestionPage(page: QuestionPage): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  const { texts } = page;
  const stay = `<button name="choice" value="stay">${
    page.current === null
      ? escape(texts.stay)
      : `<bdi>${escape(page.current)}</bdi><small>${escape(texts.stay)}</small>`
  }</button>`;
  const html = `<!doctype html><html lang="${escape(page.language)}" dir="${page.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escape(texts.title)}</title>
<style nonce="${nonce}">
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;
  color-scheme:light dark;background:light-dark(#f3f3f6,#121216);color:light-dark(#1a1a20,#f1f1f5)}
main{box-sizing:border-box;width:min(100% - 32px,420px);padding:28px 24px;border-radius:20px;
  background:light-dark(#fff,#1e1e24);box-shadow:0 0 0 1px light-dark(#0001,#fff2),0 16px 40px #0002}
h1{font-size:22px;line-height:1.25;margin:0 0 8px}
p{margin:0;opacity:.85}
form{display:grid;gap:12px;margin-top:20px}
small{display:block;font-weight:400;opacity:.75}
button{font:inherit;font-weight:600;min-height:60px;padding:8px 18px;border-radius:14px;
  border:1px solid light-dark(#85858f,#8b8b96);background:none;color:inherit;text-align:start;
  overflow-wrap:anywhere;cursor:pointer}
button:focus-visible{outline:3px solid;outline-offset:2px}
</style></head>
<body><main><h1>${escape(texts.title)}</h1><p>${escape(texts.text)}</p><form method="post" action="${escape(page.action)}">
${stay}
<button name="choice" value="switch"><bdi>${escape(page.other)}</bdi></button></form></main></body></html>`;
  return {
    html,
    headers: {
      'content-security-policy':
        `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'self'; ` +
        `frame-ancestors 'none'`,
      // Nothing secret is in this page's address, and without it the form could not name its origin.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
  };
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}
