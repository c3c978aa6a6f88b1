// Words a failure for a place that shows it by itself: the server's words where it refused, else the advice about the
// line. @source specification section 8; docs/decisions/0068-who-tells-a-failed-read.md
import { t } from '#web/platform/i18n.ts';
import { CallError } from './query.ts';

/**
 * @param error of a query
 * @param fallback in place of "check your connection", where the place knows better
 */
export function tellFault(error: unknown, fallback: string = t('goods.error_text')): string {
  const isAnswered = error instanceof CallError && error.outcome.kind === 'code';
  return (isAnswered && error.outcome.kind === 'code' && error.outcome.msg) || fallback;
}
