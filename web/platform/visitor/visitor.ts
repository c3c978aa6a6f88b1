// Identifies the visitor as far as a shop may count: a random id of the browser, the visit it is on, and its first
// origin. Nothing of a person. A brand that asks for consent keeps these in memory until it is given.
import { MINUTE_MS } from '#kernel/time.ts';
import { parseQuery } from '#web/paths.ts';
import { newKey } from '../calls/api.ts';
import { readBoot } from '../boot.ts';
import { clear, load, loadText, save } from './storage.ts';

export type Visit = {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
};

type KeptVisit = Visit & { readonly seenAt: number };

/** Our choice, and that of the common analytics tools: half an hour without a sign ends a visit. */
const VISIT_GAP_MS = 30 * MINUTE_MS;

/** As many characters as the pay call takes. */
const LONGEST_SOURCE = 200;

const UTM_KEYS = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content'] as const;

/** For a page that may keep nothing yet. */
let unkept: { uuid: string; visit: KeptVisit | null; source: string } = { uuid: '', visit: null, source: '' };

/** Values of an earlier visit are there by a consent of then. */
const mayKeep = () => !readBoot().brand.needsTrackingConsent || loadText('uuid') !== '';

/** Random id of this browser, made when it is first asked for. */
export function visitorId(): string {
  const kept = loadText('uuid');
  if (kept !== '') return kept;
  unkept.uuid ||= newKey();
  if (mayKeep()) save('uuid', unkept.uuid);
  return unkept.uuid;
}

/** The visit this moment belongs to; asking is a sign of life. */
export function visit(now: number = Date.now()): Visit {
  const last = readVisit(load('trackTimestamp')) ?? unkept.visit;
  const isOn = last !== null && now >= last.seenAt && now - last.seenAt < VISIT_GAP_MS;
  const next: KeptVisit = isOn ? { ...last, seenAt: now } : { id: newKey(), startedAt: now, seenAt: now };
  unkept.visit = next;
  if (mayKeep()) save('trackTimestamp', next);
  return { id: next.id, startedAt: next.startedAt };
}

/**
 * Returns the first origin of this browser, "source/medium/campaign/content" with "-" for a gap; empty when no address
 * ever said.
 * @source specification section 2: utm_source, utm_medium, utm_campaign, utm_content
 */
export function trafficSource(search: string = location.search): string {
  const kept = loadText('trafficSource') || unkept.source;
  if (kept !== '') return kept;
  unkept.source = readSource(search);
  if (unkept.source !== '' && mayKeep()) save('trafficSource', unkept.source);
  return unkept.source;
}

/** Consent was given: what this page holds is kept from here on. */
export function keepVisitor(): void {
  save('uuid', visitorId());
  visit();
  const source = trafficSource();
  if (source !== '') save('trafficSource', source);
}

/** Consent was refused or taken back: nothing stays, and the next question makes new values. */
export function eraseVisitor(): void {
  clear('uuid');
  clear('trackTimestamp');
  clear('trafficSource');
  unkept = { uuid: '', visit: null, source: '' };
}

function readSource(search: string): string {
  const query = parseQuery(search);
  const parts = UTM_KEYS.map((key) => (query[key] ?? '').trim().replaceAll('/', '_'));
  while (parts.at(-1) === '') parts.pop();
  return parts
    .map((part) => part || '-')
    .join('/')
    .slice(0, LONGEST_SOURCE);
}

function readVisit(value: unknown): KeptVisit | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, startedAt, seenAt } = value as Partial<Record<keyof KeptVisit, unknown>>;
  const isOurs = typeof id === 'string' && /^[0-9a-f]{32}$/.test(id);
  return isOurs && typeof startedAt === 'number' && typeof seenAt === 'number' ? { id, startedAt, seenAt } : null;
}
