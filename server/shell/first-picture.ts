// The page before its script runs, in plain HTML: header, hero, a shelf of empty boxes, navigation.
// The class names are those of the page's own style sheets (vite.config.ts keeps them readable), so the boxes are the
// same and nothing jumps.
import type { PagePicture, PageData } from '#contracts/boot.ts';
import { drawStep, stepOfPage } from './classic-picture.ts';
import { escapeText } from '#kernel/escape.ts';
import { bone } from './html.ts';
import { drawKeyArt, keyArtOf } from './key-art.ts';
import type { PictureTexts } from './picture-texts.ts';

type Page = Pick<
  PageData,
  'brand' | 'user' | 'isBeta' | 'pageConfig' | 'language' | 'goods' | 'games' | 'clientId' | 'returning' | 'cardKinds'
>;

/** Every other address of a shop of the new version leads to the goods. */
export function isLandingPath(path: string, version: Page['brand']['version'] = 'new'): boolean {
  if (version === 'classic') return false;
  return !/^\/(gift|my|activity|replenishGoods|userCenter|errorReplenish|notArea|notFound|certifiedReal|showError)\b/.test(
    path,
  );
}

/** Stands for the gift tab, which has the path of the goods and a query. */
const GIFT_PAGE = '/gift';

/** The page that an address shows, for the first picture. */
export function pageOfAddress({ pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>): string {
  return pathname === '/selectGoods' && searchParams.get('tab') === 'gift' ? GIFT_PAGE : pathname;
}

/** @param path of the document, to know whether the landing page or another one is on its way */
export function drawFirstPicture(page: Page, path: string, texts: PictureTexts): string {
  const step = stepOfPage(page, path);
  const isLanding = isLandingPath(path, page.brand.version);
  const isNavigated = isLanding || step === 2 || ['/my', '/activity', GIFT_PAGE].some((one) => path.startsWith(one));
  const entries = listEntries(page, texts, path);
  const hasTabs =
    (isLanding || step === 2 || path === GIFT_PAGE || path.startsWith('/my') || path.startsWith('/activity')) &&
    page.cardKinds.length > 0;
  const header =
    drawHeader(page, texts, isNavigated ? withGift(page, entries, texts, path) : []) +
    (hasTabs ? drawTabs(texts, path) : '');
  if (step > 0) {
    const parts = { shelves: drawShelves(page), side: drawSide(), receiver: drawReceiver() };
    return (
      header +
      (step === 1 ? drawHero(page) : '') +
      drawStep(page, step, texts, parts) +
      (isNavigated ? drawDock(entries) : '')
    );
  }
  return [
    header,
    isLanding ? drawHero(page) : '',
    `<div class="layout-page${isLanding ? ' layout-two' : ' layout-plain'}">`,
    `<main class="layout-main" aria-busy="true" aria-label="${escapeText(texts.loading)}">`,
    isLanding ? `<div class="select-goods-receiver">${drawReceiver()}</div>` : '',
    isLanding && page.returning ? '<div class="select-goods-again"></div>' : '',
    isLanding ? drawGameRow(page) + drawShelves(page) : '',
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
    ? '<span class="layout-whoButton"><span class="layout-face"></span><bdi ' +
      `class="layout-userName">${escapeText(user.username)}</bdi>${icon('chevron-down')}</span>`
    : `<span class="button-button">${escapeText(texts.login)}</span>`;
  return (
    `<header class="layout-top${isBeta ? ' layout-beta' : ''}"><div class="layout-topIn"><span ` +
    `class="layout-brand">${drawPicture(brand.logo, 'layout-logo')}<span class="layout-names"><span class="voice ` +
    `layout-name">${escapeText(brand.name)}</span>${where}</span></span>${topNav}<div ` +
    `class="layout-topEnd">${pick}${end}</div></div>${isBeta ? drawBeta(texts) : ''}</header>`
  );
}

function drawBeta({ beta: { title, text } }: PictureTexts): string {
  return (
    `<p class="layout-betaBar">${icon('alert')}<span><strong>${escapeText(title)}</strong> · ` +
    `${escapeText(text)}</span></p>`
  );
}

function drawHero(page: Page): string {
  const { hero } = page.brand;
  const art = keyArtOf(page);
  const own = hero.picture && !('avif' in hero.picture) ? drawPicture(hero.picture, 'layout-scene') : '';
  const chip = hero.chip
    ? `<span class="layout-heroChip"><span class="chip-chip chip-spark">${escapeText(hero.chip)}</span></span>`
    : '';
  const text = hero.text ? `<p><bdi>${escapeText(hero.text)}</bdi></p>` : '';
  return (
    `<div class="layout-hero"${art ? ' data-picture=""' : ''}>${art ? drawKeyArt(art) : own}<div class="layout-heroIn">${chip}<h1 ` +
    `class="voice"><bdi>${escapeText(hero.title)}</bdi></h1>${text}</div></div>`
  );
}

function drawPicture(picture: PagePicture, className: string): string {
  if ('url' in picture) {
    return `<img class="${className}" src="${escapeText(picture.url)}" alt="" fetchpriority="high">`;
  }
  const fit = className === 'layout-scene' ? ' preserveAspectRatio="xMaxYMid slice"' : '';
  return (
    `<svg class="${className}" viewBox="${picture.viewBox}"${fit} aria-hidden="true"><use ` +
    `href="#${picture.symbol}"/></svg>`
  );
}

/** Our choice: six cards fill a phone. */
const CARDS = 6;

function drawReceiver(): string {
  const bones = ['receiver-logo', 'receiver-boneName', 'receiver-boneWhere'].map((name) => bone(name)).join('');
  return `<section class="receiver-card"><div class="receiver-receiver">${bones}</div></section>`;
}

function drawGameRow({ games }: Page): string {
  const choices = games.reduce((sum, { sub_game: editions }) => sum + (Object.keys(editions).length || 1), 0);
  return choices > 1 ? `<ul class="game-row-row">${`<li>${bone('game-row-rowBone')}</li>`.repeat(choices)}</ul>` : '';
}

function drawShelves({ goods, brand }: Page): string {
  const lines = `<span class="card-body">${bone('goods-boneAmount')}${bone('goods-boneGift')}</span>`;
  const card = `<span class="card-card"><span class="card-stage"></span>${lines}<span class="card-price"></span></span>`;
  const wide =
    `<span class="card-card card-wide"><span class="card-stage"></span>${lines}<span ` +
    'class="card-price"></span></span>';
  const specials = goods?.list.filter((one) => one.isSpecial).length ?? 0;
  const isSpecialLast = brand.look.stage === 'split';
  const shelfOfSpecials = `<div class="goods-shelf">${wide.repeat(specials)}</div>`;
  const special =
    specials === 0 ? '' : drawSection(shelfOfSpecials, isSpecialLast ? bone('goods-boneHead goods-special') : '');
  const shelf = drawSection(`<div class="goods-goods">${card.repeat(CARDS)}</div>`);
  return isSpecialLast ? shelf + special : special + shelf;
}

function drawSection(content: string, head = `<div class="goods-head">${bone('goods-boneHead')}</div>`): string {
  return `<section class="goods-section">${head}${content}</section>`;
}

function drawSide(): string {
  return `<div class="invite-invite">${bone('invite-bone').repeat(4)}</div>`;
}

type Entry = { mark: string; label: string; isHere: boolean };

function listEntries({ pageConfig }: Page, texts: PictureTexts, path: string): Entry[] {
  const hasEvents =
    pageConfig?.cumulative_config.is_has_cumulative === true ||
    pageConfig?.continue_config.is_has_continue === true ||
    pageConfig?.daily_config.is_has_daily === true;
  const isMy = path.startsWith('/my');
  const isEvent = path.startsWith('/activity');
  return [
    { mark: 'gem', label: texts.topup, isHere: !isMy && !isEvent },
    ...(hasEvents ? [{ mark: 'gift', label: texts.event, isHere: isEvent }] : []),
    { mark: 'person', label: texts.my, isHere: isMy },
  ];
}

/** The row of wide screens, which have no tabs. */
function withGift({ cardKinds }: Page, entries: Entry[], texts: PictureTexts, path: string): Entry[] {
  if (cardKinds.length === 0) return entries;
  const isGift = path === GIFT_PAGE;
  const [first, ...rest] = entries.map((entry) => ({ ...entry, isHere: entry.isHere && !isGift }));
  const gift = { mark: 'prepaid', label: texts.gift, isHere: isGift };
  return first ? [first, gift, ...rest] : rest;
}

const here = (entry: Entry) => (entry.isHere ? ' aria-current="page"' : '');

function drawTabs(texts: PictureTexts, path: string): string {
  const tabs = [
    { mark: 'gem', label: texts.topup, isHere: ![GIFT_PAGE, '/my', '/activity'].some((one) => path.startsWith(one)) },
    { mark: 'prepaid', label: texts.gift, isHere: path === GIFT_PAGE },
    { mark: 'person', label: texts.my, isHere: path.startsWith('/my') },
  ];
  const links = tabs.map((tab) => `<a${here(tab)}>${icon(tab.mark)}${escapeText(tab.label)}</a>`);
  return `<nav class="layout-topTabs">${links.join('')}</nav>`;
}

function drawDock(entries: readonly Entry[]): string {
  const links = entries.map((entry) => `<a${here(entry)}>${icon(entry.mark)}${escapeText(entry.label)}</a>`);
  const wide = entries.length > 2 ? ' data-wide' : '';
  return `<div class="layout-dock"><nav class="layout-nav"${wide}>${links.join('')}</nav></div>`;
}

function drawTopNav(entries: readonly Entry[]): string {
  const links = entries.map((entry) => `<a${here(entry)}>${icon(entry.mark)}${escapeText(entry.label)}</a>`);
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
