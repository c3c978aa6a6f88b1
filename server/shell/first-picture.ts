// The page before its script runs, in plain HTML: header, hero, a shelf of empty boxes, navigation. The class names are those of
// the page's own style sheets (vite.config.ts keeps them readable), so the boxes are the same and nothing jumps.
import type { PagePicture, PageData } from '#contracts/boot.ts';
import { drawStep, stepOfPage } from './classic-picture.ts';
import { bone, escapeText } from './html.ts';
import { drawKeyArt, keyArtOf } from './key-art.ts';
import type { PictureTexts } from './picture-texts.ts';

type Page = Pick<PageData, 'brand' | 'user' | 'isBeta' | 'pageConfig' | 'language' | 'goods' | 'games' | 'clientId'>;

/** Every other address of a shop of the new version leads to the goods. */
export function isLandingPath(path: string, version: Page['brand']['version'] = 'new'): boolean {
  if (version === 'classic') return false;
  return !/^\/(my|activity|userCenter|errorReplenish|notArea|notFound|certifiedReal|showError)\b/.test(path);
}

/** @param path of the document, to know whether the landing page or another one is on its way */
export function drawFirstPicture(page: Page, path: string, texts: PictureTexts): string {
  const step = stepOfPage(page, path);
  const isLanding = isLandingPath(path, page.brand.version);
  const isNavigated = isLanding || step === 2 || path.startsWith('/my') || path.startsWith('/activity');
  const entries = listEntries(page, texts, path);
  const header = drawHeader(page, texts, isNavigated ? entries : []);
  if (step > 0) {
    const parts = { shelves: drawShelves(page), side: drawSide(), receiver: drawReceiver() };
    return header + drawStep(page, step, texts, parts) + (isNavigated ? drawDock(entries) : '');
  }
  return [
    header,
    isLanding ? drawHero(page) : '',
    `<div class="layout-page${isLanding ? ' layout-two' : ' layout-plain'}">`,
    `<main class="layout-main" aria-busy="true" aria-label="${escapeText(texts.loading)}">`,
    isLanding ? `<div class="select-goods-receiver">${drawReceiver()}</div>${drawShelves(page)}` : '',
    `<noscript>${escapeText(texts.noScript)}</noscript></main>`,
    isLanding ? `<aside class="layout-side">${drawSide()}</aside>` : '',
    '</div>',
    isNavigated ? drawDock(entries) : '',
  ].join('');
}

function drawHeader({ brand, user, language, isBeta }: Page, texts: PictureTexts, entries: readonly Entry[]): string {
  const at = entries.find((entry) => entry.isHere);
  const where = at ? `<span class="layout-where">${icon(at.mark)}${escapeText(at.label)}</span>` : '';
  const topNav = at ? drawTopNav(entries) : '';
  const pick =
    brand.languages.length > 1
      ? `<span class="layout-pick">${icon('globe')}<span>${shortName(language)}</span></span>`
      : '';
  const end = user
    ? `<span class="layout-whoButton"><span class="layout-face"></span><bdi class="layout-userName">${escapeText(user.username)}</bdi>${icon('chevron-down')}</span>`
    : `<span class="button-button">${escapeText(texts.login)}</span>`;
  return `<header class="layout-top${isBeta ? ' layout-beta' : ''}"><div class="layout-topIn"><span class="layout-brand">${drawPicture(brand.logo, 'layout-logo')}<span class="layout-names"><span class="voice layout-name">${escapeText(brand.name)}</span>${where}</span></span>${topNav}<div class="layout-topEnd">${pick}${end}</div></div>${isBeta ? drawBeta(texts) : ''}</header>`;
}

function drawBeta({ beta: { title, text } }: PictureTexts): string {
  return `<p class="layout-betaBar">${icon('alert')}<span><strong>${escapeText(title)}</strong> · ${escapeText(text)}</span></p>`;
}

