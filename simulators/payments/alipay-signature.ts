// Signs and verifies as Alipay does, in its two protocols. RSA with SHA-256 throughout.

import { createSign, createVerify, generateKeyPairSync } from 'node:crypto';

export type KeyPair = { privateKey: string; publicKey: string };

/** A pair as the consoles show it: base64 without PEM lines. */
export function makeKeyPair(): KeyPair {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  });
  return { privateKey: pair.privateKey.toString('base64'), publicKey: pair.publicKey.toString('base64') };
}

const pem = (kind: 'PRIVATE' | 'PUBLIC', base64: string) =>
  `-----BEGIN ${kind} KEY-----\n${base64}\n-----END ${kind} KEY-----`;

export function rsaSign(text: string, privateKey: string): string {
  return createSign('RSA-SHA256').update(text, 'utf8').sign(pem('PRIVATE', privateKey), 'base64');
}

export function rsaVerify(text: string, signature: string, publicKey: string): boolean {
  return createVerify('RSA-SHA256').update(text, 'utf8').verify(pem('PUBLIC', publicKey), signature, 'base64');
}

/** @source docs.antom.com, "Sign a request and verify the signature" */
export function antomText(path: string, clientId: string, time: string, body: string): string {
  return `POST ${path}\n${clientId}.${time}.${body}`;
}

export function antomHeader(text: string, privateKey: string): string {
  return `algorithm=RSA256,keyVersion=1,signature=${encodeURIComponent(rsaSign(text, privateKey))}`;
}

/** The signature in the header, decoded; empty when there is none. */
export function antomSignatureIn(header: unknown): string {
  const value = typeof header === 'string' ? header.split('signature=')[1] : undefined;
  return value ? decodeURIComponent(value) : '';
}

/** Sorted `k=v` joined by `&`, without the fields named. @source github.com/alipay/alipay-sdk-nodejs-all */
export function openText(fields: Record<string, string>, without: readonly string[]): string {
  return Object.entries(fields)
    .filter(([key]) => !without.includes(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
}
