// Pages of tests have no line: whatever they ask for without a server of canned answers (web/platform/test-page.tsx) is
// answered at once. A real call would come back after its test; and as nobody waits for a beacon, its failure would be
// an error of no test, which ends the whole run.
import type { Window } from 'happy-dom';

(globalThis as unknown as Window).happyDOM.settings.fetch.interceptor = {
  beforeAsyncRequest: async ({ window }) => new window.Response('', { status: 503 }),
};
