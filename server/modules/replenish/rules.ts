// Numbers of make-up payments, and how a name is masked. Pure.
import { DAY_SECONDS } from '#kernel/time.ts';

/** @source specification section 9, "Replenish unblock wait: 15 minutes" */
export const PROMISE_SECONDS = 15 * 60;
/** @source docs/decisions/0039: the target is a minute, a third of the promise is late */
export const ALARM_SECONDS = 5 * 60;

/** Our choice: a link in a message of customer service is read within three days. */
export const USUAL_VALID_SECONDS = 3 * DAY_SECONDS;

/** Our choice, characters: no game's names are as long. */
const LONGEST_NAME = 200;

/**
 * A name that its owner knows again and nobody else learns: first and last letter of five and more, the first of
 * shorter ones. The number of dots says nothing about its length.
 */
export function maskName(name: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(name.slice(0, LONGEST_NAME)), ({ segment }) => segment);
  const first = letters[0] ?? '';
  return letters.length >= 5 ? `${first}•••${letters.at(-1) ?? ''}` : `${first}•••`;
}
