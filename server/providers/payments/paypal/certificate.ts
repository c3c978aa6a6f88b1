// Fetching and judging the certificate a PayPal webhook is signed with. What is signed lives in webhook.ts.
import type { Environment } from '#kernel/environment.ts';
import { X509Certificate } from 'node:crypto';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { type NamedTexts, createNamedTexts } from '#server/platform/outbound/outbound-named.ts';
import { certificateHosts, isSimulatorCertificateHost } from './settings.ts';

/**
 * @source the sandbox name is in the certificate of PayPal-Java-SDK's ValidateCertTest; UNSURE: the
 * live name is inferred from it
 */
const NAMES: Record<Environment, string> = {
  demo: 'messageverificationcerts.sandbox.paypal.com',
  live: 'messageverificationcerts.paypal.com',
};
/** @source PayPal-Java-SDK ValidateCertTest, header paypal-cert-url */
const PATH = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/;
export type CertificateReading =
  | { readonly kind: 'certificate'; readonly certificate: X509Certificate }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Holds the certificates that each environment of this process has fetched, beside its cache of access tokens. */
const fetched = new WeakMap<ProviderContext['cache'], NamedTexts>();

/**
 * The certificate at `url`, a header that anybody can write: nothing is fetched unless it points to an
 * exact trusted host and path.
 * The trust is that host's TLS; name and dates are checked on top. Its own chain is not followed to a root,
 * because the address may answer with the leaf alone.
 * @param ip of the caller: how many unknown certificates one may name is limited
 */
export async function fetchCertificate(context: ProviderContext, url: string, ip: string): Promise<CertificateReading> {
  const { environment, settings, cache, now } = context;
  const isSimulator = isSimulatorCertificateHost(settings, environment);
  if (!isTrustedUrl(url, certificateHosts(settings, environment), isSimulator)) {
    return { kind: 'untrusted', reason: 'the certificate address is not one of PayPal' };
  }
  const texts = fetched.get(cache) ?? createNamedTexts(context.outbound, now);
  fetched.set(cache, texts);
  const judgeText = (text: string) => judge(text, now(), isSimulator ? null : NAMES[environment]);
  const read = await texts.read(url, ip, (text) => judgeText(text).kind === 'certificate');
  return read.kind === 'text'
    ? judgeText(read.text)
    : { kind: 'unavailable', reason: `the certificate: ${read.reason}` };
}

function isTrustedUrl(text: string, hosts: readonly string[], isSimulator: boolean): boolean {
  // The address is what it is kept under, so it has one spelling and nothing behind the path.
  if (!URL.canParse(text) || new URL(text).href !== text) return false;
  const url = new URL(text);
  if (!hosts.includes(url.host) || url.username !== '' || url.password !== '') return false;
  if (/[?#]/.test(text)) return false;
  if (url.protocol === 'https:') return isSimulator || PATH.test(url.pathname);
  return url.protocol === 'http:' && isSimulator;
}

/** @param name the name the certificate must be made out to, or null when its host alone is trusted */
function judge(pem: string, now: number, name: string | null): CertificateReading {
  const certificate = parse(pem);
  if (!certificate) return { kind: 'untrusted', reason: 'the certificate address gave no certificate' };
  if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) {
    return { kind: 'untrusted', reason: 'the certificate is not valid at this time' };
  }
  if (name !== null && certificate.checkHost(name, { wildcards: false }) === undefined) {
    return { kind: 'untrusted', reason: 'the certificate is made out to another name' };
  }
  return { kind: 'certificate', certificate };
}

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
