// Tests the page config's decisions about navigation and languages.
import { describe, expect, test } from 'vitest';
import type { PageConfig } from '#contracts/games.ts';
import { listEntries, listLanguages, titleOf } from './entries.ts';

const OFFERED = ['en', 'ja', 'zh-tw'] as const;

test.each<[string, Partial<PageConfig> | null, string[]]>([
  ['language_config', { language_config: 'ja,en' }, ['ja', 'en']],
  ['langConfig where the other is missing', { langConfig: 'zh-tw, ja' }, ['zh-tw', 'ja']],
  ['langConfig where the other is empty', { language_config: '', langConfig: 'en' }, ['en']],
  ['a language without texts is left out', { language_config: 'en,xx,ko' }, ['en']],
  ['none that is known', { language_config: 'xx' }, [...OFFERED]],
  ['no config', null, [...OFFERED]],
])('L78 languages of %s', (_name, config, languages) => {
  expect(listLanguages(config as PageConfig | null, OFFERED)).toEqual(languages);
});

test('L48 the VIP centre is titled VIP with a star, and nothing without the version flag', () => {
  expect(titleOf('/userCenter', true)).toMatchObject({ label: 'nav.vip', icon: 'star' });
  expect(titleOf('/userCenter', false)).toBeNull();
});

test.each([
  [false, false, ['/selectGoods', '/my']],
  [true, false, ['/selectGoods', '/activity', '/my']],
  [false, true, ['/selectGoods', '/activity', '/my']],
])('L50 the events have an entry where there are some: cumulative %s, continue %s', (cumulative, inARow, entries) => {
  const config = {
    cumulative_config: { is_has_cumulative: cumulative },
    continue_config: { is_has_continue: inARow },
    daily_config: { is_has_daily: false },
  } as PageConfig;
  expect(listEntries(config).map(({ to }) => to)).toEqual(entries);
});

describe('L134 languages of the user-centre page', () => {
  const config = { language_config: 'ja,en' } as PageConfig;
  test('outside of a game: all of the brand', () => {
    expect(listLanguages(config, OFFERED, 'userCenter')).toEqual(OFFERED);
  });
  test.each([
    ['none asked for', undefined, ['ja', 'en']],
    ['one of the game', 'en', ['en', 'ja']],
    ['one of the brand that the game does not name', 'zh-tw', ['zh-tw', 'ja', 'en']],
    ['one without texts', 'xx', ['ja', 'en']],
  ] as const)("inside a game the game's own, %s", (_name, asked, languages) => {
    expect(listLanguages(config, OFFERED, { asked })).toEqual(languages);
  });
});
