// A game protocol of a shop's own: a game that is spoken to by one JSON call with a bearer token, not by the contract.
// Copy it to modules/skald.ts of your shop, name it in modules.yaml, and write `protocol: skald` into the game's
// game.yaml.
import type { GameProtocol, OwnModule } from 'refill/ports';

const skald: GameProtocol = {
  name: 'skald',
  open({ baseUrl, outbound, secrets: [token] }) {
    /** Null: no clear answer; whatever was asked may have been done. Throws when the game cannot be reached. */
    async function ask(call: string, content: object): Promise<Record<string, unknown> | null> {
      const answer = await outbound(baseUrl, {
        method: 'POST',
        timeoutMs: 10_000,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ call, ...content }),
      });
      if (answer.status !== 200) return null;
      try {
        return JSON.parse(answer.text) as Record<string, unknown>;
      } catch {
        return null;
      }
    }
    const noAnswer = { kind: 'unknown', reason: 'no clear answer' } as const;
    /** `done` with the id of what was done, `no` with why not; everything else is asked again with the same key. */
    async function change(call: string, content: object) {
      const answer = await ask(call, content).catch(() => null);
      if (typeof answer?.['done'] === 'string') return { kind: 'done', receiptId: answer['done'] } as const;
      return typeof answer?.['no'] === 'string' ? ({ kind: 'declined', reason: answer['no'] } as const) : noAnswer;
    }
    return {
      async authenticate(_client, username, password) {
        const answer = await ask('login', { username, password }).catch(() => null);
        if (!answer) return noAnswer;
        return typeof answer['id'] === 'string'
          ? { kind: 'ok', userId: answer['id'], username }
          : { kind: 'wrong_credentials' };
      },
      listServers: async () => ({ areas: [], servers: [{ id: 'one', name: 'Skald', areaId: '', isOpen: true }] }),
      async listRoles({ userId }) {
        const answer = await ask('hero', { player: userId });
        if (!answer) throw new Error('the game gave no clear answer');
        if (typeof answer['hero'] !== 'string') return [];
        return [{ id: userId, name: answer['hero'], level: Number(answer['level'] ?? 1), serverId: 'one', areaId: '' }];
      },
      async checkGrant({ userId }, productId) {
        const answer = await ask('may', { player: userId, item: productId }).catch(() => null);
        if (!answer) return noAnswer;
        return typeof answer['no'] === 'string' ? { kind: 'declined', reason: answer['no'] } : { kind: 'ok' };
      },
      // The key is the same however often it comes: the game delivers once.
      grant: ({ billingNo, gifts, isSandbox, productId, userId }) =>
        change('give', { key: billingNo, player: userId, item: productId, gifts, test: isSandbox }),
      revoke: (billingNo) => change('take', { key: `${billingNo}-revoke`, given: billingNo }),
      unblock: ({ replenishId, userId }) => change('unblock', { key: replenishId, player: userId }),
    };
  },
};

export default { ports: 1, gameProtocols: [skald] } satisfies OwnModule;
