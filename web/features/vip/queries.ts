// Asks the server for the VIP centre: the programme, the player in it, their coupons, and one to claim.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { couponRoutes } from '#contracts/coupons.ts';
import { vipRoutes } from '#contracts/vip.ts';
import { change } from '#web/platform/calls/change.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { read } from '#web/platform/calls/query.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { currentRegion } from '#web/platform/region.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { showToast } from '#web/platform/toast.ts';

export function useProgramme() {
  const language = useLanguage();
  const region = currentRegion() ?? '';
  return useQuery({
    queryKey: ['vip-programme', language, region],
    queryFn: ({ signal }) => read(vipRoutes.basicInfo, region === '' ? {} : { domain_area: region }, signal),
    meta: { isQuiet: true },
  });
}

/** Nobody's while nobody is logged in. */
export function useVipInfo() {
  const language = useLanguage();
  const user = useUser();
  return useQuery({
    queryKey: ['vip', user?.suid ?? '', language],
    queryFn: ({ signal }) => read(vipRoutes.info, {}, signal),
    enabled: user !== null,
    meta: { isQuiet: true },
  });
}

export function useMyCoupons() {
  const language = useLanguage();
  const user = useUser();
  return useQuery({
    queryKey: ['coupons', user?.suid ?? '', language, 'vip'],
    queryFn: ({ signal }) => read(couponRoutes.couponList, { use_category: 'claim,avail,lock,history' }, signal),
    enabled: user !== null,
    select: ({ list }) => list,
    meta: { isQuiet: true },
  });
}

/** Claims one, says so, and reads points, levels and lists again. */
export function useClaim() {
  const queries = useQueryClient();
  return async (code: string, name: string): Promise<void> => {
    const outcome = await change(couponRoutes.receiveCoupons, { code });
    if (outcome.kind === 'ok') showToast(t('vip.received', { name }), 'ok');
    else react(outcome);
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['vip'] }),
      queries.invalidateQueries({ queryKey: ['coupons'] }),
    ]);
  };
}
