// PayerMax's signature over a whole body, its keys, and its amounts: JSON numbers of major units by its own decimals.

import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';

export type KeyPair = { privateKey: string; publicKey: string };

/** A pair as the dashboard shows it: base64 without PEM lines. */
export function makeKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

const pem = (kind: string, base64: string) => `-----BEGIN ${kind} KEY-----\n${base64}\n-----END ${kind} KEY-----`;

/** @source docs.payermax.com, "Signature Rules" */
export function signBody(body: string, privateKey: string): string {
  return createSign('RSA-SHA256').update(body).sign(pem('PRIVATE', privateKey), 'base64');
}

export function isSigned(body: string, sign: unknown, publicKey: string): boolean {
  return (
    typeof sign === 'string' && createVerify('RSA-SHA256').update(body).verify(pem('PUBLIC', publicKey), sign, 'base64')
  );
}

/** Written without decimals there, unlike ISO 4217 for IDR, TWD, PKR and COP. @source docs.payermax.com, currencies */
const whole = new Set(['IDR', 'TWD', 'PKR', 'COP', 'JPY', 'KRW', 'VND', 'CLP']);

export const decimalsOf = (currency: string): number => (whole.has(currency) ? 0 : 2);

/** Reads a number or a text of major units; undefined when it is none, or has more decimals than PayerMax's table. */
export function readAmount(value: unknown, currency: string | undefined): Amount | undefined {
  if (!currency || !/^[A-Z]{3}$/.test(currency) || (typeof value !== 'number' && typeof value !== 'string'))
    return undefined;
  const amountMinor = minorFromText(String(value), decimalsOf(currency));
  return amountMinor ? { amountMinor, currency } : undefined;
}

/** The number as it stands in JSON. */
export const writeAmount = (amount: Amount): number =>
  Number(textFromMinor(amount.amountMinor, decimalsOf(amount.currency)));
