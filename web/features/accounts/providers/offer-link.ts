// Explains that a login cannot work in this browser, and lets the player take the shop's address along to one where it
// can.
import { copyText } from '#web/platform/copy/copy-text.ts';
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { currentRegion } from '#web/platform/region.ts';

/**
 * The shop's address with the two keys that choose the goods, and nothing else: never a token or an id of the device.
 * @source specification section 8: "'copy' copies the site link with domain_area and client_id"
 */
export function siteLink(origin: string, region: string, clientId: string): string {
  const link = new URL('/', origin);
  if (region) link.searchParams.set('domain_area', region);
  if (clientId) link.searchParams.set('client_id', clientId);
  return link.href;
}

/** @source specification section 8: "a confirm 'tips' / 'tip_login_env_error' with buttons 'cancel' and 'copy'" */
export async function offerLink(clientId: string): Promise<void> {
  const isWanted = await confirm({
    title: t('login.tips'),
    text: t('login.tip_login_env_error'),
    cancel: t('account.cancel'),
    confirm: t('login.copy'),
  });
  if (isWanted) await copySiteLink(clientId);
}

export function copySiteLink(clientId: string): Promise<void> {
  const link = siteLink(location.origin, currentRegion() ?? '', clientId);
  return copyText(link, { copied: t('login.copied'), title: t('login.copy') });
}
