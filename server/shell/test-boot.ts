// Boot data and built assets for the tests of the shell.
import type { BootData } from '#contracts/boot.ts';
import { readDrawing } from '../modules/configuration/service.ts';
import type { BuiltAssets } from './assets.ts';

function draw(symbol: string, svg: string): BootData['brand']['logo'] {
  const read = readDrawing(svg);
  if (read.kind === 'refused') throw new Error(read.faults[0]?.sentence);
  return { symbol, viewBox: read.drawing.viewBox, markup: read.drawing.writeInner(`${symbol}-`) };
}

/** A brand whose every text tries to break out of the page. */
export function makeBoot(changes: Partial<BootData> = {}): BootData {
  const evil = `</script><script>alert("1")</script>'"&`;
  return {
    brand: {
      key: 'watt',
      name: evil,
      title: evil,
      theme: '#5B6CFF',
      look: {
        shift: -78,
        tint: 1.35,
        round: 0.55,
        corner: 'scoop',
        dense: 1,
        voice: 'serif',
        voiceWeight: 900,
        voiceTrack: -0.03,
        mode: 'auto',
        coin: 'shard',
        stage: 'poster',
        card: 'tile',
      },
      version: 'new',
      isVip: true,
      hasAccountsByGame: false,
      hasEntryCodes: true,
      hasPromoCodes: true,
      hasStepBar: false,
      tracking: { appId: 'watt-web', eventId: 'WEBPAY', host: 'collect.watt.example' },
      needsTrackingConsent: false,
      logins: { kinds: [] },
      links: { privacy: 'https://watt.example/privacy', terms: 'https://watt.example/terms' },
      notices: [],
      areas: {},
      copyright: evil,
      koreanBusiness: null,
      confirmations: {},
      supportHours: '',
      languages: ['en', 'ar'],
      currency: 'USD',
      hasLocalCounts: false,
      backupOrigins: ['https://pay2.watt.example'],
      logo: draw(
        'brand-logo',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path fill="var(--accent)" d="M0 0"/></svg>',
      ),
      hero: {
        picture: draw(
          'brand-hero',
          '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 420"><!-- note ' +
            '--><path id="root" d="M1 1"/><use href="#root"/></svg>',
        ),
        title: evil,
        text: evil,
        chip: evil,
      },
    },
    noticeItems: { trade: [{ item: 'seller', text: 'Seller K.K.' }] },
    iconUrl: '/brands/watt/icon.svg',
    firstLook: '',
    env: 'demo',
    isBeta: false,
    frameParents: [],
    isInApp: false,
    language: 'ar',
    messagesUrls: { en: '/messages/en.1.json' },
    messages: { 'nav.topup': ['شحن'], 'login.submit': ['دخول'] },
    isRealNameMissing: false,
    user: { username: evil, suid: 's', oauth_token: 't', gp_id: 'g' },
    region: 'universal',
    country: 'US',
    hasMarkets: false,
    regions: [{ region: 'universal', name: evil }],
    games: [],
    platform: null,
    clientId: '70021',
    pageConfig: null,
    goods: null,
    gifts: null,
    countries: null,
    servers: null,
    returning: null,
    cardKinds: [],
    ways: { names: ['Card', 'PayPal'], isMore: false },
    offers: null,
    ...changes,
  };
}

export const assets: BuiltAssets = {
  folder: '/nowhere',
  entry: '/assets/main-1.js',
  preloads: ['/assets/base-2.js'],
  css: '.x{color:red}',
  steps: {
    '/selectGame': { preloads: ['/assets/select-game-3.js'], sheets: ['/assets/classic-4.css'], css: '.y{color:blue}' },
  },
  icons: '<svg><symbol id="ic-gem"/></svg>',
  messagesUrls: {} as BuiltAssets['messagesUrls'],
  messagesOf: () => ({}),
};
