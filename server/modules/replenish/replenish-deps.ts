// Declares the dependencies of make-up payments.
import type { PlayerId } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Site } from '#server/platform/http/site.ts';
import type { Log } from '#server/platform/log.ts';
import type { Repeat } from '#server/platform/repeat.ts';

export type ReplenishDeps = {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  games: Pick<GamesService, 'listGames'>;
  gameSecrets: (gameId: string) => readonly string[];
  playerOfGame: (site: Site, gameId: string, named: { user_id: string; username: string }) => Promise<PlayerId | null>;
  now: () => number;
  repeat?: Repeat;
};
