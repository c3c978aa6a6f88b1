// Signatures: asked by `servers`, which changes nothing.
import { type Case, type CheckedGame, demandOk, demandStatus } from './case.ts';
import type { Changes } from './call.ts';

/** A right secret of somebody else. */
const ANOTHER_SECRET = 'whsec_bm90LXRoZS1zZWNyZXQtb2YtdGhpcy1nYW1lIQ==';

const servers = (game: CheckedGame, changes: Changes = {}) =>
  game.call('servers', { client_id: game.subject.clientId }, changes);

const accepted = (name: string, about: string, changes: (game: CheckedGame) => Changes): Case => ({
  name,
  about,
  section: 'Signature',
  run: async (game) => void demandOk('servers', await servers(game, changes(game))),
});

const refused = (name: string, about: string, changes: (game: CheckedGame) => Changes): Case => ({
  name,
  about,
  section: 'Signature',
  run: async (game) => demandStatus(await servers(game, changes(game)), 401),
});

const spaced = (game: CheckedGame): string => `{ "client_id" :\n "${game.subject.clientId}" }`;

export const SIGNATURE_CASES: readonly Case[] = [
  accepted('signature-right', 'a call with a right signature is answered', () => ({})),
  refused('signature-secret', 'a signature by another secret is 401', () => ({ secret: ANOTHER_SECRET })),
  refused('signature-missing', 'a call without webhook-signature is 401', () => ({ without: 'webhook-signature' })),
  refused('signature-empty', 'an empty webhook-signature is 401', () => ({ signature: () => '' })),
  refused('signature-id-missing', 'a call without webhook-id is 401', () => ({ without: 'webhook-id' })),
  refused('signature-time-missing', 'a call without webhook-timestamp is 401', () => ({
    without: 'webhook-timestamp',
  })),
  refused('signature-old', 'a timestamp six minutes old is 401', () => ({ secondsOff: -360 })),
  refused('signature-future', 'a timestamp six minutes ahead is 401', () => ({ secondsOff: 360 })),
  accepted('signature-four-minutes', 'a timestamp four minutes old is good', () => ({ secondsOff: -240 })),
  refused('signature-byte', 'a body of which one byte was changed after signing is 401', (game) => ({
    sent: JSON.stringify({ client_id: game.subject.clientId, x: 1 }),
  })),
  refused('signature-other-id', 'a signature made for another webhook-id is 401', () => ({ signedId: 'msg_other' })),
  accepted('signature-second', 'of two signatures the second may be the right one', () => ({
    signature: (right) => `v1,${Buffer.alloc(32).toString('base64')} ${right}`,
  })),
  refused('signature-prefix', 'a signature under another prefix than v1 does not count', () => ({
    signature: (right) => right.replace('v1,', 'v2,'),
  })),
  accepted('signature-prefix-ignored', 'an entry of another prefix before the right one is ignored', () => ({
    signature: (right) => `v1a,${Buffer.alloc(64).toString('base64')} ${right}`,
  })),
  accepted('signature-raw-bytes', 'the signature is over the raw bytes, spaces and line breaks too', (game) => ({
    text: spaced(game),
  })),
];
