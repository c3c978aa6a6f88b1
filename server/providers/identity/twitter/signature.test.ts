// The signature against the vectors that were published for it.
import { describe, expect, test } from 'vitest';
import { encodeStrict, signRequest } from './signature.ts';

const signatureOf = (header: string) => decodeURIComponent(/oauth_signature="([^"]+)"/.exec(header)?.[1] ?? '');
const consumer = { consumerKey: 'dpf43f3p2l4k3l03', consumerSecret: 'kd94hf93k423kf44' };

describe('RFC 5849 section 1.2', () => {
  test('the request for a token', () => {
    const header = signRequest({
      ...consumer,
      method: 'POST',
      url: 'https://photos.example.net/token',
      token: 'hh5s93j4hdidpola',
      tokenSecret: 'hdhd0244k9j7ao03',
      oauth: { oauth_verifier: 'hfdp7dh39dks9884' },
      timestamp: 137131201,
      nonce: 'walatlh',
    });
    expect(signatureOf(header)).toBe('gKgrFCywp7rO0OXSjdot/IHF7IU=');
  });

  test('a request with a query, which is signed and not part of the address', () => {
    const header = signRequest({
      ...consumer,
      method: 'GET',
      url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
      token: 'nnch734d00sl2jdk',
      tokenSecret: 'pfkkdhi9sl3r4s00',
      timestamp: 137131202,
      nonce: 'chapoH',
    });
    expect(signatureOf(header)).toBe('MdpQcU8iPSUjWoN/UDMsK2sui9I=');
    expect(header).toMatch(
      /^OAuth oauth_consumer_key="dpf43f3p2l4k3l03", oauth_nonce="chapoH", .*oauth_token="nnch734d00sl2jdk"/,
    );
  });
});

/** @source docs.x.com, "Creating a signature": a form body, a query and characters of every kind */
test('the example of X', () => {
  const header = signRequest({
    method: 'POST',
    url: 'https://api.twitter.com/1.1/statuses/update.json?include_entities=true',
    form: { status: 'Hello Ladies + Gentlemen, a signed OAuth request!' },
    consumerKey: 'xvz1evFS4wEEPTGEFPHBog',
    consumerSecret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
    tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
    oauth: { oauth_version: '1.0' },
    timestamp: 1318622958,
    nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
  });
  expect(signatureOf(header)).toBe('hCtSmYh+iHYCEqBWrE7C7hYmtUk=');
});

/** @source docs.x.com, "Percent encoding parameters" */
test.each([
  ['Ladies + Gentlemen', 'Ladies%20%2B%20Gentlemen'],
  ['An encoded string!', 'An%20encoded%20string%21'],
  ['Dogs, Cats & Mice', 'Dogs%2C%20Cats%20%26%20Mice'],
  ['☃', '%E2%98%83'],
  ["-._~!'()*", '-._~%21%27%28%29%2A'],
])('%s is written %s', (text, written) => expect(encodeStrict(text)).toBe(written));
