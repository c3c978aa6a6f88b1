// Finds the receiver of the goods: puts together the list of games, the address, the storage and the player's
// characters.
import { useEffect, useState } from 'react';
import type { RoleItem } from '#contracts/games.ts';
import { useIsGameLost } from '#web/platform/lost-game.ts';
import { track } from '#web/platform/visitor/track.ts';
import { loadGameInfo, rememberRole } from './memory.ts';
import { useAllRoles, useGames, usePageConfig } from './queries.ts';
import type { ReceiverState } from './ReceiverCard.tsx';
import { chooseGame, chooseRole, type GameChoice, isOtherClient, type RoleDecision, type RoleRef } from './rules.ts';

/** The address may name these: client_id, server_id, role_id, area_id. */
export type Wanted = { client_id?: string | undefined } & { [Key in keyof RoleRef]?: string | undefined };

export type Receiver = {
  game: GameChoice | null;
  /** The game that was asked for is not this brand's, or is no longer: the player has to choose one. */
  isGameMissing: boolean;
  /** Null while nothing is chosen. */
  role: RoleItem | null;
  state: ReceiverState;
  isAreaRole: boolean;
  /** Takes a character and remembers it for this game. */
  choose: (role: RoleItem) => void;
  retry: () => void;
};

export function refOf(role: RoleItem): RoleRef {
  return { role_id: role.value, server_id: role.server_id, area_id: role.area_id };
}

export function useReceiver(region: string, wanted: Wanted, isLoggedIn: boolean): Receiver {
  const games = useGames(region);
  const isLost = useIsGameLost();
  const game = isLost ? null : chooseGame(games.data?.list ?? [], wanted.client_id, loadGameInfo().client_id);
  const clientId = game?.client_id ?? '';
  const config = usePageConfig(clientId, region);
  const roles = useAllRoles(clientId, isLoggedIn);
  const [picked, setPicked] = useState<{ clientId: string; role: RoleItem } | null>(null);

  // A choice made here counts for its own game only. @source specification section 4: "Changing
  // game resets role and server"
  const own = picked && !isOtherClient(picked.clientId, clientId) ? picked.role : null;
  const decision = decide(own, roles.data?.list, wanted, clientId);
  const role = decision?.kind === 'chosen' ? decision.role : null;
  useEffect(() => {
    if (role && clientId) rememberRole(clientId, refOf(role));
  }, [role, clientId]);

  return {
    game,
    isGameMissing: game === null && games.data !== undefined,
    role: isLoggedIn ? role : null,
    state: stateOf(decision, isLoggedIn, { isPending: games.isPending || roles.isPending, isFailed: roles.isError }),
    isAreaRole: config.data?.area_config.is_area_role ?? false,
    choose: (next) => {
      track('role_choose', { client_id: clientId, server_id: next.server_id });
      setPicked({ clientId, role: next });
    },
    retry: () => void roles.refetch(),
  };
}

function decide(
  own: RoleItem | null,
  roles: readonly RoleItem[] | undefined,
  { role_id = '', server_id = '', area_id = '' }: Wanted,
  clientId: string,
): RoleDecision | null {
  if (own) return { kind: 'chosen', role: own };
  if (!roles) return null;
  return chooseRole(roles, { role_id, server_id, area_id }, loadGameInfo().roles[clientId] ?? null);
}

function stateOf(
  decision: RoleDecision | null,
  isLoggedIn: boolean,
  { isPending, isFailed }: { isPending: boolean; isFailed: boolean },
): ReceiverState {
  if (!isLoggedIn) return 'anonymous';
  if (decision) return decision.kind;
  if (isFailed) return 'failed';
  return isPending ? 'loading' : 'choose';
}
