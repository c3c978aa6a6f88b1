// Provides the tests of this adapter with keys made for the run, a context and an outside that answers as it is told.
import type { Environment } from '#kernel/environment.ts';
import { generateKeyPairSync } from 'node:crypto';
import { money } from '#kernel/money.ts';
import type { CreatePayment, KnownPayment, ProviderContext } from '#server/modules/payments/provider.ts';
import { type OutboundRequest, OutboundError } from '#server/platform/outbound/outbound.ts';

export const NOW = Date.parse('2026-01-02T03:04:05Z');
export const REFERENCE = '01JGZZZZZZZZZZZZZZZZZZZZZZ-1';

function makePair() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bare = (key: typeof publicKey, type: 'pkcs8' | 'spki') =>
    key.export({ format: 'der', type }).toString('base64');
  return { privateKey, publicKey, privateText: bare(privateKey, 'pkcs8'), publicText: bare(publicKey, 'spki') };
}
export const shop = makePair();
export const alipaySide = makePair();
export const stranger = makePair();

export type Reply = { status: number; text: string; headers?: Record<string, string> } | OutboundError;

export function setUp(replies: Reply[], extra: Record<string, string> = {}, environment: Environment = 'demo') {
  const calls: { url: string; call: OutboundRequest }[] = [];
  const context: ProviderContext = {
    environment,
    settings: {
      CLIENT_ID: 'SANDBOX_5Y',
      SELLER_ID: '2088531891668739',
      PRIVATE_KEY: shop.privateText,
      PUBLIC_KEY: alipaySide.publicText,
      ...extra,
    },
    now: () => NOW,
    cache: new Map(),
    outbound: async (url, call) => {
      calls.push({ url, call });
      const reply = replies.shift();
      if (!reply) throw new Error(`unexpected call to ${url}`);
      if (reply instanceof OutboundError) throw reply;
      return { headers: {}, ...reply };
    },
  };
  return { context, calls };
}

export const input: CreatePayment = {
  reference: REFERENCE,
  amount: money(499, 'CNY'),
  productName: '60 Embers & more',
  brandName: 'Watt',
  playerRef: 'player-1',
  playerName: 'Ann',
  country: 'CN',
  locale: 'zh-CN',
  channelId: '',
  returnUrl: 'https://shop.example/return/alipay?ref=1',
  cancelUrl: 'https://shop.example/return/alipay?cancelled=1',
  notifyUrl: 'https://shop.example/callback/alipay',
  expiresAt: NOW + 3_600_123,
  device: { isMobile: false, os: 'other', userAgent: 'Mozilla/5.0', ip: '203.0.113.7' },
};

export const payment: KnownPayment = {
  reference: REFERENCE,
  providerRef: 'P1',
  captureRef: null,
  approval: null,
  amount: money(499, 'CNY'),
  playerRef: 'player-1',
  channelId: '',
  createdAt: NOW - 60_000,
};
