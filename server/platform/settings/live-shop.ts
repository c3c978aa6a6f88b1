// A live shop names its database and its folder; without them it would be the demonstration.
import type { Finding } from './finding.ts';
import type { Variables } from './setting.ts';
import { isProject, locateShop } from './shop-folder.ts';

/** Finds out that the folder of a live shop is missing, or is the program's own with its demonstration brands. */
export function findDemonstrationFolder(shopFolder: string): Finding[] {
  if (shopFolder === '')
    return [{ name: 'REFILL_SHOP', reason: 'is missing', remedy: 'name the folder of your shop, as --shop does' }];
  if (!isProject(locateShop({ REFILL_SHOP: shopFolder }))) return [];
  const reason = 'is the folder of the program, whose brands are a demonstration';
  return [{ name: 'REFILL_SHOP', reason, remedy: 'make a folder of your own shop by `refill new` and name it' }];
}

/** Finds the settings without which a command in live would work on the database or the brands of the demonstration. */
export function findUnsetForLive(variables: Variables): Finding[] {
  if (variables['REFILL_ENVIRONMENT'] !== 'live') return [];
  const hasDatabase = Boolean(variables['DATABASE_URL'] || variables['DATABASE_URL_FILE']);
  return [
    ...(hasDatabase
      ? []
      : [{ name: 'DATABASE_URL', reason: 'is missing', remedy: 'give one, e.g. postgres://user@host/refill' }]),
    ...findDemonstrationFolder(variables['REFILL_SHOP'] ?? ''),
  ];
}
