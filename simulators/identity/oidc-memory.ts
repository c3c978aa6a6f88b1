// Keeps the sessions and codes of an OpenID simulator in memory: a restart loses nothing that matters.

type Stored = { payload: Record<string, unknown>; until: number };

/** One store for all kinds of entry of one provider, in the shape that oidc-provider asks for. */
export function createMemoryAdapter() {
  const entries = new Map<string, Stored>();
  return (kind: string) => {
    const find = (wanted: (payload: Record<string, unknown>) => boolean) => {
      for (const [key, { payload, until }] of entries) {
        if (until < Date.now()) entries.delete(key);
        else if (key.startsWith(`${kind}:`) && wanted(payload)) return payload;
      }
      return undefined;
    };
    return {
      async upsert(id: string, payload: Record<string, unknown>, expiresIn: number) {
        entries.set(`${kind}:${id}`, { payload, until: Date.now() + expiresIn * 1000 });
      },
      async find(id: string) {
        const found = entries.get(`${kind}:${id}`);
        return found && found.until > Date.now() ? found.payload : undefined;
      },
      findByUid: async (uid: string) => find((payload) => payload['uid'] === uid),
      findByUserCode: async (code: string) => find((payload) => payload['userCode'] === code),
      async destroy(id: string) {
        entries.delete(`${kind}:${id}`);
      },
      async consume(id: string) {
        const found = entries.get(`${kind}:${id}`);
        if (found) found.payload['consumed'] = Math.floor(Date.now() / 1000);
      },
      async revokeByGrantId(grantId: string) {
        for (const [key, { payload }] of entries) if (payload['grantId'] === grantId) entries.delete(key);
      },
    };
  };
}
