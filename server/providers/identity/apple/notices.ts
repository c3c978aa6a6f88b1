// Reads Apple's own notices about the accounts of its players. @source Apple, "Processing changes for Sign in with
// Apple accounts"
import type { LoginNotice, LoginNotices } from '#server/modules/accounts/logins/login-port.ts';
import type { OidcFlow } from '#server/platform/outbound/outbound-oidc.ts';

/**
 * Apple's text has had both spellings of the last one. `email-disabled` and `email-enabled` are about
 * addresses, which nobody here keeps.
 */
const OVER: readonly string[] = ['consent-revoked', 'account-delete', 'account-deleted'];

/** No date is later. @source ECMA-262, time values: 8.64e15 ms; well below it */
const LATEST_MS = 8e15;

export function createAppleNotices(flow: OidcFlow): LoginNotices {
  return {
    // UNSURE: whether `aud` is the Services ID that the player logged in with or the App ID it is grouped
    // under; either is the brand's own.
    idsOf: ({ appleServicesId, iosBundle }) => [appleServicesId, iosBundle].filter((id): id is string => Boolean(id)),
    read: async (body, ids) => {
      const payload = readField(body, 'payload');
      if (typeof payload !== 'string') return { kind: 'refused', reason: 'no payload' };
      const proven = await flow.proveNotice(payload, ids);
      if (proven.kind !== 'ok') return proven;
      const { aud, iat, events } = proven.claims;
      const appId = [aud].flat().find((one) => one !== undefined && ids.includes(one)) ?? '';
      const notices = listEvents(events).map((event) => readNotice(event, appId, iat ?? 0));
      if (notices.length === 0 || notices.includes(null)) return { kind: 'refused', reason: 'no events' };
      return { kind: 'ok', notices: notices.filter((notice) => notice !== null) };
    },
  };
}

/** A text with JSON in it, as it is sent; the object itself, as it was documented; one of them or several. */
function listEvents(events: unknown): unknown[] {
  const read = typeof events === 'string' ? parse(events) : events;
  return read === undefined || read === null ? [] : [read].flat();
}

function readNotice(event: unknown, appId: string, issuedAt: number): LoginNotice | null {
  const { type, sub, event_time: time } = (event ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || typeof sub !== 'string' || sub === '') return null;
  return {
    appId,
    subject: sub,
    event: type.slice(0, 40),
    isOver: OVER.includes(type),
    at: toMs(typeof time === 'number' && time > 0 && time < LATEST_MS ? time : issuedAt),
  };
}

/** Apple's example is in seconds, what it sends in milliseconds; a second is taken to its end. */
function toMs(time: number): number {
  return time < 1e11 ? time * 1000 + 999 : time;
}

function readField(text: string, name: string): unknown {
  const read = parse(text);
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>)[name] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
