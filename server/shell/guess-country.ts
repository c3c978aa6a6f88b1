// Guesses the country of a first visitor: by the country header of our own proxy, then by the browser's languages.
import type { FastifyRequest } from 'fastify';
import { readAcceptLanguage } from '#kernel/languages.ts';
import type { Country } from '#kernel/regions.ts';
import { countriesOfTags } from '#server/modules/pricing/service.ts';
import type { Config } from '#server/platform/config.ts';
import { matchProxies } from '#server/platform/settings/proxies.ts';

/** Says "unknown" (XX) and "Tor" (T1). @source developers.cloudflare.com, "CF-IPCountry" */
const NO_COUNTRY = new Set(['XX', 'T1']);

/** The likeliest first. */
export function guessCountries(
  config: Pick<Config, 'countryHeader' | 'trustedProxies'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Country[] {
  const named = countryOfProxy(config, request);
  return [...(named ? [named] : []), ...countriesOfTags(readAcceptLanguage(request.headers['accept-language']))];
}

/** A header from anybody else is a visitor's own claim and is passed over. */
function countryOfProxy(
  { countryHeader, trustedProxies }: Pick<Config, 'countryHeader' | 'trustedProxies'>,
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
): Country | null {
  if (countryHeader === '' || !matchProxies(trustedProxies)(raw.socket.remoteAddress)) return null;
  const value = headers[countryHeader.toLowerCase()];
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : null;
}
