// The flows of a player in a real browser (e2e/*.e2e.ts), each on a phone and on a desktop.
import { defineConfig, devices } from '@playwright/test';
import { findBrowser } from './scripts/find-browser.ts';

/**
 * Flows that a screen leaves out. Tagged @thorough, @wide-later on a desktop or @narrow-later on a phone, they run by
 * `npm run e2e` only, as each channel does instead of one a manner of paying: `npm test` has to end in time.
 */
const leftOut = (...tags: [other: string, ...thorough: string[]]): RegExp =>
  new RegExp(tags.slice(0, process.env['REFILL_E2E_ALL'] ? 1 : tags.length).join('|'));

const { executablePath, args, env } = await findBrowser();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: '.data/e2e/results',
  globalSetup: './e2e/global-setup.ts',
  // Every flow has a player of its own, and faults concern one player; a flow waits more than it works.
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // On a shared machine a browser may lose a race with its own clock once; what passes only then is listed as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['./scripts/e2e-reporter.ts']],
  use: {
    browserName: 'chromium',
    headless: true,
    launchOptions: { executablePath, args, env },
    // Written all the time it costs a tenth of the run, with pictures half: `npm run e2e -- <noun>
    // --trace on` where it is wanted.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // The demo shop runs behind a certificate that it signed itself.
    ignoreHTTPSErrors: true,
    // The processor draws every movement here; e2e/navigation.e2e.ts runs with movement.
    contextOptions: { reducedMotion: 'reduce' },
  },
  // A flow tagged @phone or @desktop runs on that screen only.
  projects: [
    {
      name: 'phone',
      grepInvert: leftOut('@desktop', '@thorough', '@narrow-later'),
      // Our choice: 390 x 844, the most common size of a phone's page at present.
      use: {
        ...devices['Pixel 7'],
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        deviceScaleFactor: 1,
      },
    },
    {
      name: 'desktop',
      grepInvert: leftOut('@phone', '@thorough', '@wide-later'),
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
});
