// Reads from the server through TanStack Query: three more tries, four seconds apart, then
// the backup hosts, then a word.
import { QueryCache, QueryClient } from '@tanstack/react-query';
import type { InputOf, OutputOf, Route } from '#contracts/route.ts';
import { call, type Outcome } from './api.ts';
import { goToNextHost } from './hosts.ts';
import { react, reportNetwork, showError, stepsFor } from './reactions.ts';

/** @source specification section 9: "retries 3, delay 4 s" */
export const RETRIES = 3;
export const RETRY_DELAY_MS = 4000;

/** An outcome that is no success, thrown because Query knows failure by exceptions only. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>;

  constructor(outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>) {
    super(outcome.kind === 'network' ? 'no answer' : `code ${outcome.code}`);
    this.outcome = outcome;
  }
}

/**
 * The body of a query: `queryFn: ({ signal }) => read(gameRoutes.servers, { client_id }, signal)`.
 * @returns the content of the answer; throws CallError, which Query keeps as `error`
 */
export async function read<R extends Route>(route: R, input: InputOf<R>, signal?: AbortSignal): Promise<OutputOf<R>> {
  const outcome = await call(route, input, { signal });
  if (outcome.kind === 'ok') return outcome.content;
  throw new CallError(outcome);
}

/**
 * Returns true when a read is tried again. An answer, even a bad one, is not asked for twice. `failures` counts from 0.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof CallError) || error.outcome.kind !== 'network') return false;
  return failures % (RETRIES + 1) < RETRIES || goToNextHost();
}

/**
 * The client of the page. A query whose place tells its failure, with `tellFault`, says so: `meta: { isQuiet: true }`
 * keeps the toast away; what the table does beyond a toast (login, region, real name) happens all the same. One that
 * is asked again by itself says `meta: { isPolled: true }`: while there is an older answer no toast comes. One that
 * there is no page without says `meta: { isEssential: true }`: without an answer the page that explains comes in its
 * place.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof CallError)) return;
        const isPlain = !needsSteps(error.outcome);
        const isOld = query.meta?.isPolled === true && query.state.data !== undefined;
        if ((query.meta?.isQuiet === true || isOld) && isPlain) {
          if (error.outcome.kind === 'network') reportNetwork(error.outcome);
          return;
        }
        if (query.meta?.isEssential === true && isPlain && query.state.data === undefined) {
          if (error.outcome.kind === 'network') reportNetwork(error.outcome);
          return showError(error.outcome.kind === 'network' ? 'network' : 'query');
        }
        react(error.outcome);
      },
    }),
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        retryDelay: RETRY_DELAY_MS,
        // Embedded web views are wrong about being online; asking is the better test.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        // Our choice: what a page has just read is good for half a minute.
        staleTime: 30_000,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Returns true when the table has more in store than a message. */
function needsSteps(outcome: CallError['outcome']): boolean {
  return outcome.kind === 'code' && stepsFor(outcome.name).some((step) => step.do !== 'toast');
}
