import { t } from '#web/platform/i18n.ts';
import type { OpenOffer } from './queries.ts';

/** The words of the offer, or that it is this player's own. */
export function nameOf({ name, kind }: Pick<OpenOffer, 'name' | 'kind'>): string {
  return name || t(kind === 'personal' ? 'offer.personal' : 'offer.title');
}
