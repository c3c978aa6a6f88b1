// Tests 15, 16, 19 and 20: strangers' texts in the page, and its nonces.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { TestShop } from '#testing/shop.ts';
import type { BrandFile } from '#contracts/brand-file.ts';
import { type Notice, NOTICE_ITEMS, NOTICES } from '#contracts/notices.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { openDrawn, openServed } from './served.ts';
import type { Round, SecurityTest } from './security-test.ts';

/** Would set a mark on the page, however it came to run. */
const ATTACK = `<img src=x onerror="window.hit=1"><script>window.hit=1</script>"'><svg onload=window.hit=1>`;
/** As they are known against sanitisers. @source OWASP XSS Filter Evasion; DOMPurify's own tests */
const THIRTEEN = [
  '<img src=x onerror=window.hit=1>',
  '<script>window.hit=1</script>',
  '<a href="javascript:window.hit=1">x</a>',
  '<a href="data:text/html,x">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="&#106;avascript:window.hit=1">x</a>',
  '<svg><script>window.hit=1</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.hit=1>',
  '<p style="background:url(javascript:window.hit=1)">x</p>',
  '<form action="https://evil.example"><input name=x></form>',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>"></noscript>',
  '<img name=getElementById><form id=attributes>',
];

/** Puts `text` in front of every text for players that brands and games have, in all languages. */
function spoilTexts(shop: TestShop, text: string): void {
  const seen = new Set<object>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const entries = value instanceof Map ? [...value.entries()] : Object.entries(value);
    const isTexts = !(value instanceof Map) && typeof (value as { en?: unknown }).en === 'string';
    for (const [key, inner] of entries) {
      const isText = isTexts || ['copyright', 'supportHours', 'company', 'address'].includes(String(key));
      if (isText && typeof inner === 'string' && !Object.isFrozen(value))
        Object.assign(value, { [key]: `${text} ${inner}` });
      else walk(inner);
    }
  };
  walk([...shop.configuration.brands.values()]);
  walk([...shop.configuration.games.values()]);
  walk(shop.configuration.channels);
}

async function makeSpoiled({
  harness,
  defer,
}: Round): Promise<{ shop: TestShop; player: Awaited<ReturnType<TestShop['logIn']>> }> {
  const shop = await harness.makeShop();
  defer(() => shop.close());
  spoilTexts(shop, ATTACK);
  shop.game.script.roles = () => [{ id: 'r1', name: ATTACK, level: 1, serverId: 's1', areaId: '' }];
  shop.game.script.servers = [{ id: 's1', name: ATTACK, areaId: '', isOpen: true }];
  const player = await shop.logIn();
  await shop.db.query('update player set username = $2 where player_id = $1', [player.playerId, ATTACK.slice(0, 90)]);
  await giveTestCoupon(shop.db, player.playerId, { name: { en: ATTACK, ja: ATTACK } });
  return { shop, player };
}

/** Looks for elements that exist only when a text became mark-up. */
const lookForMarkUp = (page: Page) =>
  page.evaluate(() => ({
    hit: (window as { hit?: number }).hit ?? 0,
    images: document.querySelectorAll('img[src="x"], [onerror], [onload]').length,
    text: document.body.innerText.includes('<img src=x') || document.title.includes('<img src=x'),
  }));

