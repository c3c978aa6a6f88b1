// Test 17: who may frame a page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openServed } from './served.ts';
import type { SecurityTest } from './security-test.ts';

export const framing: SecurityTest = {
  number: '17',
  asvs: '3.4.6',
  about: 'pages in a frame: only the game’s own view, only for the parents that the brand lists',
  needsBrowser: true,
  run: async (round) => {
    const { harness, defer, refused, allowed } = round;
    let target = '';
    const parent = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<!doctype html><iframe src="${target}" width=400 height=400></iframe>`),
    );
    await new Promise<void>((resolve) => parent.listen(0, '127.0.0.1', resolve));
    defer(async () => parent.close());
    const parentPort = (parent.address() as AddressInfo).port;
    const listed = `http://game.localhost:${parentPort}`;
    const shop = await harness.makeShop({ brands: { watt: { embedParents: [listed] } } });
    defer(() => shop.close());
    const served = await openServed(round, shop);
    const context = await served.openBrowser(await shop.logIn());
    const isShown = async (path: string, origin: string): Promise<boolean> => {
      target = served.addressOf(path);
      const page = await context.newPage();
      await page.goto(`${origin}/`, { waitUntil: 'load' });
      await page.waitForTimeout(400);
      const frame = page.frames()[1];
      const text = frame?.url().startsWith('http') ? await frame.content().catch(() => '') : '';
      await page.close();
      return text.includes('id="root"') || text.includes('<form') || text.includes('id="login"');
    };
    const foreign = `http://evil.localhost:${parentPort}`;
    for (const path of [
      '/',
      '/result?billing_no=x',
      '/my',
      '/selectGoods',
      '/userCenter',
      '/util/login/callback/google?code=a&state=b',
      '/userCenter?visit=web',
    ])
      for (const origin of [foreign, listed]) refused(`${path} framed by ${origin}`, !(await isShown(path, origin)));
    refused('the game’s view framed by a stranger', !(await isShown('/userCenter?visit=sdk', foreign)));
    allowed('the game’s view framed by its parent', await isShown('/userCenter?visit=sdk', listed));
    for (const path of ['/api/pay/getGoodsList?client_id=70021', '/nowhere', '/healthz', '/callback/paypal']) {
      const answer = await shop.get(path);
      refused(
        `${path} says so itself`,
        String(answer.headers['content-security-policy']).includes("frame-ancestors 'none'"),
        answer.headers,
      );
    }
  },
};
