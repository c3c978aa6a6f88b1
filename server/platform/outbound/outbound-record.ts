// Keeps the last raw exchange of one verb for audit, with secrets and persons masked and cut short.
import { maskSecrets } from '#server/platform/log.ts';
import { maskPersons } from '#server/platform/masking/mask-persons.ts';
import type { Outbound } from './outbound.ts';

/** Our choice: enough of any answer to settle an argument, little enough for a row. */
const MAX_TEXT = 1500;

export type Exchange = {
  readonly method: string;
  readonly url: string;
  readonly status: number | string;
  readonly sent: string;
  readonly received: string;
};

/**
 * Wraps `outbound`; `exchange()` answers the last call, or null when none was made. Headers are not
 * kept: they hold the credentials.
 * @param personalFields of the provider's port
 */
export function recordExchange(
  outbound: Outbound,
  personalFields?: readonly string[],
): { outbound: Outbound; exchange: () => Exchange | null } {
  let last: Exchange | null = null;
  return {
    exchange: () => last,
    outbound: async (url, call) => {
      const { origin, pathname } = new URL(url);
      const base = {
        method: call.method,
        url: origin + pathname,
        sent: maskedText(call.body ?? '', MAX_TEXT, personalFields),
      };
      try {
        const answer = await outbound(url, call);
        last = { ...base, status: answer.status, received: maskedText(answer.text, MAX_TEXT, personalFields) };
        return answer;
      } catch (error) {
        last = { ...base, status: (error as { reason?: string }).reason ?? 'error', received: '' };
        throw error;
      }
    },
  };
}

/**
 * The beginning of somebody else's text, as it may be kept: without persons, secrets and zero bytes.
 * @param most characters
 */
export function maskedText(text: string, most: number, personalFields?: readonly string[]): string {
  return maskSecrets(maskPersons(text, personalFields).slice(0, most)).replaceAll('\0', '').slice(0, most);
}
