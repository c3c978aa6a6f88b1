// The real-name check that some brands ask for before a payment (decision 40).
import Type, { type Static } from 'typebox';
import { ClientId, params } from './envelope.ts';
import { route } from './route.ts';

/**
 * notNeeded: the brand asks for no check. unfinished: begun or not begun, and not decided. A player who was refused may
 * try again.
 */
const RealNameState = Type.Enum(['notNeeded', 'verified', 'refused', 'unfinished']);
export type RealNameState = Static<typeof RealNameState>;

export const realNameRoutes = {
  /** @source specification section 7, "/api/rsys/evoke" */
  evoke: route({
    path: '/api/rsys/evoke',
    kind: 'change',
    summary:
      'Begin the real-name check: `url` is where the player confirms who they are, empty when nothing is left to do',
    access: 'player',
    input: params({ client_id: ClientId }),
    output: Type.Object({ state: RealNameState, url: Type.String() }),
  }),
  state: route({
    path: '/api/rsys/state',
    kind: 'read',
    summary: 'What came of the real-name check; whoever checks is asked, unless it is decided',
    access: 'player',
    input: params({ client_id: ClientId }),
    output: Type.Object({ state: RealNameState }),
  }),
};
