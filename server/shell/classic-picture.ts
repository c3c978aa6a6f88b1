// The first picture of the four steps of the classic version: step bar, heading, and the games
// themselves or boxes for what comes.
import { stepOf } from '#contracts/documents.ts';
import type { PageData } from '#contracts/boot.ts';
import { escapeText } from '#kernel/escape.ts';
import { bone } from './html.ts';
import type { PictureTexts } from './picture-texts.ts';

type Page = Pick<PageData, 'brand' | 'games'>;

/** Number of the step that an address of the classic version shows, from 1; 0 for all other pages and versions. */
export function stepOfPage({ brand }: { readonly brand: Pick<Page['brand'], 'version'> }, path: string): number {
  if (brand.version !== 'classic') return 0;
  return path === '/' || path.startsWith('/@') ? 1 : stepOf(path.replace(/(?<=[^/])\/+$/, ''));
}

/** The pages of both versions share these parts, drawn already. */
export type SharedParts = { receiver: string; shelves: string; side: string };

/** @param step from 1 */
export function drawStep(page: Page, step: number, texts: PictureTexts, parts: SharedParts): string {
  const isTwo = step === 2;
  const room = step === 4 ? 'narrow' : 'room';
  // Over the games stands the hero with the first heading of the page.
  const tag = step === 1 ? 'h2' : 'h1';
  // The step bar, where there is one, says the same.
  const isHidden = step === 4 || (page.brand.hasStepBar && step > 1);
  const title = `<${tag} class="${isHidden ? 'vh' : 'voice classic-title'}">${escapeText(texts.headings[step - 1] ?? '')}</${tag}>`;
  return [
    page.brand.hasStepBar ? drawBar(step, texts) : '',
    `<div class="classic-${room}"><div class="layout-page layout-plain${isTwo ? ' layout-two' : ''}">`,
    `<main class="layout-main" aria-busy="true" aria-label="${escapeText(texts.loading)}">`,
    title,
    drawContent(page, step, parts),
    `<noscript>${escapeText(texts.noScript)}</noscript></main>`,
    isTwo ? `<aside class="layout-side">${parts.side}</aside>` : '',
    '</div></div>',
  ].join('');
}

function drawBar(now: number, texts: PictureTexts): string {
  const steps = texts.steps.map((label, index) => {
    const mark = index + 1 < now ? ' data-done' : index + 1 === now ? ' aria-current="step"' : '';
    return `<li${mark}><span>${escapeText(label)}</span></li>`;
  });
  return `<nav class="steps-bar"><ol class="steps-steps">${steps.join('')}</ol></nav>`;
}

function drawContent({ games }: Page, step: number, { receiver, shelves }: SharedParts): string {
  if (step === 1)
    return (
      `<div class="classic-stack"><ul class="game-list-list game-list-posters">${games.map(drawGame).join('')}</ul></div>` +
      '<section class="classic-how"></section>'
    );
  if (step === 2) return `<div class="classic-stack">${receiver}</div>${shelves}`;
  const bones = bone('classic-bone').repeat(3);
  return step === 3 ? `<div class="classic-stack">${bones}</div>` : `<div class="classic-result">${bones}</div>`;
}

function drawGame({ name, logo }: PageData['games'][number]): string {
  const picture = `<img src="${escapeText(logo)}" alt="" width="64" height="64">`;
  return `<li><span class="game-list-game">${picture}<span><b>${escapeText(name)}</b></span></span></li>`;
}
