// `refill game send`: one call as the shop would send it, printed with its answer.
import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { EXIT, InputFault, printJson, type Terminal } from '#cli/terminal.ts';
import { createCaller } from './check/call.ts';
import { type CheckedGame, grantBody, recipient, type Subject } from './check/case.ts';
import { type GameOptions, readGameAddress, readSubject } from './game-options.ts';

type Sent = { readonly id?: string; readonly content: object };
type Make = (subject: Subject, billingNo: string, reason: string) => Sent;

const player = ({ clientId, userId }: Subject) => ({ client_id: clientId, user_id: userId });

const VERBS: Readonly<Record<string, Make>> = {
  servers: ({ clientId }) => ({ content: { client_id: clientId } }),
  roles: (subject) => ({ content: player(subject) }),
  check: (subject) => ({ content: { ...recipient(subject), product_id: subject.productId } }),
  grant: (subject, billingNo) => ({ id: billingNo, content: grantBody({ subject } as CheckedGame, billingNo) }),
  revoke: (_, billingNo, reason) => ({ id: `${billingNo}-revoke`, content: { billing_no: billingNo, reason } }),
  unblock: (subject, billingNo) => ({
    id: `${billingNo}-unblock`,
    content: { ...player(subject), replenish_id: billingNo },
  }),
  'real-name': (subject) => ({ content: { ...player(subject), return_url: 'https://shop.example/certifiedReal' } }),
  applied: () => ({ content: { since: Math.floor(Date.now() / 1000) - 86_400 } }),
};

export const SENT_VERBS: readonly string[] = Object.keys(VERBS);

export async function sendCall(
  terminal: Terminal,
  gameId: string,
  verb: string,
  options: GameOptions & { order?: string; reason: string; json?: boolean },
): Promise<void> {
  const make = VERBS[verb];
  if (!make) throw new InputFault(`There is no verb "${verb}" to send: ${SENT_VERBS.join(', ')}.`);
  const address = await readGameAddress(terminal, gameId, options);
  const call = createCaller(address.baseUrl, address.secret, () => undefined);
  const subject = await readSubject(terminal, call, gameId, options);
  const { id = `send-${randomUUID()}`, content } = make(subject, options.order ?? ulid(), options.reason);
  const answer = await call(verb, content, { id });
  const isWell = answer.status >= 200 && answer.status <= 299;
  if (!isWell) terminal.setExitCode(EXIT.fault);
  const milliseconds = Math.round(answer.milliseconds);
  if (options.json) {
    const said = answer.body ?? answer.text;
    return printJson(terminal, {
      ok: isWell,
      sent: { verb, id, content },
      answer: { status: answer.status, said, milliseconds },
    });
  }
  terminal.out(
    `POST ${address.baseUrl.replace(/\/+$/, '')}/${verb}\nwebhook-id: ${id}\n${JSON.stringify(content, null, 2)}\n`,
  );
  const said = answer.body === undefined ? answer.text : JSON.stringify(answer.body, null, 2);
  terminal.out(`${answer.status} after ${milliseconds} ms\n${said}`);
}
