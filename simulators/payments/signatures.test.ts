// The three signatures against vectors that are not ours, where the provider's side published some.
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signItem } from './adyen-signature.ts';
import { eventTextOf, isSignedBy, signedText, signText } from './paypal-signature.ts';
import { signBody } from './xsolla-signature.ts';

describe('Adyen item signature', () => {
  // @source github.com/Adyen/adyen-node-api-library, hmacValidator.spec.ts
  const libraryKey = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';
  const item = {
    pspReference: 'pspReference',
    originalReference: 'originalReference',
    merchantAccountCode: 'merchantAccount',
    merchantReference: 'reference',
    amount: { value: 1000, currency: 'EUR' },
    eventCode: 'EVENT',
    success: 'true',
  } as const;

  it("agrees with the library's two vectors", () => {
    expect(signItem(item, libraryKey)).toBe('ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=');
    const report = { ...item, eventCode: 'REPORT_AVAILABLE' };
    expect(signItem(report, libraryKey)).toBe('ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=');
  });

  it('agrees with the documented example, where the original reference is absent', () => {
    // @source docs.adyen.com, verify HMAC signatures
    const documented = {
      pspReference: '7914073381342284',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { value: 1130, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      success: 'true',
    } as const;
    expect(signItem(documented, '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056')).toBe(
      'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=',
    );
  });
});

describe('Xsolla body signature', () => {
  it('is SHA-1 over the body and the secret', () => {
    const secret = 'PROJECT_SECRET_KEY';
    expect(signBody('{"notification_type": "payment"}', secret)).toBe('89404631c86da9f508954da7b50799199a6b1d3a');
    expect(signBody('{"notification_type":"user_validation","user":{"id":"player-1"}}', secret)).toBe(
      '4d124bc4d579b4d09dcda911a59a44a1e6f7eee0',
    );
  });
});

describe('PayPal webhook signature', () => {
  const transmission = { transmissionId: 't', time: '2017-03-30T20:04:05Z', webhookId: 'w' };

  it('writes the checksum as an unsigned decimal number', () => {
    const rawBody = '{"id":"WH-TEST-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}';
    expect(signedText({ ...transmission, rawBody })).toBe('t|2017-03-30T20:04:05Z|w|2077941293');
    expect(signedText({ ...transmission, rawBody: '123456789' })).toBe('t|2017-03-30T20:04:05Z|w|3421780262');
  });

  it('verifies what it signed and nothing else', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const signature = signText('t|1|w|2', privateKey);
    expect(isSignedBy('t|1|w|2', signature, publicKey)).toBe(true);
    expect(isSignedBy('t|1|w|3', signature, publicKey)).toBe(false);
  });

  it('takes the event out of a verify call as it was written', () => {
    const event = '{"a" : "}\\"{", "b":{"c":1.0}}';
    expect(eventTextOf(`{"webhook_id":"w","webhook_event": ${event},"x":1}`)).toBe(event);
    expect(eventTextOf('{"webhook_id":"w"}')).toBeUndefined();
  });
});
