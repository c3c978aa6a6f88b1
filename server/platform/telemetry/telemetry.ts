// Which request or job is being worked on, and its spans. The number is always known, so that every line of the log
// can carry it; spans are made only when a tracer is put in, and nothing of OpenTelemetry is loaded before
// (opentelemetry.ts).
import { AsyncLocalStorage } from 'node:async_hooks';
import { newRequestId } from './request-id.ts';

export type Attributes = Readonly<Record<string, string | number>>;

/** `Span` is the tracer's own. */
export type Tracer = {
  /** @param start.parent null: the first of a trace, whose number is `start.id` */
  begin(start: {
    name: string;
    kind: 'server' | 'client' | 'internal';
    id: string;
    parent: unknown;
    attributes: Attributes;
  }): unknown;
  end(span: unknown, attributes: Attributes, error: unknown): void;
};

export type Work = { readonly id: string; readonly span: unknown };

const current = new AsyncLocalStorage<Work>();
let tracer: Tracer | null = null;

/** For a start, and for tests; null: none. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Null outside of a request and of a traced job. */
export function currentRequestId(): string | null {
  return current.getStore()?.id ?? null;
}

export function beginRequest(id: string, name: string): Work {
  return { id, span: tracer?.begin({ name, kind: 'server', id, parent: null, attributes: {} }) ?? null };
}

export function runInside(work: Work, run: () => void): void {
  current.run(work, run);
}

export function endRequest({ span }: Work, attributes: Attributes, error: unknown): void {
  if (span !== null) tracer?.end(span, attributes, error);
}

/** A part of a request or job that is worth a line of its own; a job by itself where there is no request. */
export function traced<Result>(
  name: string,
  kind: 'client' | 'internal',
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work();
  const by = tracer;
  const around = current.getStore();
  const id = around?.id ?? newRequestId();
  const span = by.begin({ name, kind, id, parent: around?.span ?? null, attributes });
  return current.run({ id, span }, async () => {
    try {
      const result = await work();
      by.end(span, {}, null);
      return result;
    } catch (error) {
      by.end(span, {}, error);
      throw error;
    }
  });
}

/** The same for what is nothing by itself: loops that look for work ask the database twice a second. */
export function tracedInside<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer && current.getStore() ? traced(name, 'client', attributes, work) : work();
}
