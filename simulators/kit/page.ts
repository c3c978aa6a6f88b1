// Shell of every page that a simulator shows: plain HTML, no outside resource, usable on a phone.

import type { FastifyReply } from 'fastify';

const replacements: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Makes any text safe inside HTML text and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => replacements[character] ?? character);
}

export type Look = {
  accent: string;
  ground: string;
  ink: string;
  radius: string;
  font: string;
};

const plainLook: Look = {
  accent: '#3b5bdb',
  ground: '#f4f5f7',
  ink: '#1c2330',
  radius: '10px',
  font: 'system-ui, sans-serif',
};

const shellCss = `
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 var(--font)}
.banner{background:#5b3a00;color:#fff;text-align:center;padding:.5rem 1rem;font-size:.875rem}
main{max-width:var(--width,30rem);margin:0 auto;padding:1.25rem 1rem 3rem}h1{font-size:1.35rem;margin:.5rem 0 1rem}
a{color:var(--accent)}.card{background:#fff;border-radius:var(--radius);padding:1.25rem;box-shadow:0 1px 3px #0002}
dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem;margin:0 0 1rem}dt{color:#5a6372}dd{margin:0;text-align:end;overflow-wrap:anywhere}
.amount{font-size:1.75rem;font-weight:700;margin:.25rem 0 1rem}
label{display:block;font-weight:600;margin:.75rem 0 .25rem}
input,select{width:100%;font:inherit;padding:.6rem .75rem;border:1px solid #8a93a3;border-radius:calc(var(--radius)/2);background:#fff;color:inherit}
button,.button{display:block;width:100%;min-height:3rem;margin-top:.75rem;padding:.6rem;font:inherit;font-weight:600;text-align:center;border-radius:var(--radius);border:1px solid var(--accent);background:#fff;color:var(--accent);cursor:pointer;text-decoration:none}
button.main,.button.main{background:var(--accent);color:#fff}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
details{margin-top:1rem;font-size:.9rem}summary{cursor:pointer;min-height:2rem}code{background:#0001;padding:.05rem .3rem;border-radius:4px}
table{width:100%;border-collapse:collapse;font-size:.9rem}th,td{text-align:start;padding:.5rem;border-bottom:1px solid #0002;vertical-align:top}td code{overflow-wrap:anywhere}
.filter{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.25rem 1rem;align-items:end}
.notice{border-inline-start:4px solid var(--accent);background:#fff;padding:.6rem .9rem;margin:0 0 1rem}`;

/** Sends a whole page. `content` and `script` are trusted HTML and JavaScript: escape what goes into them. */
export function sendPage(
  reply: FastifyReply,
  page: {
    title: string;
    banner?: string;
    content: string;
    look?: Look;
    status?: number;
    width?: string;
    script?: string;
    /** Origin that the page may show in a frame. */
    frames?: string;
  },
): FastifyReply {
  const look = page.look ?? plainLook;
  const root = `--accent:${look.accent};--ground:${look.ground};--ink:${look.ink};--radius:${look.radius};--font:${look.font};--width:${page.width ?? '30rem'}`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(page.title)}</title><style>:root{${root}}${shellCss}</style></head>
<body>${page.banner ? `<div class="banner" role="note">${escapeHtml(page.banner)}</div>` : ''}
<main>${page.content}</main>${page.script ? `<script>${page.script}</script>` : ''}</body></html>`;
  return reply
    .code(page.status ?? 200)
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'" +
        (page.frames ? `; frame-src ${page.frames}` : ''),
    )
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html);
}
