// Every address of the storefront, written out: a change here breaks bookmarks and links in games.
import { describe, expect, test } from 'vitest';
import { CLASSIC_PATHS, DOCUMENT_PATHS, isDocumentPath } from '#contracts/documents.ts';
import { CARRIED_KEYS, gameCodePath, parseQuery, paths, readSearch, redirects, writeQuery } from './paths.ts';

test('the addresses', () => {
  expect({ paths, redirects }).toMatchInlineSnapshot(`
    {
      "paths": {
        "activity": "/activity",
        "certifiedReal": "/certifiedReal",
        "code": "/code",
        "errorReplenish": "/errorReplenish",
        "home": "/",
        "my": "/my",
        "notArea": "/notArea",
        "recharge": "/recharge",
        "replenishGoods": "/replenishGoods",
        "result": "/result",
        "selectGame": "/selectGame",
        "selectGoods": "/selectGoods",
        "showError": "/showError",
        "userCenter": "/userCenter",
      },
      "redirects": {
        "classic": {
          "/": "/selectGame",
          "/layoutGame": "/selectGoods",
          "/layoutGame/activity": "/activity",
          "/layoutGame/selectGoods": "/selectGoods",
        },
        "new": {
          "/": "/selectGoods",
          "/layoutGame": "/selectGoods",
          "/layoutGame/activity": "/activity",
          "/layoutGame/selectGoods": "/selectGoods",
          "/result": "/selectGoods",
          "/selectGame": "/selectGoods",
        },
      },
    }
  `);
});

test.each(['new', 'classic'] as const)('the server answers exactly the addresses of the %s version', (version) => {
  const steps: string[] = [paths.recharge];
  const pages = Object.values(paths).filter((path) => version === 'classic' || !steps.includes(path));
  const ours = new Set<string>([...pages, ...Object.keys(redirects[version])]);
  const served = [...DOCUMENT_PATHS, ...(version === 'classic' ? CLASSIC_PATHS : [])];
  expect(new Set<string>(served)).toEqual(ours);
  expect([...ours].filter((path) => !isDocumentPath(path, { version, isVip: true }))).toEqual([]);
  expect(isDocumentPath(gameCodePath('ember'), { version, isVip: true })).toBe(true);
});

test('L38 a step of the classic version is no page of the new one', () => {
  const steps = ['/recharge', '/recharge/'];
  expect(steps.map((path) => isDocumentPath(path, { version: 'new', isVip: true }))).toEqual([false, false]);
  expect(steps.map((path) => isDocumentPath(path, { version: 'classic', isVip: false }))).toEqual([true, true]);
});

describe('query', () => {
  test('is text, and the last repeated value wins', () => {
    expect(parseQuery('?server_id=0012&server_id=9007199254740993&x=true')).toEqual({
      server_id: '9007199254740993',
      x: 'true',
    });
  });

  test('round trip keeps strings that look like other things', () => {
    expect(parseQuery(writeQuery({ role_id: '007', gone: undefined, name: 'a&b=c' }))).toEqual({
      role_id: '007',
      name: 'a&b=c',
    });
    expect(writeQuery({})).toBe('');
  });

  test('only known keys of a sensible length travel', () => {
    const search = readSearch({ client_id: '70021', oauth_token: 'secret', role_id: 'x'.repeat(257), idfv: '', n: 1 });
    expect(search).toEqual({ client_id: '70021' });
    expect(CARRIED_KEYS).not.toContain('oauth_token');
  });
});

test('L134 the VIP centre is a page only where the VIP version flag is on', () => {
  expect(isDocumentPath(paths.userCenter, { version: 'new', isVip: true })).toBe(true);
  expect(isDocumentPath('/userCenter/', { version: 'new', isVip: false })).toBe(false);
});
