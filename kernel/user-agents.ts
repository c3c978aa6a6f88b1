// Reads a user agent: which browser on which system, and whether the page stands inside another app. A guess by nature:
// it chooses words and ways, it never decides what somebody may do.

export type UserAgent = {
  /** Product name, "Chrome"; empty when it is none that we know. */
  browser: string;
  system: System;
  /** The page stands in a view of another app, where windows open badly and some providers refuse to log anybody in. */
  isEmbedded: boolean;
};
export type System = 'Android' | 'iOS' | 'Windows' | 'macOS' | 'ChromeOS' | 'Linux' | '';

/**
 * Marks that apps put into the user agent of their own browser, with the app's name.
 * @source inapp-spy 5.0.10 and is-ua-webview 1.1.2 (npm), their rules and test lists;
 *   developers.kakao.com for KAKAOTALK;
 * "NAVER(inapp" from Naver's app for Android and iOS; user-agents.test.ts holds one real line of each
 */
const APPS: readonly (readonly [mark: RegExp, app: string])[] = [
  [/FBAN\/Messenger|FB_IAB\/(MESSENGER|Orca)/, 'Messenger'],
  [/\bInstagram\b/, 'Instagram'],
  [/\bBarcelona\b/, 'Threads'],
  [/FBAN|FBAV|FB_IAB|FBIOS|MetaIAB/, 'Facebook'],
  [/\bLine\//, 'LINE'],
  [/KAKAOTALK/i, 'KakaoTalk'],
  [/NAVER\(inapp/i, 'Naver'],
  [/DaumApps/i, 'Daum'],
  [/MicroMessenger\//, 'WeChat'],
  [/musical_ly|BytedanceWebview|TikTok/i, 'TikTok'],
  [/Twitter for|TwitterAndroid/, 'X'],
  [/LinkedInApp/, 'LinkedIn'],
  [/Snapchat/, 'Snapchat'],
  [/\[Pinterest\/|Pinterest for/, 'Pinterest'],
  [/VKAndroidApp|com\.vk\.vkclient/, 'VK'],
  [/\bZalo\b/, 'Zalo'],
  [/Weibo/i, 'Weibo'],
  [/\bQQ\//, 'QQ'],
  [/\[WA4A\/|\[WAiOS\//, 'WhatsApp'],
  [/\bReddit\//, 'Reddit'],
];

/** The most particular first: all of them call themselves Safari, and most Chrome. */
const BROWSERS: readonly (readonly [mark: RegExp, browser: string])[] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\/|OPT\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex'],
  [/Whale\//, 'Whale'],
  [/UCBrowser\//, 'UC Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/CriOS\/|Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, system: System])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Android's web view says so itself. @source developer.chrome.com/docs/webview/user-agent */
const isAndroidView = (text: string) => text.includes('Android') && text.includes('; wv)');

/** Apple's web view leaves "Safari/" out, which every browser on these systems has; iPads call themselves Macintosh. */
const isAppleView = (text: string) =>
  /iPhone|iPad|iPod|Macintosh/.test(text) && /AppleWebKit\//.test(text) && !/Safari\/|Chrome\//.test(text);

/** Reads the header or `navigator.userAgent`; whatever is not known stays empty. */
export function readUserAgent(text: string): UserAgent {
  const app = find(APPS, text);
  return {
    browser: app || find(BROWSERS, text),
    system: find(SYSTEMS, text),
    isEmbedded: app !== '' || isAndroidView(text) || isAppleView(text),
  };
}

/**
 * Whose client of a game a visitor most likely plays. A tablet that calls itself a Mac is `web`, which every game has.
 */
export function platformOf(text: string): 'android' | 'ios' | 'web' {
  const { system } = readUserAgent(text);
  return system === 'Android' ? 'android' : system === 'iOS' ? 'ios' : 'web';
}

function find<Name extends string>(table: readonly (readonly [RegExp, Name])[], text: string): Name | '' {
  return table.find(([mark]) => mark.test(text))?.[1] ?? '';
}