function drawHero(page: Page): string {
  const { hero } = page.brand;
  const art = keyArtOf(page);
  const own = hero.picture && !('avif' in hero.picture) ? drawPicture(hero.picture, 'layout-scene') : '';
  const chip = hero.chip
    ? `<span class="layout-heroChip"><span class="chip-chip chip-spark">${escapeText(hero.chip)}</span></span>`
    : '';
  const text = hero.text ? `<p>${escapeText(hero.text)}</p>` : '';
  return `<div class="layout-hero">${art ? drawKeyArt(art) : own}<div class="layout-heroIn">${chip}<h1 class="voice">${escapeText(hero.title)}</h1>${text}</div></div>`;
}

function drawPicture(picture: PagePicture, className: string): string {
  if ('url' in picture) {
    return `<img class="${className}" src="${escapeText(picture.url)}" alt="" fetchpriority="high">`;
  }
  const fit = className === 'layout-scene' ? ' preserveAspectRatio="xMaxYMid slice"' : '';
  return `<svg class="${className}" viewBox="${picture.viewBox}"${fit} aria-hidden="true"><use href="#${picture.symbol}"/></svg>`;
}

/** Our choice: six cards fill a phone, two lie side by side on the special shelf of a desktop. */
const CARDS = 6;
const SPECIALS = 2;

function drawReceiver(): string {
  return `<section class="games-receiver">${bone('games-logo')}${bone('games-boneName')}${bone('games-boneWhere')}</section>`;
}

function drawShelves({ goods }: Page): string {
  const lines = `<span class="goods-body">${bone('goods-boneAmount')}${bone('goods-boneGift')}</span>`;
  const card = `<span class="goods-bone">${bone('goods-boneStage')}${lines}${bone('goods-bonePrice')}</span>`;
  const wide = `<span class="goods-card goods-wide">${bone('goods-stage')}${lines}${bone('goods-bonePrice')}</span>`;
  const specials = Math.min(SPECIALS, goods?.list.filter((one) => one.isSpecial).length ?? 0);
  return [
    specials > 0 ? drawSection(`<div class="goods-shelf">${wide.repeat(specials)}</div>`) : '',
    drawSection(`<div class="goods-goods">${card.repeat(CARDS)}</div>`),
  ].join('');
}

function drawSection(content: string): string {
  return `<section class="goods-section"><div class="goods-head">${bone('goods-boneHead')}</div>${content}</section>`;
}

function drawSide(): string {
  return `<div class="payments-panel">${bone('payments-bone').repeat(3)}</div>`;
}

type Entry = { mark: string; label: string; isHere: boolean };

function listEntries({ pageConfig }: Page, texts: PictureTexts, path: string): Entry[] {
  const hasEvents =
    pageConfig?.cumulative_config.is_has_cumulative === true || pageConfig?.continue_config.is_has_continue === true;
  const isMy = path.startsWith('/my');
  const isEvent = path.startsWith('/activity');
  return [
    { mark: 'gem', label: texts.topup, isHere: !isMy && !isEvent },
    ...(hasEvents ? [{ mark: 'gift', label: texts.event, isHere: isEvent }] : []),
    { mark: 'person', label: texts.my, isHere: isMy },
  ];
}

const here = (entry: Entry) => (entry.isHere ? ' aria-current="page"' : '');

function drawDock(entries: readonly Entry[]): string {
  const links = entries.map((entry) => `<a${here(entry)}>${icon(entry.mark)}${escapeText(entry.label)}</a>`);
  const wide = entries.length > 2 ? ' data-wide' : '';
  return `<div class="layout-dock"><nav class="layout-nav"${wide}>${links.join('')}</nav></div>`;
}

function drawTopNav(entries: readonly Entry[]): string {
  const links = entries.map((entry) => `<a${here(entry)}>${escapeText(entry.label)}</a>`);
  return `<nav class="layout-topNav">${links.join('')}</nav>`;
}

function icon(name: string): string {
  return `<svg class="ic" viewBox="0 0 24 24" aria-hidden="true"><use href="#ic-${name}"/></svg>`;
}

function shortName(language: string): string {
  if (language === 'zh-cn') return '简';
  if (language === 'zh-tw') return '繁';
  return language.toUpperCase();
}
