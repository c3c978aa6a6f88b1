// How a process leaves: first it says so at `/readyz` and goes on serving, so that balancers send nothing more to it;
// then whoever called `begin` may end it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';

export type Leave = {
  readonly isLeaving: () => boolean;
  /**
   * Ends when the announcement is over: at once when it is not `isAnnounced`, and a second call cuts a first one short.
   * @returns whether this call is the one that ends the process
   */
  begin(isAnnounced: boolean): Promise<boolean>;
};

export function createLeave(noticeSeconds: number, log: Log): Leave {
  let isLeaving = false;
  const hurry = new AbortController();
  return {
    isLeaving: () => isLeaving,
    begin: async (isAnnounced) => {
      if (isLeaving) {
        hurry.abort();
        return false;
      }
      isLeaving = true;
      if (!isAnnounced || noticeSeconds === 0) return true;
      log.info({ seconds: noticeSeconds }, 'told to end: not ready any more, and serving what still comes');
      await sleep(noticeSeconds * 1000, undefined, { signal: hurry.signal }).catch(() => undefined);
      return true;
    },
  };
}
