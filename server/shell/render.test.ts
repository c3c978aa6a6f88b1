// The document: nothing written into it can break out, everything in it carries the nonce, its classes exist.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Window } from 'happy-dom';
import { describe, expect, test } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { renderShell } from './render.ts';
import { assets, makeBoot } from './test-boot.ts';

const NONCE = 'R4nd0m';

function open(html: string) {
  const { document } = new Window({
    settings: { disableJavaScriptEvaluation: true, disableJavaScriptFileLoading: true },
  });
  document.write(html);
  return document;
}

test('speaks the language and its direction', () => {
  const page = open(renderShell(makeBoot(), assets, NONCE));
  expect([page.documentElement.lang, page.documentElement.dir]).toEqual(['ar', 'rtl']);
  expect(page.body.textContent).toContain('شحن');
});

test('the words of the hero keep their own direction: a brand may lack the language of the page', () => {
  const page = open(renderShell(makeBoot(), assets, NONCE));
  const { title, text } = makeBoot().brand.hero;
  expect([...page.querySelectorAll('.layout-heroIn bdi')].map((one) => one.textContent)).toEqual([title, text]);
});

test('no text becomes mark-up: three scripts, all ours', () => {
  const page = open(renderShell(makeBoot(), assets, NONCE));
  const scripts = [...page.querySelectorAll('script')].map((one) => (one.id === 'boot' ? one.id : one.textContent));
  expect(scripts).toEqual([
    expect.stringMatching(/^\(function\(d\)\{/),
    'boot',
    expect.stringMatching(/^import"\/assets\/base-2\.js";setTimeout.*"\/assets\/main-1\.js"/),
  ]);
  expect(page.querySelector('h1')?.textContent).toBe(makeBoot().brand.hero.title);
});

test('the boot data comes back as it went in', () => {
  const boot = makeBoot();
  const page = open(renderShell(boot, assets, NONCE));
  const data = JSON.parse(page.getElementById('boot')?.textContent ?? '') as PageData;
  expect(data.brand.copyright).toBe(boot.brand.copyright);
  expect(data.nonce).toBe(NONCE);
  // Drawings stand in the page once, the data only points at them.
  expect(data.brand.logo).toEqual({ symbol: 'brand-logo', viewBox: '0 0 40 40' });
  expect(data.brand.hero.picture).toEqual({ symbol: 'brand-hero', viewBox: '0 0 1200 420' });
});

test('no id of a drawing meets one of the page', () => {
  const page = open(renderShell(makeBoot(), assets, NONCE));
  expect(page.querySelectorAll('#root')).toHaveLength(1);
  expect(page.querySelector('#brand-hero use')?.getAttribute('href')).toBe('#brand-hero-root');
  expect(page.querySelector('#brand-hero-root')?.tagName.toLowerCase()).toBe('path');
});

test('everything that could run or style carries the nonce, and no element a style or a handler', () => {
  const page = open(renderShell(makeBoot(), assets, NONCE));
  const guarded = [...page.querySelectorAll('script, style, link[rel=modulepreload]')];
  expect(guarded.length).toBeGreaterThan(3);
  expect(guarded.filter((one) => one.getAttribute('nonce') !== NONCE)).toEqual([]);
  const attributes = [...page.querySelectorAll('*')].flatMap((one) => one.getAttributeNames());
  expect(attributes.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([]);
});

test('what is said where the page’s code does not run is in its language, and out of sight', async () => {
  const messages = { 'shell.lost': ['<b>Lost'], 'shell.old_browser': ['Old'], 'part.reload': ['Again'] };
  const page = open(renderShell(makeBoot({ messages }), assets, NONCE));
  expect(page.getElementById('lost')?.textContent).toBe('<b>LostAgain');
  expect(page.getElementById('old')?.textContent).toBe('Old');
  for (const id of ['lost', 'old']) expect(page.getElementById(id)?.className).toMatch(/^boundary-aid(?!.*shown)/);
  const styles = await readFile(
    join(import.meta.dirname, '..', '..', 'web', 'platform', 'lazy', 'boundary.module.css'),
    'utf8',
  );
  expect(styles).toMatch(/\.aid:not\(\.shown\) \{\s+display: none;/);
});

test('a page in super mode says so from its first picture on, wherever it is', () => {
  const messages = { 'beta.title': ['Beta'], 'beta.text': ['You see <b>more</b>'] };
  for (const path of ['/selectGoods', '/my', '/activity', '/userCenter', '/notArea', '/showError', '/nothing']) {
    const header = open(renderShell(makeBoot({ isBeta: true, messages }), assets, NONCE, path)).querySelector('header');
    expect(header?.querySelector('.layout-betaBar')?.textContent).toBe('Beta · You see <b>more</b>');
    expect(header?.classList.contains('layout-beta')).toBe(true);
    expect(renderShell(makeBoot({ messages }), assets, NONCE, path)).not.toContain('layout-beta');
  }
});

test('a brand of one mode gets the colours of that mode only', () => {
  const { brand } = makeBoot();
  const dark = renderShell(makeBoot({ brand: { ...brand, look: { ...brand.look, mode: 'dark' } } }), assets, NONCE);
  expect(dark).not.toContain('prefers-color-scheme');
  expect(dark).toContain('color-scheme:dark');
  expect(renderShell(makeBoot(), assets, NONCE)).toContain('@media(prefers-color-scheme:dark)');
});

test('a theme that is no colour is refused', () => {
  const { brand } = makeBoot();
  const boot = makeBoot({ brand: { ...brand, theme: 'red;}body{display:none' } });
  expect(() => renderShell(boot, assets, NONCE)).toThrow('six-digit hex');
});

describe('the classic version', () => {
  const steps = ['select_game', 'select_goods', 'recharge', 'result'];
  const messages = Object.fromEntries(steps.map((step) => [`steps.${step}`, [step]]));
  const games = [
    { client_id: '1', name: '<b>Emberfall', logo: '/games/ember/icon.svg', sub_game: {} },
  ] as unknown as PageData['games'];
  const classic = (hasStepBar: boolean) =>
    makeBoot({ brand: { ...makeBoot().brand, version: 'classic', hasStepBar }, messages, games });
  const openAt = (path: string, hasStepBar = true) => open(renderShell(classic(hasStepBar), assets, NONCE, path));

  test.each([
    ['/', 'select_game'],
    ['/selectGame', 'select_game'],
    ['/@ember', 'select_game'],
    ['/selectGoods', 'select_goods'],
    ['/recharge', 'recharge'],
    ['/recharge/', 'recharge'],
    ['/result', 'result'],
  ])('L49 %s begins with the step bar at %s', (path, step) => {
    const page = openAt(path);
    expect([...page.querySelectorAll('.steps-steps li')].map((one) => one.textContent)).toEqual(steps);
    expect(page.querySelector('[aria-current=step]')?.textContent).toBe(step);
    expect(page.querySelectorAll('li[data-done]')).toHaveLength(steps.indexOf(step));
    expect(page.querySelectorAll('h1')).toHaveLength(1);
    // The scene stands where a visitor arrives.
    expect(page.querySelector('.layout-hero') !== null).toBe(step === steps[0]);
  });

  test.each(['/replenishGoods', '/my', '/notArea', '/nothing'])('L49 %s has no step bar', (path) => {
    expect(openAt(path).querySelector('.steps-steps')).toBeNull();
  });

  test('L49 a brand may go without the bar', () => {
    expect(openAt('/selectGame', false).querySelector('.steps-steps')).toBeNull();
    expect(openAt('/selectGame', false).querySelector('h1')).not.toBeNull();
  });

  test('the games stand in the first picture, as text', () => {
    const game = openAt('/').querySelector('.game-list-game');
    expect(game?.querySelector('b')?.textContent).toBe('<b>Emberfall');
    expect(game?.querySelector('img')?.getAttribute('src')).toBe('/games/ember/icon.svg');
  });

  test('the code of the step is fetched with the entry, its style sheet stands in the page', () => {
    const page = openAt('/');
    const links = [...page.querySelectorAll('link[rel=modulepreload]')].map((one) => one.getAttribute('href'));
    expect(links).toEqual(['/assets/base-2.js', '/assets/main-1.js', '/assets/select-game-3.js']);
    expect(page.querySelector('style')?.textContent).toContain('.y{color:blue}');
    expect(page.querySelector('link[rel=stylesheet]')?.hasAttribute('disabled')).toBe(true);
    const other = renderShell(makeBoot({ games }), assets, NONCE, '/');
    expect(other).not.toContain('select-game-3.js');
    expect(other).not.toContain('steps-steps');
  });
});

test("every class of the first picture is one of the page's own style sheets", async () => {
  const web = join(import.meta.dirname, '..', '..', 'web');
  const files = (await readdir(web, { recursive: true })).filter(
    (file) => file.endsWith('.css') && !file.startsWith('dist'),
  );
  const known = new Set<string>();
  for (const file of files) {
    // A module, or a part that a module is put together of (card.wide.css).
    const [noun, ...kinds] = basename(file, '.css').split('.');
    const prefix = kinds.length > 0 ? `${noun}-` : '';
    const text = await readFile(join(web, file), 'utf8');
    for (const [, name] of text.matchAll(/\.([A-Za-z][\w-]*)/g)) known.add(prefix + name);
  }
  const { goods, brand } = makeBoot();
  expect(goods).toBeNull();
  const special = { list: [{ isSpecial: true }] } as unknown as NonNullable<typeof goods>;
  const classic = { ...brand, version: 'classic', hasStepBar: true } as const;
  const games = [{ name: 'Emberfall', logo: '/i.svg' }] as unknown as PageData['games'];
  const steps = ['/selectGame', '/selectGoods', '/recharge', '/result'].map((path) =>
    renderShell(makeBoot({ brand: classic, games }), assets, NONCE, path),
  );
  const pages = ['/selectGoods', '/my', '/notArea'].flatMap((path) => [
    renderShell(makeBoot({ goods: special, isBeta: true }), assets, NONCE, path),
    renderShell(makeBoot({ user: null, brand: { ...brand, logo: { url: '/l.png' } } }), assets, NONCE, path),
  ]);
  const used = [...pages, ...steps].flatMap((html) =>
    [...open(html).querySelectorAll('[class]')].flatMap((one) => [...one.classList]),
  );
  expect(used.length).toBeGreaterThan(50);
  expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
});

const art = {
  avif: '/pictures/aaaaaaaaaaaaaaaa.avif 780w, /pictures/bbbbbbbbbbbbbbbb.avif 1600w',
  webp: '/pictures/cccccccccccccccc.webp 780w, /pictures/dddddddddddddddd.webp 1600w',
  width: 1600,
  height: 900,
  color: '#102030 #405060 #708090',
  is_opaque: true,
  focus: '66% 36%',
};
const gameOf = (clientId: string) => ({
  client_id: clientId,
  gp_id: '1',
  name: 'Quest',
  logo: '/l.svg',
  is_select_game: false,
  terms_link: '',
  privacy_link: '',
  sub_game: { east: { client_id: `${clientId}9`, gp_id: '2', name: 'East', logo: '/e.svg' } },
  hero: art,
});
const withoutHero = () => {
  const { brand } = makeBoot();
  return { ...brand, hero: { ...brand.hero, picture: null } };
};

test('key art of the chosen game stands in the HTML, asked for before all else, its colours there at once', () => {
  const boot = makeBoot({ brand: withoutHero(), games: [gameOf('70021')], clientId: '700219' });
  const html = renderShell(boot, assets, NONCE, '/selectGoods');
  const page = open(html);
  const preload = page.querySelector('link[rel=preload]');
  expect(preload?.getAttribute('imagesrcset')).toBe(art.avif);
  expect(preload?.getAttribute('fetchpriority')).toBe('high');
  // Not where the page shows none: on a phone held sideways.
  expect(preload?.getAttribute('media')).toBe('(min-height: 480px), (orientation: portrait), (min-width: 1024px)');
  expect(html.indexOf('rel="preload"')).toBeLessThan(html.indexOf('<style'));
  const image = page.querySelector('picture.layout-scene img');
  expect([image?.getAttribute('width'), image?.getAttribute('height')]).toEqual(['1600', '900']);
  expect(page.querySelector('picture source')?.getAttribute('sizes')).toBe(preload?.getAttribute('imagesizes'));
  expect(html).toContain('--art-sky:linear-gradient(#102030,#405060,#708090)');
  expect(html).toContain('--art-focus:66% 36%');
});

test('the first look of key art comes inside the page, for that picture alone', () => {
  const boot = makeBoot({
    brand: withoutHero(),
    games: [gameOf('70021')],
    clientId: '700219',
    firstLook: 'AAAAIGZ0eXBhdmlm',
  });
  const html = renderShell(boot, assets, NONCE, '/selectGoods');
  const [address] = art.avif.split(' ');
  expect(html).toContain(`[data-art="${address}"]{--art-first:url(data:image/avif;base64,AAAAIGZ0eXBhdmlm)}`);
  expect(open(html).querySelector('picture.layout-scene')?.getAttribute('data-art')).toBe(address);
  // Not a second time among the data.
  expect(html.split('AAAAIGZ0eXBhdmlm')).toHaveLength(2);
  expect(renderShell(boot, assets, NONCE, '/my')).not.toContain('--art-first:');
  expect(renderShell({ ...boot, firstLook: ')}body{display:none' }, assets, NONCE)).not.toContain('--art-first:');
});

test('key art is asked for by the pages that show it alone, and never beside a scene of the brand', () => {
  const boot = makeBoot({ brand: withoutHero(), games: [gameOf('70021')] });
  for (const path of ['/my', '/notArea', '/showError'])
    expect(renderShell(boot, assets, NONCE, path)).not.toContain('rel="preload"');
  expect(renderShell(makeBoot({ games: [gameOf('70021')] }), assets, NONCE)).not.toContain('rel="preload"');
  const classic = { ...boot, brand: { ...boot.brand, version: 'classic' as const } };
  expect(renderShell(classic, assets, NONCE, '/selectGame')).toContain('rel="preload"');
  expect(renderShell(classic, assets, NONCE, '/selectGoods')).not.toContain('rel="preload"');
});

test('a colour or a focus that is none does not reach the style sheet', () => {
  const evil = { ...art, color: '#102030 red;}body{display:none', focus: '1% 1%;}body{display:none' };
  const html = renderShell(
    makeBoot({ brand: withoutHero(), games: [{ ...gameOf('70021'), hero: evil }] }),
    assets,
    NONCE,
  );
  const [, style = ''] = /<style[^>]*>([\s\S]*?)<\/style>/.exec(html) ?? [];
  expect(style).not.toContain('display:none');
});

test('the dials of the composition stand on the root', () => {
  const { dataset } = open(renderShell(makeBoot(), assets, NONCE)).documentElement;
  expect([dataset['stage'], dataset['card']]).toEqual(['poster', 'tile']);
});
