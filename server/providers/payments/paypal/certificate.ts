// Fetching and judging the certificate a PayPal webhook is signed with. What is signed lives in webhook.ts.
import type { Environment } from '#kernel/environment.ts';
import { X509Certificate } from 'node:crypto';
import type { ProviderContext } from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { certificateHosts, isStandInCertificateHost } from './settings.ts';

/** @source the sandbox name is in the certificate of PayPal-Java-SDK's ValidateCertTest; UNSURE: the live name is inferred from it */
const NAMES: Record<Environment, string> = {
  demo: 'messageverificationcerts.sandbox.paypal.com',
  live: 'messageverificationcerts.paypal.com',
};
/** @source PayPal-Java-SDK ValidateCertTest, header paypal-cert-url */
const PATH = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/;
/** Our choice: a day, so that a certificate PayPal withdraws is not believed for long. */
const KEPT_MS = 24 * 60 * 60 * 1000;

export type CertificateReading =
  | { readonly kind: 'certificate'; readonly certificate: X509Certificate }
  | { readonly kind: 'untrusted'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * The certificate at `url`, a header that anybody can write: nothing is fetched unless it points to an exact trusted host.
 * The trust is that host's TLS; name and dates are checked on top. Its own chain is not followed to a root,
 * because the address may answer with the leaf alone.
 */
export async function fetchCertificate(context: ProviderContext, url: string): Promise<CertificateReading> {
  const { environment, settings, cache } = context;
  const isStandIn = isStandInCertificateHost(settings, environment);
  if (!isTrustedUrl(url, certificateHosts(settings, environment), isStandIn)) {
    return { kind: 'untrusted', reason: 'the certificate address is not one of PayPal' };
  }
  const key = `paypal:certificate:${url}`;
  const kept = cache.get(key);
  if (kept && kept.expiresAt > context.now())
    return judge(kept.value, context.now(), isStandIn ? null : NAMES[environment]);
  const answer = await context.outbound(url, { method: 'GET' }).catch(asOutboundError);
  if (answer instanceof OutboundError) return { kind: 'unavailable', reason: answer.message };
  if (answer.status !== 200)
    return { kind: 'unavailable', reason: `the certificate address answered ${answer.status}` };
  const reading = judge(answer.text, context.now(), isStandIn ? null : NAMES[environment]);
  // Only a good one is kept: made-up addresses must not fill the memory.
  if (reading.kind === 'certificate') cache.set(key, { value: answer.text, expiresAt: context.now() + KEPT_MS });
  return reading;
}

function isTrustedUrl(text: string, hosts: readonly string[], isStandIn: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (!hosts.includes(url.host) || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return isStandIn || PATH.test(url.pathname);
  return url.protocol === 'http:' && isStandIn;
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

function asOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  throw error;
}
