// Draws the sample game: a form to choose who plays, and a screen with links into the shop.

import { escapeHtml, type Look } from './kit/page.ts';
import { type Role, worlds } from './gameserver-world.ts';

/** The player, in which brand's shop, in which language. */
export type Choice = { brand: string; client: string; user: string; lang: string };

export const sampleLook: Look = {
  accent: '#0f766e',
  ground: '#e7eef0',
  ink: '#10242b',
  radius: '14px',
  font: 'system-ui, sans-serif',
};

/** Brands with a VIP centre, which is what the frame shows first. */
const brands = ['watt', 'brandEn', 'dragon', 'acenet', 'acenetJp', 'rhinosSea', 'product'];
const languages = [
  'en', 'ar', 'de', 'es', 'fr', 'id', 'it', 'ja', 'ko', 'ms', 'pl', 'pt', 'ru', 'th', 'tr', 'vi', 'zh-cn', 'zh-tw',
]; /* a row a line */ // prettier-ignore

const screenCss = `<style>
.world{position:relative;border-radius:var(--radius);padding:1.25rem;color:#fff;background:linear-gradient(160deg,#0b3a4a,#0f766e 60%,#c98a2b);min-height:16rem;display:flex;flex-direction:column;gap:.75rem;justify-content:flex-end}
.world h2{margin:0;font-size:1.5rem}.world p{margin:0}.ways{display:flex;flex-wrap:wrap;gap:.5rem}.ways button{width:auto;margin:0;flex:1 1 12rem;border-color:#fff}
.ways button.main{background:#ffd166;border-color:#ffd166;color:#10242b}.card h2{font-size:1.1rem;margin:0 0 .5rem}
dialog{padding:0;border:0;border-radius:var(--radius);width:min(100vw,72rem);height:min(100dvh,52rem);max-width:100vw;max-height:100dvh;overflow:hidden}
dialog::backdrop{background:#000a}dialog>div{display:flex;flex-direction:column;height:100%}
dialog header{display:flex;justify-content:space-between;align-items:center;padding:.25rem .75rem;background:#0b3a4a;color:#fff}
dialog header button{width:auto;min-height:2.75rem;margin:0;border:0;background:none;color:#fff}
iframe{flex:1;border:0;width:100%;background:#fff}
.code{font-size:2.25rem;font-weight:800;letter-spacing:.12em;text-align:center;margin:.5rem 0}
#log{margin:0;padding-inline-start:1.25rem;font-size:.9rem}
</style>`;

/** HTML of the page. @param playing undefined: nobody plays there under this name */
export function writeSampleGame(choice: Choice, playing: { game: string; character: Role } | undefined): string {
  return `${screenCss}<h1>Sample game</h1>${playing ? writeScreen(playing) : '<p class="notice">Nobody of this name plays there.</p>'}
<br><details class="card"><summary>Who plays, and in which shop</summary>${writeForm(choice)}</details>
<p>For engineers of games: <code>docs/sdk-view.md</code>. <a href="/">All simulators</a></p>
<dialog id="shop" aria-label="Shop"><div><header><b>Shop</b><button id="close">Back to the game</button></header><iframe id="frame" title="Shop"></iframe></div></dialog>`;
}

function writeScreen({ game, character }: { game: string; character: Role }): string {
  return `<section class="world"><h2><bdi>${escapeHtml(character.name)}</bdi></h2>
<p>${escapeHtml(game)} · level ${character.level}</p>
<div class="ways"><button class="main" id="inside">Shop</button><button id="browser">Shop in the browser</button>
<button id="device">Shop on another device</button></div></section>
<section class="card" id="other" hidden style="margin-top:1rem"><h2>Open this on the other device</h2>
<p><a id="link" target="_blank" rel="noopener"></a></p><p>or open the shop there, choose to log in with a code, and type</p>
<p class="code" id="code"></p><p>Good once, for 5 minutes. A game draws the address as a QR code beside it.</p></section>
<section class="card" style="margin-top:1rem"><h2>What the shop says to the game</h2><ol id="log" aria-live="polite"></ol></section>`;
}

function writeForm(choice: Choice): string {
  const select = (name: keyof Choice, label: string, options: readonly (readonly [string, string])[]) =>
    `<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${options
      .map(
        ([value, text]) =>
          `<option value="${value}"${value === choice[name] ? ' selected' : ''}>${escapeHtml(text)}</option>`,
      )
      .join('')}</select></div>`;
  const clients = [...worlds.values()].flatMap((world) =>
    world.clients.map(({ id, name }) => [id, name === world.name ? name : `${world.name}: ${name}`] as const),
  );
  return `<form class="filter" method="get" action="/sample-game">${select(
    'brand',
    'Shop',
    brands.map((key) => [key, key]),
  )}
${select('client', 'Game', clients)}<div><label for="user">Player</label><input id="user" name="user" value="${escapeHtml(choice.user)}" autocapitalize="none"></div>
${select(
  'lang',
  'Language',
  languages.map((key) => [key, key]),
)}<button>Play</button></form>`;
}
