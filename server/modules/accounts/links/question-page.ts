// The page that asks whether to go on as the player of a link, in the look of its shop. It works without script, and
// nobody can frame it.
import { escapeText } from '#kernel/escape.ts';
import { randomBytes } from 'node:crypto';

/** Describes the looks of a shop for a page outside the storefront; server/shell hands it in. */
export type BrandFace = {
  readonly name: string;
  /** CSS: the brand's colours and dials as custom properties of the root, light and dark. */
  readonly theme: string;
  /** Elements for the head: the colour that a phone gives its own bars. */
  readonly head: string;
};

export type QuestionPage = {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly face: BrandFace;
  readonly texts: { readonly title: string; readonly text: string; readonly stay: string };
  /** The player that is logged in, null for nobody, and that of the link: names of players, so strangers' texts. */
  readonly current: string | null;
  readonly other: string;
  /** The form posts the answer to this address. */
  readonly action: string;
};

/** Document and headers. */
export function writeQuestionPage(page: QuestionPage): { html: string; headers: Record<string, string> } {
  const nonce = randomBytes(16).toString('base64');
  const { face, texts } = page;
  const stay = `<button name="choice" value="stay">${
    page.current === null
      ? escapeText(texts.stay)
      : `<bdi>${escapeText(page.current)}</bdi><small>${escapeText(texts.stay)}</small>`
  }</button>`;
  const html = `<!doctype html><html lang="${escapeText(page.language)}" dir="${page.direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeText(texts.title)}</title>
${face.head}<style nonce="${nonce}">${face.theme}
:root{--face:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;--face-serif:ui-serif,'Iowan Old Style',
  'Palatino Linotype','Noto Serif',Georgia,serif;--face-rounded:ui-rounded,'Hiragino Maru Gothic ProN',
  'Arial Rounded MT Bold',var(--face)}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 var(--face);
  background:var(--bg);color:var(--text)}
main{box-sizing:border-box;width:min(100% - 32px,420px);margin-block:24px;padding:28px 24px;
  border-radius:calc(20px*var(--round));corner-shape:var(--corner);background:var(--raised);
  border-block-start:4px solid var(--accent);
  box-shadow:inset 0 0 0 1px var(--line),0 2px 4px var(--shade-0),0 16px 40px var(--shade-2)}
header{margin-block-end:14px;color:var(--accent-text);font-family:var(--voice);font-weight:var(--voice-weight);
  letter-spacing:var(--voice-track)}
h1{font-size:22px;line-height:1.3;margin:0 0 8px;overflow-wrap:anywhere}
p{margin:0;color:var(--text-2);text-wrap:pretty}
:lang(ko){word-break:keep-all}
:lang(ja){word-break:auto-phrase}
form{display:grid;gap:12px;margin-block-start:20px}
small{display:block;font-weight:400;color:var(--text-2)}
button{font:inherit;font-weight:600;min-height:60px;padding:8px 18px;border-radius:calc(14px*var(--round));
  corner-shape:var(--corner-small);border:1px solid var(--line-strong);background:var(--surface);color:inherit;
  text-align:start;overflow-wrap:anywhere;cursor:pointer}
button:hover{border-color:var(--accent-line);background:var(--accent-soft)}
button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
</style></head>
<body><main><header><bdi>${escapeText(face.name)}</bdi></header><h1>${escapeText(texts.title)}</h1><p>${escapeText(texts.text)}</p><form method="post" action="${escapeText(page.action)}">
${stay}
<button name="choice" value="switch"><bdi>${escapeText(page.other)}</bdi></button></form></main></body></html>`;
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
