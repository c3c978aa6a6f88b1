// Texts (certificates, keys) at addresses that an unproven message names: few are kept, the same one is
// asked for once at a time, and who invents addresses soon gets none fetched any more. Which addresses may be named at
// all is the adapter's to know.
import { DAY_MS, HOUR_MS } from '#kernel/time.ts';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from '#server/platform/limits/address-limits.ts';
import { type Outbound, OutboundError } from './outbound.ts';

/** Our choice: companies have one or two certificates at a time, for months. */
const KEPT = 8;
/** Our choice: a day, so that a certificate which is withdrawn is not believed for long. */
const KEPT_MS = DAY_MS;
/** Our choice: asked for again while it is still believed, so that a host which is away for an hour is not noticed. */
const RENEWED_MS = 6 * HOUR_MS;
/** Our choice: what was no use is not asked for again and again; a host that is back is believed within the minute. */
const USELESS_KEPT = 64;
const USELESS_MS = 30_000;
/**
 * Our choice, addresses not known yet: a new certificate comes with many notices at once from a few senders,
 * and each of them is sent again.
 */
const PER_MINUTE = 20;
const PER_NETWORK_AND_MINUTE = 5;

export type NamedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export type NamedTexts = {
  /**
   * @param url its host, path and form were checked; a query or fragment throws a RangeError
   * @param ip of who named it
   * @param isUseful only what is useful stays for long
   */
  read(url: string, ip: string, isUseful: (text: string) => boolean): Promise<NamedText>;
};

/** One for each environment of a provider. `outbound` has a circuit breaker that nothing else depends on. */
export function createNamedTexts(outbound: Outbound, now: () => number): NamedTexts {
  const useful = new Map<string, { read: NamedText; until: number }>();
  const useless = new Map<string, { read: NamedText; until: number }>();
  const underWay = new Map<string, Promise<NamedText | null>>();
  const ofAll = new RateLimiterMemory({ keyPrefix: 'all', points: PER_MINUTE, duration: 60 });
  const ofNetwork = new RateLimiterMemory({ keyPrefix: 'network', points: PER_NETWORK_AND_MINUTE, duration: 60 });

  const fetchText = async (url: string, isUseful: (text: string) => boolean): Promise<NamedText> => {
    const read = await askFor(outbound, url);
    const isKept = read.kind === 'text' && isUseful(read.text);
    if (isKept) {
      keep(useful, KEPT, url, { read, until: now() + KEPT_MS });
      useless.delete(url);
    } else keep(useless, USELESS_KEPT, url, { read: cut(read), until: now() + USELESS_MS });
    return read;
  };
  /**
   * Null: over the budget. The sender's own comes first, so that one sender cannot use up everybody's. An address that
   * was good once is outside of both, so that invented ones never keep it out: at most KEPT of them, twice a minute.
   */
  const fetchWithin = async (url: string, ip: string, isUseful: (text: string) => boolean): Promise<NamedText | null> =>
    useful.has(url) || ((await takes(ofNetwork, networkOf(ip))) && (await takes(ofAll, 'all')))
      ? fetchText(url, isUseful)
      : null;
  const fetchOnce = (url: string, ip: string, isUseful: (text: string) => boolean): Promise<NamedText | null> => {
    const begun = fetchWithin(url, ip, isUseful).finally(() => underWay.delete(url));
    underWay.set(url, begun);
    return begun;
  };
  return {
    read: async (url, ip, isUseful) => {
      if (/[?#]/.test(url)) throw new RangeError('an address that a message names may hold no query and no fragment');
      const [good, bad] = [useful.get(url), useless.get(url)];
      const wasAskedLately = bad !== undefined && bad.until > now();
      if (good && good.until > now()) {
        if (good.until - now() < RENEWED_MS && !wasAskedLately && !underWay.has(url))
          void fetchOnce(url, ip, isUseful).catch(() => undefined);
        return good.read;
      }
      if (wasAskedLately) return bad.read;
      // A caller that waits for another's call spends nothing; when that one was not allowed to make it, the next one
      // tries.
      const others = underWay.get(url);
      const shared = others ? await others : null;
      if (shared) return shared;
      return (
        (await fetchOnce(url, ip, isUseful)) ?? {
          kind: 'unavailable',
          reason: 'too many unknown addresses were named within a minute',
        }
      );
    },
  };
}

async function askFor(outbound: Outbound, url: string): Promise<NamedText> {
  try {
    const { status, text } = await outbound(url, { method: 'GET' });
    return status === 200 ? { kind: 'text', text } : { kind: 'unavailable', reason: `the address answered ${status}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: 'unavailable', reason: error.message };
  }
}

/** A text this long is of no use, cut or whole; cut, it takes no memory. */
function cut(read: NamedText): NamedText {
  return read.kind === 'text' ? { kind: 'text', text: read.text.slice(0, 100) } : read;
}

/** Insertion order is age: the one kept longest goes. */
function keep<Entry>(entries: Map<string, Entry>, most: number, url: string, entry: Entry): void {
  entries.delete(url);
  entries.set(url, entry);
  for (const oldest of entries.keys()) {
    if (entries.size <= most) break;
    entries.delete(oldest);
  }
}

async function takes(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  return limiter.consume(key).then(
    () => true,
    () => false,
  );
}
