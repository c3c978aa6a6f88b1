// Declares a case of `refill game check`, and the words in which it says what is wrong.
import type { Answer, Caller, Changes } from './call.ts';

/** Whom and what the goods of the check are for; all of it is the operator's and the game's own naming. */
export type Subject = {
  readonly clientId: string;
  readonly userId: string;
  readonly serverId: string;
  /** Empty in games without areas. */
  readonly areaId: string;
  readonly roleId: string;
  readonly productId: string;
  /** A grant states this price: the product's in the shop's files, else the contract's example. */
  readonly paid: { readonly amount: string; readonly currency: string };
  /** An account to sign in with, where the game keeps accounts. */
  readonly login: { readonly username: string; readonly password: string } | null;
};

export type CheckedGame = {
  readonly call: Caller;
  readonly subject: Subject;
  /** An order number that no check used before. */
  billingNo(): string;
};

export type Case = {
  /** Short, unique, stable: what `--only` names. */
  readonly name: string;
  /** States the demand of the contract, as one sentence. */
  readonly about: string;
  /** The contract's section that says so. */
  readonly section: string;
  /** @throws Broken, NotOffered, NoAnswer */
  readonly run: (game: CheckedGame) => Promise<void>;
};

/** The contract is not kept: the message says what was expected and what came. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** A verb or a thing that this game does not have; `isRequired`: the contract demands it. */
export class NotOffered extends Error {
  override readonly name = 'NotOffered';
}

const REQUIRED: ReadonlySet<string> = new Set(['servers', 'roles', 'check', 'grant']);

export function demand(isKept: boolean, sentence: string): asserts isKept {
  if (!isKept) throw new Broken(sentence);
}

/** Part of an answer, so that a person recognises it; nobody's whole page. */
export function quote(answer: Answer): string {
  const text = answer.text.replace(/\s+/g, ' ').trim();
  return `${answer.status} ${text.length > 120 ? `${text.slice(0, 120)}...` : text || '(empty)'}`;
}

export function demandStatus(answer: Answer, status: number): void {
  demand(answer.status === status, `expected ${status}, got ${quote(answer)}`);
}

type Body = Readonly<Record<string, unknown>>;

/** The answer's object. @throws NotOffered for a verb that answers 404 and need not be there */
export function bodyOf(verb: string, answer: Answer): Body {
  if (answer.status === 404 && !REQUIRED.has(verb)) throw new NotOffered(`${verb} answers 404`);
  const isObject = typeof answer.body === 'object' && answer.body !== null;
  demand(
    answer.status >= 200 && answer.status <= 299 && isObject,
    `expected a 2xx with a JSON object, got ${quote(answer)}`,
  );
  return answer.body as Body;
}

export function demandOk(verb: string, answer: Answer): Body {
  const body = bodyOf(verb, answer);
  demand(body['status'] === 'ok', `expected "status": "ok", got ${quote(answer)}`);
  return body;
}

export function demandDeclined(verb: string, answer: Answer, reason?: string): void {
  const body = bodyOf(verb, answer);
  demand(body['status'] === 'declined', `expected "status": "declined", got ${quote(answer)}`);
  demand(
    reason === undefined || body['reason'] === reason,
    `expected the reason "${reason}", got "${String(body['reason'])}"`,
  );
}

export function demandId(value: unknown, field: string): asserts value is string {
  const isId = typeof value === 'string' && value.length >= 1 && value.length <= 128;
  demand(isId, `${field} must be a text of 1 to 128 characters, got ${JSON.stringify(value)}`);
}

/** The character of the subject, as every call names it. */
export const recipient = ({ clientId, userId, serverId, areaId, roleId }: Subject): Record<string, string> => ({
  client_id: clientId,
  user_id: userId,
  server_id: serverId,
  ...(areaId ? { area_id: areaId } : {}),
  role_id: roleId,
});

type GrantChanges = {
  readonly subject?: Partial<Subject>;
  readonly gifts?: readonly object[];
  readonly isReward?: boolean;
  readonly recovery?: string;
};

export const grantBody = (game: CheckedGame, billingNo: string, changes: GrantChanges = {}): object => {
  const subject = { ...game.subject, ...changes.subject };
  return {
    billing_no: billingNo,
    ...recipient(subject),
    product_id: subject.productId,
    quantity: 1,
    gifts: changes.gifts ?? [],
    ...(changes.isReward ? {} : { paid: subject.paid }),
    sandbox: true,
    ...(changes.recovery === undefined ? {} : { recovery: changes.recovery }),
  };
};

/** One grant, sent as the shop sends it: the order's number is the key. */
export const grant = (game: CheckedGame, billingNo: string, changes: GrantChanges & Changes = {}): Promise<Answer> =>
  game.call('grant', grantBody(game, billingNo, changes), { ...changes, id: billingNo });

export function demandGranted(answer: Answer): string {
  const body = demandOk('grant', answer);
  demandId(body['receipt_id'], 'receipt_id');
  return body['receipt_id'];
}

/** Every key that the game says it carried out since then, over all pages. */
export const listApplied = async (game: CheckedGame, since: number): Promise<string[]> =>
  (await listGrants(game, since)).map((one) => one.billing_no);

type Listed = Body & { readonly billing_no: string };

export async function listGrants(game: CheckedGame, since: number): Promise<Listed[]> {
  const listed: Listed[] = [];
  let cursor: string | undefined;
  // Our choice: a check grants some dozens; a game that never stops turning pages is told so.
  for (let page = 0; page < 50; page += 1) {
    const body = demandOk('applied', await game.call('applied', { since, ...(cursor ? { cursor } : {}) }));
    const applied = body['applied'];
    demand(Array.isArray(applied), '"applied" must be a list');
    demand(applied.length <= 1000, `at most 1,000 in an answer, got ${applied.length}`);
    for (const one of applied as Record<string, unknown>[]) {
      demandId(one['billing_no'], 'applied[].billing_no');
      listed.push({ ...one, billing_no: one['billing_no'] });
    }
    const next = body['next'];
    if (next === undefined) return listed;
    demandId(next, 'next');
    cursor = next;
  }
  throw new Broken('"next" still comes after 50 pages');
}

/** How often the game carried an order out, where it can say so. */
export async function demandAppliedOnce(game: CheckedGame, billingNo: string, since: number): Promise<void> {
  let keys: string[];
  try {
    keys = await listApplied(game, since);
  } catch (error) {
    if (error instanceof NotOffered) return;
    throw error;
  }
  const times = keys.filter((key) => key === billingNo).length;
  demand(times === 1, `"applied" lists the order ${times} times instead of once`);
}

/** Seconds since 1970, a little before now: the clocks of shop and game differ. */
export const recently = (): number => Math.floor(Date.now() / 1000) - 300;
