// The key and certificate with which EBANX signs notifications. Written from
// developer.ebanx.com, "Payments Notification".

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type Signer = { privateKey: string; certificate: string; fingerprint: string };

/** Headers over the raw body: type, SHA-1 fingerprint of the certificate, RSA-SHA1 in base64. */
export function signHeaders(body: string, signer: Signer): Record<string, string> {
  return {
    'X-Signature-Type': 'rsa,sha1',
    'X-Signature-Fingerprint': signer.fingerprint,
    'X-Signature-Content': sign('RSA-SHA1', Buffer.from(body), signer.privateKey).toString('base64'),
  };
}

/** Made at once, because an account is; every library here makes certificates in promises. */
export function makeSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const der = selfSigned(publicKey.export({ type: 'spki', format: 'der' }), key);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    privateKey: key,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    fingerprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
  };
}

/** The smallest certificate there is. @source RFC 5280, 4.1: Certificate and TBSCertificate */
function selfSigned(subjectPublicKeyInfo: Buffer, privateKey: string): Buffer {
  const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'));
  // commonName, UTF8String
  const attribute = sequence(Buffer.from('0603550403', 'hex'), tagged(0x0c, Buffer.from('Simulated EBANX')));
  const name = sequence(tagged(0x31, attribute));
  const time = (text: string) => tagged(0x17, Buffer.from(text));
  const version3 = tagged(0xa0, Buffer.from('020102', 'hex'));
  const serial = tagged(0x02, Buffer.concat([Buffer.from([0x4a]), randomBytes(7)]));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  const body = sequence(version3, serial, sha256WithRsa, name, validity, name, subjectPublicKeyInfo);
  const signature = Buffer.concat([Buffer.from([0]), sign('RSA-SHA256', body, privateKey)]);
  return sequence(body, sha256WithRsa, tagged(0x03, signature));
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));

/** One value in DER: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
