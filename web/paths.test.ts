// Every address of the storefront, written out: a change here breaks bookmarks and links in games.
import { describe, expect, test } from 'vitest';
import { DOCUMENT_PATHS, isDocumentPath } from '#contracts/documents.ts';
import { CARRIED_KEYS, gameCodePath, parseQuery, paths, readSearch, redirects, writeQuery } from './paths.ts';

test('the addresses', () => {
  expect({ paths, redirects }).toMatchInlineSnapshot(`
    {
      "paths": {
        "activity": "/activity",
        "certifiedReal": "/certifiedReal",
        "errorReplenish": "/errorReplenish",
        "home": "/",
        "my": "/my",
        "notArea": "/notArea",
        "selectGoods": "/selectGoods",
        "showError": "/showError",
        "userCenter": "/userCenter",
      },
      "redirects": {
        "/": "/selectGoods",
        "/layoutGame": "/selectGoods",
        "/layoutGame/activity": "/activity",
        "/layoutGame/selectGoods": "/selectGoods",
        "/result": "/selectGoods",
        "/selectGame": "/selectGoods",
      },
    }
  `);
});

test('the server answers exactly these with the page', () => {
  const ours = [...Object.values(paths), ...Object.keys(redirects)];
  expect(new Set(DOCUMENT_PATHS)).toEqual(new Set(ours));
  expect(isDocumentPath(gameCodePath('ember'))).toBe(true);
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
