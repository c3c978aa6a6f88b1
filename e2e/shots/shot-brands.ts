// Lists the shipped brands with the facts that the pictures need.
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
  /** Of the first of its games that lets players in by a code: the sample game plays it. */
  readonly clientOfCodes: string;
};

type GameOfFile = { clients: { web: string }; subGames?: { clientId: string }[]; hasEntryCodes?: boolean };

const readYaml = (...path: string[]): unknown => parse(readFileSync(join(projectRoot, ...path), 'utf8'));

function findClientOfCodes(games: readonly string[]): string {
  const files = games.map((id) => readYaml('games', id, 'game.yaml') as GameOfFile);
  const game = files.find(({ hasEntryCodes }) => hasEntryCodes === true);
  return game ? (game.subGames?.[0]?.clientId ?? game.clients.web) : '';
}

export function readBrands(): ShotBrand[] {
  const folder = join(projectRoot, 'brands');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const file = readYaml('brands', name, 'brand.yaml') as {
        version: string;
        currency: Currency;
        languages: string[];
        games: string[];
        notices?: string[];
        needsTrackingConsent: boolean;
        realName?: string;
      };
      const { currency, languages, notices = [], needsTrackingConsent: asksConsent } = file;
      const isClassic = file.version === 'classic';
      return {
        key: name,
        isClassic,
        currency,
        languages,
        notices,
        asksConsent,
        asksRealName: 'realName' in file,
        clientOfCodes: findClientOfCodes(file.games),
      };
    });
}
