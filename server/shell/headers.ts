// Sets the headers that tell the browser what a page of the shop may do.
import { randomBytes } from 'node:crypto';
import { CSP_REPORT_PATH } from './csp-reports.ts';

/** 128 random bits; a new one for every response. */
export function makeNonce(): string {
  return randomBytes(16).toString('base64url');
}

export type HeaderOptions = {
  nonce: string;
  isHttps: boolean;
  /** Origins beside our own that the page may call: backups, and the one that collects events. */
  calledOrigins: readonly string[];
  /** Exact https origins that may show this page in a frame; none for all pages but the game's own view. */
  frameParents: readonly string[];
};

/**
 * Headers of a document. Scripts run by the nonce alone; no text ever becomes code or mark-up
 * (Trusted Types without a policy).
 * @source OWASP ASVS 5.0 chapter 3 (web frontend security); W3C CSP level 3 "strict-dynamic", W3C Trusted Types
 */
export function documentHeaders({
  nonce,
  isHttps,
  calledOrigins,
  frameParents,
}: HeaderOptions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...calledOrigins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    `frame-ancestors ${frameParents.length > 0 ? frameParents.join(' ') : "'none'"}`,
    "manifest-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // Every browser knows it and tells at once; report-to is known to fewer and waits for a minute.
    `report-uri ${CSP_REPORT_PATH}`,
  ];
  return {
    'Content-Security-Policy': policy.join('; '),
    // Payment pages open in windows of their own.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(self)',
    'Cache-Control': 'no-store',
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}
