// Login links that a game's server asked for, as a page of ours exchanges them. How the server asks:
// docs/game-server-contract.md.
import Type, { type Static } from 'typebox';
import { UserInfo } from './accounts.ts';
import { Text, params } from './envelope.ts';
import { route } from './route.ts';

/** A session for a page in a frame: it travels as a Bearer token, and no cookie takes part. */
export const FrameSession = Type.Object({
  user: UserInfo,
  /** The secret itself. The page keeps it in memory alone. */
  token: Type.String(),
});
export type FrameSession = Static<typeof FrameSession>;

export const linkRoutes = {
  /** @source specification section 6: "The SDK view takes its token from the URL" */
  enterFrame: route({
    path: '/util/login/frame_auth',
    kind: 'post',
    summary: "Exchanges what a game's page handed the view in its frame, a ticket or an oauth_token, for a session",
    access: 'anyone',
    hasOwnToken: true,
    input: params({ ticket: Type.Optional(Text(64)), client_id: Type.Optional(Text(32)) }),
    output: FrameSession,
  }),
  enterCode: route({
    path: '/util/login/code_auth',
    kind: 'post',
    summary: 'Takes the code that a game shows, once. Nobody is logged in by it: the player is asked on the page named',
    access: 'anyone',
    input: params({ code: Type.String({ minLength: 1, maxLength: 40 }) }),
    output: Type.Object({
      /** Path of ours to go on to. */
      to: Type.String(),
    }),
  }),
};
