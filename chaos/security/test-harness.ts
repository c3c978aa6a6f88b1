// Shares the parts of the tests: a shop in this process, the simulators for the other companies, a served storefront
// and a browser, each made when it is first asked for.
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import type { FastifyInstance } from 'fastify';
import { buildIfStale } from '#scripts/build.ts';
import { findBrowser } from '#scripts/find-browser.ts';
import { createApp } from '#server/app.ts';
import { mountStorefront } from '#server/shell/mount.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import { type ShopOverrides, type TestShop, createTestShop } from '#testing/shop.ts';

/** Address of the proxy in front, as an operator names it. */
export const PROXY = '10.0.0.1';
/** The brand whose operator lets tokens travel in queries, as old game SDKs send them. */
export const LEGACY_BRAND = 'product';

export type TestHarness = {
  /** One shop for all tests that need nothing special. */
  shop(): Promise<TestShop>;
  /** A shop of one's own; whoever asks closes it. */
  makeShop(overrides?: ShopOverrides): Promise<TestShop>;
  simulators(): Promise<Simulators>;
  /** One shop for all tests with the simulators for Google, Apple, Facebook, X, VK and Huawei. */
  loginShop(): Promise<TestShop>;
  /** The same shop as a live process on a database of its own. */
  liveShop(): Promise<TestShop>;
  /**
   * The app with its pages; whoever asks closes it. @param root folder of the pictures, where
   * they are not the shipped ones
   */
  makePages(shop: TestShop, root?: string): Promise<FastifyInstance>;
  browser(): Promise<Browser>;
  close(): Promise<void>;
};

/** @param template connection string of the migrated template database */
export function openTestHarness(template: () => Promise<string>): TestHarness {
  const steps: (() => Promise<unknown>)[] = [];
  const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
    let made: Promise<Value> | undefined;
    return () => (made ??= make());
  };
  const makeShop = async (overrides: ShopOverrides = {}): Promise<TestShop> =>
    createTestShop({
      ...WITH_TENDERS,
      ...overrides,
      environment: { ...WITH_TENDERS.environment, REFILL_TRUSTED_PROXIES: PROXY, ...overrides.environment },
      brands: { [LEGACY_BRAND]: { legacyQueryToken: true }, ...overrides.brands },
      templateUrl: await template(),
    });
  const keep = async (overrides?: ShopOverrides): Promise<TestShop> => {
    const shop = await makeShop(overrides);
    steps.push(() => shop.close());
    return shop;
  };
  const simulators = once(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'refill-security-'));
    const started = await startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:1', durable: false });
    steps.push(async () => {
      await started.close();
      await rm(dataDir, { recursive: true, force: true });
    });
    return started;
  });
  const build = once(buildIfStale);
  return {
    shop: once(() => keep()),
    liveShop: once(() => keep({ environment: { REFILL_ENVIRONMENT: 'live' } })),
    makeShop,
    simulators,
    loginShop: once(async () =>
      keep({ environment: { ...(await simulators()).environment, REFILL_LOGIN_VK_DEMO_TOKEN_LOGIN: '1' } }),
    ),
    makePages: async (shop, root) => {
      await build();
      const app = await createApp({
        ...shop.services,
        mountStorefront: (instance) => mountStorefront(instance, shop.services, root),
      });
      await app.ready();
      return app;
    },
    browser: once(async () => {
      const { executablePath, args, env } = await findBrowser();
      const browser = await chromium.launch({ executablePath, args, env, headless: true });
      steps.push(() => browser.close());
      return browser;
    }),
    close: async () => {
      for (const step of steps.toReversed()) await step().catch(() => undefined);
    },
  };
}

/** Listens on loopback. @returns the port; names under .localhost lead here in a browser */
export async function serve(app: FastifyInstance): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}