const injected: SecurityTest = {
  number: '15',
  asvs: '3.4.3, 1.2.1',
  about: 'scripts in every text of brand, game, goods, role, coupon and address: none runs, and the policy reports',
  needsBrowser: true,
  run: async (round) => {
    const { refused, holds, allowed } = round;
    const { shop, player } = await makeSpoiled(round);
    const served = await openServed(round, shop);
    const context = await served.openBrowser(player);
    const evil = encodeURIComponent(ATTACK);
    for (const path of [
      '/',
      '/selectGoods?client_id=70021',
      '/my',
      '/userCenter',
      '/result?billing_no=x',
      '/showError',
      `/?client_id=${evil}&spec_lang=${evil}&domain_area=${evil}#${evil}`,
      `/nowhere/${evil}?x=${evil}`,
      `/result?billing_no=${evil}`,
      `/@${evil}`,
    ]) {
      const page = await context.newPage();
      await page.goto(served.addressOf(path), { waitUntil: 'load' });
      await page.locator('#root > *').first().waitFor();
      await page.waitForTimeout(300);
      const found = await lookForMarkUp(page);
      refused(`${path.slice(0, 30)}: mark-up out of a text`, found.hit === 0 && found.images === 0, found);
      if (path === '/') holds('the texts are really there', found.text, found);
      await page.close();
    }
    const page = await context.newPage();
    const reports: string[] = [];
    context.on('request', (request) => {
      if (request.resourceType() === 'cspviolationreport' || /csp/i.test(request.url())) reports.push(request.url());
    });
    await openDrawn(page, served.addressOf('/'));
    const sinks = await page.evaluate(() => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const attempt = (run: () => void) => {
        try {
          run();
          return 'ran';
        } catch {
          return 'refused';
        }
      };
      const results = {
        innerHTML: attempt(() => { document.createElement('div').innerHTML = '<b>x</b>'; }),
        scriptText: attempt(() => { document.createElement('script').text = 'window.hit=1'; }),
        scriptSrc: attempt(() => { document.createElement('script').src = 'https://evil.example/x.js'; }),
        handler: attempt(() => { const made = document.createElement('b'); made.setAttribute('onclick', 'window.hit=1'); document.body.append(made); made.click(); if ((window as { hit?: number }).hit !== 1) throw new Error('blocked'); }),
        inline: attempt(() => { const made = document.createElement('script'); made.append('window.hit=1'); document.body.append(made); if ((window as { hit?: number }).hit !== 1) throw new Error('blocked'); }),
      }; /* a row a line */ // prettier-ignore
      return new Promise<{ results: Record<string, string>; violations: string[] }>((resolve) =>
        // Later: inside of this very call the driver's own leave to evaluate holds.
        setTimeout(() => {
          // eslint-disable-next-line no-eval -- what the policy must not let run
          const late = attempt(() => (0, eval)('1'));
          resolve({ results: { ...results, eval: late }, violations });
        }, 200),
      );
    });
    for (const [sink, result] of Object.entries(sinks.results))
      refused(`${sink} with a text`, result === 'refused', result);
    holds('the browser tells of violations', sinks.violations.length > 0, sinks.violations);
    const logged = () => shop.logLines.some((line) => line.includes('csp_violation'));
    for (let n = 0; n < 40 && !logged(); n += 1) await page.waitForTimeout(100);
    allowed('a report of it arrives', logged(), reports);
  },
};

const nonces: SecurityTest = {
  number: '16',
  asvs: '3.4.3',
  about: 'pages loaded again and again: a nonce each, 128 bits, never in a file that is cached',
  needsBrowser: true,
  run: async (round) => {
    const { harness, defer, holds, times } = round;
    const shop = await harness.shop();
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const seen = new Set<string>();
    const count = times({ short: 20, full: 200 });
    let body = '';
    for (let n = 0; n < count; n += 1) {
      const answer = await app.inject({ url: '/', headers: { host: 'watt.demo.localhost', accept: 'text/html' } });
      const policy = String(answer.headers['content-security-policy']);
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      body = answer.body;
      holds(
        'a nonce of 128 bits, on every script of the page',
        Buffer.from(nonce, 'base64url').length >= 16 &&
          [...body.matchAll(/<script[^>]*>/g)].every(([tag]) => tag.includes(`nonce="${nonce}"`)),
        policy,
      );
      for (const part of [
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "default-src 'none'",
        "'strict-dynamic'",
        "require-trusted-types-for 'script'",
      ])
        holds(part, policy.includes(part), policy);
      holds('no-store', answer.headers['cache-control'] === 'no-store');
      seen.add(nonce);
    }
    holds('no nonce twice', seen.size === count, seen.size);
    for (const [, file] of body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const answer = await app.inject({ url: file ?? '', headers: { host: 'watt.demo.localhost' } });
      holds(
        `${file} is cached and holds none`,
        /max-age/.test(String(answer.headers['cache-control'])) &&
          ![...seen].some((nonce) => answer.body.includes(nonce)),
        answer.headers['cache-control'],
      );
    }
  },
};

