// A game with a truth of its own: which keys it has handed goods over for. It honours the key, as the
// contract asks of games, and may answer wrongly about it: not at all, or 503 after the goods were given.
import type { GameServer, GrantOutcome } from '#server/modules/games/gameserver.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import type { Random } from './random.ts';
import type { ProcessInstance, Stepper } from './stepper.ts';

export type GameTrouble = {
  /** Nothing arrives. */ cut: number;
  /** The goods are given, the answer is 503 or cut. */ appliedButUnknown: number;
  /** The character is gone. */ declines: number;
  /** The character is gone between the question before payment and the goods. */ declinesGrants: number;
  isDown: boolean;
};

export const NO_GAME_TROUBLE: GameTrouble = {
  cut: 0,
  appliedButUnknown: 0,
  declines: 0,
  declinesGrants: 0,
  isDown: false,
};

export type SimGame = ReturnType<typeof createSimGame>;

export function createSimGame(deps: {
  stepper: Stepper;
  random: Random;
  trouble: () => GameTrouble;
  /** Hears of goods in the moment they are given for the first time. */
  onApplied: (billingNo: string) => void;
}) {
  const { stepper, random } = deps;
  /** How often goods were given for a key: at most once, or the game is broken. */
  const applied = new Map<string, number>();
  const revoked = new Set<string>();
  const declined = new Set<string>();

  async function call<Answer>(instance: ProcessInstance, verb: string, effect: () => Answer): Promise<Answer> {
    const { cut, isDown } = deps.trouble();
    const label = `game.${verb}`;
    const isCut = isDown || random.chance(cut);
    const answer = await stepper.step({ instance, kind: 'port', label, latencyMs: random.between(5, 200) }, async () =>
      isCut ? null : effect(),
    );
    await stepper.step(
      {
        instance,
        kind: 'port',
        label: `${label} answer`,
        latencyMs: isCut && random.chance(0.5) ? 10_000 : random.between(5, 200),
      },
      async () => undefined,
    );
    if (answer === null) throw new OutboundError('timeout', true, 'the game did not answer');
    return answer;
  }

  const grant = (billingNo: string): GrantOutcome => {
    if (applied.has(billingNo)) return { kind: 'done', receiptId: `R-${billingNo}` };
    if (declined.has(billingNo) || random.chance(Math.max(deps.trouble().declines, deps.trouble().declinesGrants))) {
      declined.add(billingNo);
      return { kind: 'declined', reason: 'role_not_found' };
    }
    applied.set(billingNo, (applied.get(billingNo) ?? 0) + 1);
    stepper.note(`the game gave the goods of ${billingNo}`);
    deps.onApplied(billingNo);
    const isInDoubt = random.chance(deps.trouble().appliedButUnknown);
    return isInDoubt ? { kind: 'unknown', reason: 'HTTP 503' } : { kind: 'done', receiptId: `R-${billingNo}` };
  };

  return {
    applied,
    revoked,
    /** The character is back: what was declined may be asked again. */
    forgive: () => declined.clear(),
    portOf: (instance: ProcessInstance): GameServer => ({
      authenticate: async () => ({ kind: 'wrong_credentials' }),
      listServers: async () => ({ areas: [], servers: [{ id: 's1', name: 'Altair', areaId: '', isOpen: true }] }),
      listRoles: async () => [{ id: 'r1', name: 'Kestrel_07', level: 42, serverId: 's1', areaId: '' }],
      checkGrant: () =>
        call(instance, 'checkGrant', () =>
          random.chance(deps.trouble().declines) ? { kind: 'declined', reason: 'role_not_found' } : { kind: 'ok' },
        ),
      grant: ({ billingNo }) => call(instance, 'grant', () => grant(billingNo)),
      unblock: async () => ({ kind: 'unknown', reason: 'not simulated' }),
      revoke: (billingNo) =>
        call(instance, 'revoke', (): GrantOutcome => {
          revoked.add(billingNo);
          return { kind: 'done', receiptId: `V-${billingNo}` };
        }),
    }),
  };
}
