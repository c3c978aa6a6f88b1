// Locates the local record of a process: apart for each environment and each database, for its entries are handed on to
// the database of whoever finds it.
import { join, resolve } from 'node:path';
import type { Config } from '#server/platform/config.ts';
import { locateData } from '#server/platform/settings/shop-folder.ts';

type Settings = Pick<Config, 'callbackRecordFolder' | 'dataFolder' | 'databaseUrl' | 'environment' | 'shopFolder'>;

/** Absolute. A database that is restored elsewhere under its name finds its record again. */
export function locateCallbackRecord(config: Settings): string {
  const { callbackRecordFolder: own, dataFolder, databaseUrl, environment, shopFolder } = config;
  const data = locateData({ REFILL_DATA: dataFolder, REFILL_SHOP: shopFolder });
  const [, database = ''] = /^[a-z]+:\/\/[^/]*\/([^?#]*)/.exec(databaseUrl) ?? [];
  const name = decodeURIComponent(database)
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 63);
  return join(own === '' ? join(data, 'callbacks') : resolve(own), `${environment}-${name || 'default'}`);
}

/** Records players erased here, for a backup that is brought back and still knows them. */
export const locateErasedRecord = (config: Settings): string => join(locateCallbackRecord(config), 'erased');
