// Error reports: written here, sent when there is a line, opened for the player to add a word.
// Comes with the first failure.
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { LONGEST_NOTE, REFERENCE_ALPHABET, type Report, reportRoutes } from '#contracts/reports.ts';
import { call } from '#web/platform/calls/api.ts';
import { currentLanguage } from '#web/platform/i18n.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { CallError } from '#web/platform/calls/query.ts';

/** The failure: `path` of the call without its query, or of the script with its line. */
export type Fault = Pick<Report, 'kind' | 'path' | 'code' | 'request'>;

/** Our choice: the rest of a bad quarter of an hour says nothing new. */
const MAX_WAITING = 5;
/** Our choice: the same fault again within this time is the same fault. */
const SAME_MS = 300_000;
/** Our choice: when the line is back but our host is not. */
const AGAIN_MS = 30_000;

const ReportPopup = lazyPart(() => import('./ReportPopup.tsx').then((module) => module.ReportPopup));

let waiting: Report[] = [];
const sent = new Map<string, Report>();
let isSending = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reports a fault by itself, once in a while for the same one. @returns what a player can quote of it */
export function reportFault(fault: Fault): Report {
  const key = `${fault.kind} ${fault.path} ${fault.code}`;
  const known = sent.get(key);
  if (known && Date.now() - known.time < SAME_MS) return known;
  const report = writeReport(fault);
  sent.set(key, report);
  // A report of a report that did not arrive would go round for ever.
  if (fault.path !== reportRoutes.send.path) {
    waiting = [...waiting, report].slice(-MAX_WAITING);
    void sendWaiting();
  }
  return report;
}

/**
 * Shows what is known of a fault, with room for the player's words. Left out: nothing failed that the page knows of.
 */
export function openReport(fault?: Fault): void {
  const report = fault ? reportFault(fault) : writeReport({ kind: 'player', path: '', code: 0 });
  openPopup(ReportPopup, { report });
}

/** Sends a report with the player's words. False: it could not be sent, and is not tried again behind their back. */
export async function sendNote(report: Report, note: string): Promise<boolean> {
  const outcome = await call(reportRoutes.send, { ...report, note: note.trim().slice(0, LONGEST_NOTE) });
  return outcome.kind === 'ok';
}

/** Our own scripts' faults: the name of the error and where it stood, never its message, which may hold anything. */
export function reportScript(error: unknown): void {
  // A call without an answer is told as such.
  if (!(error instanceof Error) || error instanceof CallError) return;
  const where = /\/assets\/([\w.-]+\.js:\d+:\d+)/.exec(error.stack ?? '')?.[1];
  if (where) reportFault({ kind: 'script', path: `${where}/${error.name}`.slice(0, 200), code: 0 });
}

/** For tests, which are many pages of one module. */
export function clearReports(): void {
  clearTimeout(timer);
  timer = undefined;
  waiting = [];
  sent.clear();
}

async function sendWaiting(): Promise<void> {
  if (isSending) return;
  isSending = true;
  clearTimeout(timer);
  timer = undefined;
  const tried = new Set<Report>();
  for (let next = waiting[0]; next; next = waiting.find((one) => !tried.has(one))) {
    const report = next;
    tried.add(report);
    const outcome = await call(reportRoutes.send, report);
    // Refused ones are refused again.
    if (outcome.kind !== 'network') waiting = waiting.filter((one) => one !== report);
  }
  isSending = false;
  if (waiting.length > 0) timer ??= setTimeout(sendWaiting, AGAIN_MS);
}

function writeReport(fault: Fault): Report {
  return {
    ...fault,
    reference: makeReference(),
    page: location.pathname.slice(0, 200),
    language: currentLanguage(),
    build: buildId(),
    note: '',
    time: Date.now(),
  };
}

/** "K7Q2-9XWM": forty random bits that can be read out. */
function makeReference(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => REFERENCE_ALPHABET[byte % 32]);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** The name of the page's entry: its hash changes with every build. */
function buildId(): string {
  const entry = document.querySelector<HTMLLinkElement>('link[rel="modulepreload"][href*="/main-"]')?.href ?? '';
  return entry.split('/').at(-1)?.replace(/\.js$/, '').slice(0, 64) ?? '';
}
