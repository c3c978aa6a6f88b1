// What the pictures need to know of the shipped brands.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { TestPlayers } from '#testing/players.ts';
import { projectRoot } from '#scripts/run-tool.ts';

type Currency = Parameters<TestPlayers['issueCard']>[0];

export type ShotBrand = {
  readonly key: string;
  readonly isClassic: boolean;
  readonly currency: Currency;
  /** Its own first. */
  readonly languages: readonly string[];
  readonly notices: readonly string[];
  readonly asksConsent: boolean;
  readonly asksRealName: boolean;
};

export function readBrands(): ShotBrand[] {
  const folder = join(projectRoot, 'brands');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const file = parse(readFileSync(join(folder, name, 'brand.yaml'), 'utf8')) as {
        version: string;
        currency: Currency;
        languages: string[];
        notices?: string[];
        needsTrackingConsent: boolean;
        realName?: string;
      };
      const { currency, languages, notices = [], needsTrackingConsent: asksConsent } = file;
      const isClassic = file.version === 'classic';
      return { key: name, isClassic, currency, languages, notices, asksConsent, asksRealName: 'realName' in file };
    });
}
