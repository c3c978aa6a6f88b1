// The order of the search. That the found browsers really start is what every run of e2e/ proves.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBrowser } from './find-browser.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-browser-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function plantProgram(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, '#!/bin/sh\n');
  await chmod(path, 0o755);
  return path;
}

test('CHROME_PATH wins over an installed browser', async () => {
  await plantProgram('chromium');
  const chosen = await plantProgram('my-chrome');
  const browser = await findBrowser({ CHROME_PATH: chosen, PATH: folder });
  expect(browser.executablePath).toBe(chosen);
  expect(browser.env).toEqual({ CHROME_PATH: chosen, PATH: folder });
});

test('a CHROME_PATH that is no program is told, not passed over', async () => {
  await plantProgram('chromium');
  const missing = join(folder, 'missing');
  await expect(findBrowser({ CHROME_PATH: missing, PATH: folder })).rejects.toThrow(`not a program: ${missing}`);
});

test('a browser on the PATH is found, with its web security left on', async () => {
  const installed = await plantProgram('google-chrome');
  const { executablePath, args } = await findBrowser({ PATH: folder }, []);
  expect(executablePath).toBe(installed);
  expect(args.join(' ')).not.toMatch(/disable-web-security|single-process|site-isolation/);
});

test(
  'the packaged browser starts without the switches that would blunt a test of the page’s policy',
  { timeout: 60_000 },
  async (context) => {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return context.skip('the package is for 64-bit Intel Linux');
    const { executablePath, args } = await findBrowser({ PATH: folder }, []);
    expect(executablePath).toMatch(/chromium-[\d.]+\/chromium$/);
    expect(args.join(' ')).not.toMatch(/disable-web-security|single-process|no-zygote|site-isolation|site-per-process/);
    return undefined;
  },
);
