// The ways into an account on My: what is linked, and taking a link away.
import Type from 'typebox';
import { NoContent, Text, params } from './envelope.ts';
import { LoginKind } from './logins.ts';
import { route } from './route.ts';

/**
 * One way into the account beside the password. `linkedAt` in epoch milliseconds. `isFounding`: the user id in the game
 * was made of it, so it stays.
 */
const LinkedIdentity = Type.Object({ kind: LoginKind, linkedAt: Type.Integer(), isFounding: Type.Boolean() });

/** Linking is `loginRoutes.start` with purpose "link". */
export const identityRoutes = {
  list: route({
    path: '/util/login/identities',
    kind: 'read',
    summary: 'The identities linked to this account, and those that may be added',
    access: 'player',
    isAtBackupHost: false,
    input: params({ client_id: Type.Optional(Text(32)) }),
    output: Type.Object({
      linked: Type.Array(LinkedIdentity),
      /** Kinds this brand offers that are not linked yet. */
      free: Type.Array(LoginKind),
      /** False: it is the only way in, so it stays. */
      canUnlink: Type.Boolean(),
      /** False: the login is more than half an hour old, linking and unlinking ask for a new one first. */
      isFresh: Type.Boolean(),
      /**
       * True where `accountRoutes.changePassword` has something to change: the shop keeps the password,
       * and this session may change it.
       */
      canChangePassword: Type.Boolean(),
    }),
  }),
  unlink: route({
    path: '/util/login/unlink',
    kind: 'post',
    summary: 'Take a linked identity away; refused for the only way in, the founding one, and without a fresh login',
    access: 'player',
    input: params({ kind: LoginKind, client_id: Type.Optional(Text(32)) }),
    output: NoContent,
  }),
};