/** Every item of every notice with this text. */
function spoilNotices(text: string): NonNullable<BrandFile['noticeItems']> {
  const itemsOf = (notice: Notice) => NOTICE_ITEMS[notice].map((item) => [item, { ja: text, en: text }]);
  return Object.fromEntries(NOTICES.map((notice) => [notice, Object.fromEntries(itemsOf(notice))]));
}

const notices: SecurityTest = {
  number: '19',
  asvs: '1.3.1',
  about: 'thirteen attacks in every item of the legal notices, with setHTML in the browser and without: shown as text',
  needsBrowser: true,
  run: async (round) => {
    const { harness, defer, refused, holds } = round;
    const shop = await harness.makeShop({ brands: { spotJp: { noticeItems: spoilNotices(THIRTEEN.join(' ')) } } });
    defer(() => shop.close());
    const served = await openServed(round, shop);
    const words = JSON.parse(readFileSync(new URL('../../messages/ja.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >;
    for (const hasSetHtml of [true, false]) {
      const context = await served.openBrowser();
      if (!hasSetHtml)
        await context.addInitScript(() => {
          delete (Element.prototype as { setHTML?: unknown }).setHTML;
        });
      const page = await context.newPage();
      await openDrawn(page, served.addressOf('/', 'spotJp'));
      for (const notice of NOTICES) {
        const label = words[`footer.${notice}`];
        if (!label) throw new Error('the footer has no such link');
        await page.getByText(label, { exact: true }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.locator('dd').first().waitFor();
        const found = await dialog.evaluate((element, attacks) => {
          // The brand writes these; the texts that are the same for all brands stand below.
          const texts = [...element.querySelectorAll('dl:first-of-type dd bdi')];
          return {
            hit: (window as { hit?: number }).hit ?? 0,
            items: texts.length,
            elements: texts.reduce((sum, text) => sum + text.querySelectorAll('*').length, 0),
            shown: attacks.filter((one) => texts.every((text) => text.textContent.includes(one))).length,
          };
        }, THIRTEEN);
        holds('every item is there', found.items === NOTICE_ITEMS[notice].length, found);
        for (let n = 0; n < THIRTEEN.length; n += 1)
          refused(`attack ${n + 1} in ${label}`, found.hit === 0 && found.elements === 0, found);
        holds('all of them are shown as they were written', found.shown === THIRTEEN.length, found);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
      }
      await context.close();
    }
  },
};

const asText: SecurityTest = {
  number: '20',
  asvs: '3.2.2',
  about: 'messages of the server, names of games, roles and coupons as mark-up, in all languages: shown as text',
  needsBrowser: true,
  run: async (round) => {
    const { refused, holds, size } = round;
    const { shop, player } = await makeSpoiled(round);
    const served = await openServed(round, shop);
    const context = await served.openBrowser(player);
    // Every call that fails says this; the page shows it as a toast or in its place.
    await context.route(/\/api\/(pay\/getPayChannelList|orders\/history|system\/allRoleList|coupons)/, (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({ code: -1030, msg: ATTACK, content: null }),
      }),
    );
    const languages = shop.configuration.brands.get('watt' as never)?.file.languages ?? [];
    holds('the brand speaks them all', languages.length === 18, languages.length);
    for (const language of size === 'full' ? languages : languages.slice(0, 3)) {
      for (const path of ['/', '/my']) {
        const page = await context.newPage();
        await openDrawn(page, served.addressOf(`${path}?spec_lang=${language}`));
        await page.waitForTimeout(250);
        const found = await lookForMarkUp(page);
        refused(`${path} in ${language}: mark-up out of a text`, found.hit === 0 && found.images === 0, found);
        holds(`${path} in ${language}: shown as it is`, found.text, found);
        await page.close();
      }
    }
  },
};

export const PAGE_TESTS: readonly SecurityTest[] = [injected, nonces, notices, asText];
