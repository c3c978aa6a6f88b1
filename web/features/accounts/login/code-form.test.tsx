// The code of a game, typed or brought by its link.
import { beforeEach, expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { appear, draw, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';
import { CodeForm } from './CodeForm.tsx';

speak(english);
const PATH = '/util/login/code_auth';
beforeEach(() => history.replaceState(null, '', '/code?client_id=70021'));

test('is sent as it was made, and leads to the page that asks', async () => {
  const calls = serve({ [PATH]: { content: { to: '/login-link' } } });
  const go = vi.fn<(path: string) => void>();
  await draw(<CodeForm go={go} />);
  await type('Code from the game', 'wdjb mjht');
  await press('Continue');
  expect(calls).toMatchObject([{ path: PATH, fields: { code: 'WDJBMJHT' } }]);
  expect(go).toHaveBeenCalledWith('/login-link');
});

test('what is no code is not sent; a wrong one says so and can be typed again', async () => {
  const calls = serve({ [PATH]: { name: 'wrongCredentials' } });
  await draw(<CodeForm />);
  await type('Code from the game', 'HELLO');
  await press('Continue');
  await appear('This code is not right', '*');
  expect(calls).toEqual([]);
  await type('Code from the game', 'WDJB-MJHT');
  await press('Continue');
  await appear('says wrongCredentials', '*');
});

test('comes with the link of a QR, which keeps it no longer', async () => {
  history.replaceState(null, '', '/code?client_id=70021#WDJBMJHT');
  const calls = serve({ [PATH]: { content: { to: '/login-link' } } });
  const go = vi.fn<(path: string) => void>();
  await draw(<CodeForm go={go} />);
  await settle();
  expect(calls).toMatchObject([{ fields: { code: 'WDJBMJHT' } }]);
  expect([go.mock.calls, location.hash]).toEqual([[['/login-link']], '']);
  expect(shownText()).toContain('Enter the code from the game');
});

test.each([
  ['/code', ''],
  ['/code?spec_lang=en', 'refill_lang=en'],
])('%s takes the language of its address along, for the page that asks has none', async (address, cookie) => {
  history.replaceState(null, '', address);
  serve({ [PATH]: { content: { to: '/login-link' } } });
  await draw(<CodeForm go={() => undefined} />);
  await type('Code from the game', 'WDJBMJHT');
  await press('Continue');
  expect(document.cookie).toBe(cookie);
});
