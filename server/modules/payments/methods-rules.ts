// Folds channels into methods: what a player chooses once, by which routes it may be paid, and in
// what order methods stand. Pure.
import type { Country } from '#kernel/regions.ts';
import type { Channel, Method, SubChannel } from '#server/modules/configuration/service.ts';
import type { ChannelView } from './rules.ts';

/**
 * One way from a method to a provider. `seconds`: what is to be chosen inside it before it
 * can be paid; empty for nothing.
 */
export type Route = {
  readonly channel: Channel;
  readonly sub: SubChannel | null;
  readonly seconds: readonly SubChannel[];
};

export type MethodView = {
  readonly method: Method;
  /** In the operator's order; at least one. */
  readonly routes: readonly [Route, ...Route[]];
};

/** A player's last payment: the method, and the key of the channel or sub-channel. */
export type LastPaid = { readonly method: string; readonly channelKey: string };

/** `last`: what the player paid with before; `country`: usual where the player is; `more`: all others. */
export type MethodGroup = 'last' | 'country' | 'more';

export const keyOfRoute = ({ channel, sub }: Pick<Route, 'channel' | 'sub'>): string => sub?.key ?? channel.key;

/** The key of the method of a channel, or of a sub-channel inside it. */
export function methodKeyOf(channel: Channel, sub: SubChannel | null): string {
  return sub?.method ?? channel.method ?? channel.file.id;
}

/**
 * The routes of one listed channel. Sub-channels with a method of their own are routes of that; what
 * is left is the second choice of the channel, and a channel without sub-channels is paid by itself.
 */
function routesOf({ channel, subs }: ChannelView): Route[] {
  const seconds = subs.filter((sub) => sub.method === null);
  const own = subs.filter((sub) => sub.method !== null).map((sub): Route => ({ channel, sub, seconds: [] }));
  const isPayable = channel.method !== null && (subs.length === 0 || seconds.length > 0);
  return [...own.toSorted(bySort), ...(isPayable ? [{ channel, sub: null, seconds }] : [])];
}

function bySort(a: Route, b: Route): number {
  return (a.sub?.file.sort ?? 0) - (b.sub?.file.sort ?? 0);
}

/**
 * Every method that one of the listed channels leads from, once, in the operator's order.
 * @param views of the visitor's country and of everywhere, as `visibleChannels` lists them
 */
export function foldMethods(views: readonly ChannelView[], methods: ReadonlyMap<string, Method>): MethodView[] {
  const routes = views.toSorted((a, b) => a.channel.file.sort - b.channel.file.sort).flatMap(routesOf);
  const byMethod = Map.groupBy(routes, ({ channel, sub }) => methodKeyOf(channel, sub));
  return [...byMethod].flatMap(([key, [first, ...others]]): MethodView[] => {
    const method = methods.get(key);
    return method && first ? [{ method, routes: [first, ...others] }] : [];
  });
}

/**
 * Puts the player's last method first, then those of the country, then the rest; inside a
 * group the operator's order stays.
 * @param country the visitor's own, ISO 3166 alpha-2
 */
export function groupMethods(
  views: readonly MethodView[],
  country: Country,
  last: LastPaid | null,
): { group: MethodGroup; view: MethodView }[] {
  const groupOf = ({ method }: MethodView): MethodGroup => {
    if (method.key === last?.method) return 'last';
    const { countries } = method;
    return countries?.includes('GLOBAL') || countries?.includes(country) ? 'country' : 'more';
  };
  const order: readonly MethodGroup[] = ['last', 'country', 'more'];
  return views
    .map((view) => ({ group: groupOf(view), view }))
    .toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

/**
 * The route that is fixed before price and coupon are asked: the first whose provider answers; null while none does.
 * @param answers whether calls to a provider get through at present
 */
export function fixRoute({ routes }: MethodView, answers: (provider: string) => boolean): Route | null {
  return routes.find(({ channel }) => answers(channel.file.provider)) ?? null;
}
