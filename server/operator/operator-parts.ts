// Lists the parts of the operator's port.
import type { Composed } from '#server/compose.ts';
import { healthPart } from '#server/health.ts';
import { adminPart } from './admin/admin-part.ts';
import { metricsPart } from './metrics-part.ts';
import type { OperatorPart } from './operator-server.ts';

export function operatorParts(shop: Composed & { isLeaving?: () => boolean }): OperatorPart[] {
  return [healthPart(shop), metricsPart(shop), adminPart(shop)];
}
