// The accounts that the simulators open for the shop: made once, kept beside the journals, so
// that a restart changes nothing.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { randomHex, randomUpper } from './ids.ts';

export type Credentials = {
  paypal: {
    clientId: string;
    clientSecret: string;
    webhookId: string;
    tokenKey: string;
    privateKey: string;
    certificate: string;
  };
  xsolla: { merchantId: number; projectId: number; apiKey: string; projectSecret: string };
  adyen: { apiKey: string; merchantAccount: string; hmacKey: string };
  games: Record<string, string>;
};

/** Reads `credentials.json` in the data folder, or makes it for the games named. */
export async function openCredentials(dataDir: string, games: readonly string[]): Promise<Credentials> {
  const file = join(dataDir, 'credentials.json');
  if (existsSync(file)) {
    const known = JSON.parse(readFileSync(file, 'utf8')) as Credentials;
    const added = games.filter((game) => known.games[game] === undefined);
    if (added.length === 0) return known;
    const whole = { ...known, games: { ...known.games, ...secretsOf(added) } };
    keep(file, whole);
    return whole;
  }
  mkdirSync(dataDir, { recursive: true });
  const made: Credentials = {
    paypal: {
      clientId: `A${randomBytes(42).toString('base64url')}`,
      clientSecret: `E${randomBytes(42).toString('base64url')}`,
      webhookId: randomUpper(17),
      tokenKey: randomHex(32),
      ...(await makeCertificate()),
    },
    xsolla: {
      merchantId: 100_000 + randomBytes(2).readUInt16BE(),
      projectId: 200_000 + randomBytes(2).readUInt16BE(),
      apiKey: randomHex(16),
      projectSecret: randomHex(16),
    },
    adyen: {
      apiKey: `AQE${randomBytes(60).toString('base64')}`,
      merchantAccount: 'RefillDemoECOM',
      hmacKey: randomHex(32).toUpperCase(),
    },
    games: secretsOf(games),
  };
  keep(file, made);
  return made;
}

function secretsOf(games: readonly string[]): Record<string, string> {
  return Object.fromEntries(games.map((game) => [game, `whsec_${randomBytes(32).toString('base64')}`]));
}

/**
 * Reads the credentials that one provider gave the shop from `<name>.account.json` in the data folder, or makes them.
 */
export function openAccount<Account>(dataDir: string, name: string, make: () => Account): Account {
  const file = join(dataDir, `${name}.account.json`);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Account;
  mkdirSync(dataDir, { recursive: true });
  const made = make();
  keep(file, made);
  return made;
}

/** Written aside and renamed: a kill in between must not leave half a file that stops every later start. */
function keep(file: string, made: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(made, null, 2), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/**
 * The name that PayPal's sandbox certificates carry, which a careful shop compares. @source
 * PayPal-Python-SDK, webhook verification
 */
async function makeCertificate(): Promise<{ privateKey: string; certificate: string }> {
  const tenYears = new Date();
  tenYears.setFullYear(tenYears.getFullYear() + 10);
  const pair = await generate([{ name: 'commonName', value: 'messageverificationcerts.sandbox.paypal.com' }], {
    keySize: 2048,
    algorithm: 'sha256',
    // An hour back, so that a shop whose clock lags does not refuse a brand-new certificate.
    notBeforeDate: new Date(Date.now() - 3_600_000),
    notAfterDate: tenYears,
  });
  return { privateKey: pair.private, certificate: pair.cert };
}
