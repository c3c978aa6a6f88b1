// Keeps the last raw exchange of one verb for audit, with secrets masked and cut short.
import { maskSecrets } from '#server/platform/log.ts';
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

/** Wraps `outbound`; `exchange()` answers the last call, or null when none was made. Headers are not kept: they hold the credentials. */
export function recordExchange(outbound: Outbound): { outbound: Outbound; exchange: () => Exchange | null } {
  let last: Exchange | null = null;
  return {
    exchange: () => last,
    outbound: async (url, call) => {
      const { origin, pathname } = new URL(url);
      const base = { method: call.method, url: origin + pathname, sent: cut(call.body ?? '') };
      try {
        const answer = await outbound(url, call);
        last = { ...base, status: answer.status, received: cut(answer.text) };
        return answer;
      } catch (error) {
        last = { ...base, status: (error as { reason?: string }).reason ?? 'error', received: '' };
        throw error;
      }
    },
  };
}

function cut(text: string): string {
  return maskSecrets(text.slice(0, MAX_TEXT)).replaceAll('\0', '');
}
