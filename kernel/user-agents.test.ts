// Real user agents, browsers and views of apps. @source the test lists of inapp-spy 5.0.10 and
// is-ua-webview 1.1.2 (npm), and what the named apps and browsers send; versions are as they were found.
import { expect, test } from 'vitest';
import { platformOf, readUserAgent } from './user-agents.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT}`;
const VIEW =
  `Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240905.003; wv) ${BLINK} Version/4.0 Chrome/130.0.6723.58 ` +
  'Mobile Safari/537.36';

test.each([
  ['Chrome', 'Android', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/121.0.0.0 Mobile Safari/537.36`],
  ['Chrome', 'iOS', `${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`],
  ['Safari', 'iOS', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`],
  ['Firefox', 'iOS', `${IPHONE} FxiOS/130.1 Mobile/15E148 Safari/605.1.15`],
  ['Edge', 'iOS', `${IPHONE} EdgiOS/128.0.2739.82 Version/18.0 Mobile/15E148 Safari/604.1`],
  ['Opera', 'iOS', `${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1 OPT/5.0.7`],
  ['Yandex', 'iOS', `${IPHONE} Version/18.0 YaBrowser/24.7.7.799.10 SA/3 Mobile/15E148 Safari/604.1`],
  ['Samsung Internet', 'Android', `Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-S918B) ${BLINK} SamsungBrowser/21.0 Chrome/110.0.5481.154 Mobile Safari/537.36`],
  ['Firefox', 'Android', 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0'],
  ['Safari', 'macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/17.6 Safari/605.1.15`],
  ['Chrome', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36`],
  ['Edge', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51`],
  ['Chrome', 'ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/128.0.0.0 Safari/537.36`],
  ['Firefox', 'Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'],
  ['Whale', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/126.0.0.0 Whale/3.27.254.15 Safari/537.36`],
])('%s on %s is a browser', (browser, system, text) => {
  expect(readUserAgent(text)).toEqual({ browser, system, isEmbedded: false });
}); /* a row a line */ // prettier-ignore

test.each([
  ['Facebook', 'iOS', `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/488.0.0.68.101;FBBV/658219612;FBDV/iPhone12,8;FBMD/iPhone;FBSN/iOS;FBSV/18.1;FBSS/2;FBID/phone;FBLC/en_US;FBOP/5;FBRV/0;IABMV/1]`],
  ['Facebook', 'iOS', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) ${WEBKIT} Mobile/22G100 Safari/604.1 MetaIAB Facebook`],
  ['Facebook', 'Android', `${VIEW} [FB_IAB/FB4A;FBAV/488.0.0.62.79;IABMV/1;]`],
  ['Messenger', 'iOS', `${IPHONE} Mobile/14D27 [FBAN/MessengerForiOS;FBAV/117.0.0.36.70;FBBV/57539258;FBDV/iPhone7,2]`],
  ['Messenger', 'Android', `${VIEW} [FB_IAB/MESSENGER;FBAV/118.0.0.19.82;]`],
  ['Instagram', 'iOS', `${IPHONE} Mobile/22F76 Instagram 393.1.0.36.70 (iPhone15,3; iOS 18_5; en_US; en; scale=3.00; 1290x2796; IABMV/1; 776538208) Safari/604.1`],
  ['Instagram', 'Android', `${VIEW} Instagram 355.1.0.44.103 Android (34/14; 420dpi; 1080x2205; Google/google; Pixel 8; shiba; shiba; en_US; 658190016)`],
  ['Threads', 'Android', `${VIEW} Barcelona 355.0.0.39.109 Android (34/14; 420dpi; 1080x2205; Google/google; Pixel 8)`],
  ['LINE', 'iOS', `${IPHONE} Mobile/14D27 Safari Line/7.3.2`],
  ['LINE', 'Android', `${VIEW} Line/7.4.0/IAB`],
  ['KakaoTalk', 'iOS', `${IPHONE} Mobile/15E148 KAKAOTALK 10.0.0`],
  ['Naver', 'Android', `${VIEW} NAVER(inapp; search; 1000; 12.0.2)`],
  ['Naver', 'iOS', `${IPHONE} Version/12.0 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 730; 10.27.3; 8)`],
  ['Daum', 'Android', `${VIEW} DaumApps/1.0`],
  ['WeChat', 'iOS', `${IPHONE} Mobile/14D27 MicroMessenger/6.5.8 NetType/WIFI Language/zh_CN`],
  ['WeChat', 'Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/116.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat`],
  ['TikTok', 'iOS', `${IPHONE} Mobile/15E148 Safari/604.1 musical_ly_41.9.0`],
  ['TikTok', 'Android', `${VIEW} musical_ly_2023303040 JsSdk/1.0 NetType/WIFI Channel/googleplay BytedanceWebview/d8a21c6`],
  ['X', 'iOS', `${IPHONE} Mobile/14D27 Twitter for iPhone`],
  ['LinkedIn', 'iOS', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.30.1753`],
  ['Snapchat', 'iOS', `${IPHONE} Version/17.3.1 Mobile/15E148 Snapchat/12.72.0.39 (like Safari/8617.2.4.10.8, panda)`],
  ['WhatsApp', 'Android', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/141.0.7390.124 Mobile Safari/537.36 [WA4A/2.25.32.75;]`],
  ['Reddit', 'Android', `${VIEW} Reddit/Version 2024.41.0/Build 2102450/Android 14`],
  ['Chrome', 'Android', VIEW],
  ['', 'iOS', `${IPHONE} Mobile/15E148`],
  ['', 'macOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) ${WEBKIT}`],
])('%s on %s is a view inside an app', (browser, system, text) => {
  expect(readUserAgent(text)).toEqual({ browser, system, isEmbedded: true });
}); /* a row a line */ // prettier-ignore

test.each([
  [`${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'ios'],
  [VIEW, 'android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'web'],
  ['', 'web'],
])('L79 the platform of %s is %s', (text, platform) => {
  expect(platformOf(text)).toBe(platform);
});

test('nothing is nothing', () => {
  expect(readUserAgent('')).toEqual({ browser: '', system: '', isEmbedded: false });
  expect(readUserAgent('curl/8.5.0')).toEqual({ browser: '', system: '', isEmbedded: false });
});
