// The oldest browsers that the storefront works in: what is built for them, and what the built files may use.

/**
 * Our choice: the first of each that has all of `toSorted`, `color-mix` and container queries, spring and summer of
 * 2023. iOS 16 is the last one of the iPhone 8 and X, Firefox 115 that of Windows 7 and 8. Names as in
 * @mdn/browser-compat-data.
 */
export const OLDEST = {
  safari_ios: '16.4',
  safari: '16.4',
  chrome: '111',
  chrome_android: '111',
  webview_android: '111',
  firefox: '115',
  firefox_android: '115',
} as const;

export type OldBrowser = keyof typeof OLDEST;

/** The same in the words of the bundler. */
export const BUILD_TARGETS = [
  `ios${OLDEST.safari_ios}`,
  `safari${OLDEST.safari}`,
  `chrome${OLDEST.chrome}`,
  `firefox${OLDEST.firefox}`,
];
