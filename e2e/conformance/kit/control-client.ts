// The control calls of one simulator, over HTTP. See simulators/README.md.

export type ControlClient = ReturnType<typeof createControlClient>;

export type Answered = { readonly status: number; readonly body: unknown };

type ControlState = {
  readonly payments: readonly unknown[];
  readonly faults: readonly { on: string; fault: string }[];
  readonly pendingCallbacks: readonly { reference: string }[];
};

/** @param base `http://localhost:<port>` of the simulators */
export function createControlClient(base: string, name: string) {
  const url = `${base}/control/${name}`;
  const post = async (verb: string, body: unknown): Promise<Answered> => {
    const answer = await fetch(`${url}/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const look = async (query = ''): Promise<ControlState> =>
    (await (await fetch(`${url}${query}`)).json()) as ControlState;
  return {
    look,
    pay: (reference: string, choice: { note?: string; decision?: 'pay' | 'later' | 'decline' } = {}) =>
      post('pay', { reference, ...choice }),
    settle: (reference: string) => post('settle', { reference }),
    chargeback: (reference: string) => post('chargeback', { reference }),
    /** A part goes back, by the provider's back office. */
    refund: (reference: string, amountMinor: number) => post('refund', { reference, amountMinor }),
    emit: (reference: string, kind: string) => post('emit', { reference, kind }),
    repeat: (reference: string, times: number) => post('repeat', { reference, times }),
    /** Payments that the provider knows under a reference of ours. */
    async countPayments(reference: string): Promise<number> {
      const { payments } = await look('?limit=10000');
      return payments.filter((one) => JSON.stringify(one).includes(`"${reference}"`)).length;
    },
    /** Resolves to true while the provider waits for our acknowledgement of anything about the payment. */
    async isWaiting(reference: string): Promise<boolean> {
      const { pendingCallbacks } = await look('?limit=10000');
      return pendingCallbacks.some((one) => one.reference === reference);
    },
    /**
     * Runs `act` while the next call of a kind is spoiled. Throws when nothing was spoiled: then
     * the case would prove nothing.
     */
    async spoil<T>(on: string, fault: string, act: () => Promise<T>, times = 1): Promise<T> {
      await post('faults', { on, fault, times });
      try {
        const result = await act();
        const { faults } = await look('?limit=0');
        if (faults.length >= times) throw new Error(`the simulator of ${name} spoils no call of the kind "${on}"`);
        return result;
      } finally {
        await fetch(`${url}/faults`, { method: 'DELETE' });
      }
    },
  };
}
