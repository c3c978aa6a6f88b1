// Asks what may be bought again for the chosen character, and shows it.
import type { Goods } from '#contracts/catalogue.ts';
import type { Returning } from '#contracts/orders.ts';
import { useLimits } from '../queries.ts';
import { AgainRow } from './AgainRow.tsx';
import { suggestAgain } from './rules.ts';

export type AgainProps = {
  before: Returning;
  clientId: string;
  role: { role_id: string; server_id: string; area_id: string } | null;
  goods: readonly Goods[];
  onPay: (goods: Goods) => void;
};

export function Again({ before, clientId, role, goods, onPay }: AgainProps) {
  const limits = useLimits(clientId, role);
  const suggestions = suggestAgain(before, goods, limits.data?.list ?? []);
  if (suggestions.length === 0) return null;
  return <AgainRow suggestions={suggestions} method={before.channel_name} onPay={onPay} />;
}
