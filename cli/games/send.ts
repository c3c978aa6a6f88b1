// `refill game send`: one call as the shop would send it, printed with its answer.
import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import { EXIT, InputFault, printJson, type Terminal } from '#cli/terminal.ts';
import { type Caller, createCaller } from './check/call.ts';
import { type CheckedGame, grantBody, recipient, type Subject } from './check/case.ts';
import { type GameOptions, readClient, readGameAddress, readSubject } from './game-options.ts';

type Sent = { readonly id?: string; readonly content: object };
type Make = (subject: Subject, billingNo: string) => Sent;
type Call = { readonly billingNo: string; readonly reason: string; readonly readClientId: () => Promise<string> };

export type SendOptions = Omit<GameOptions, 'user'> & {
  readonly user?: string;
  readonly order?: string;
  readonly reason: string;
  readonly json?: boolean;
};

const player = ({ clientId, userId }: Subject) => ({ client_id: clientId, user_id: userId });

/** Calls about a player. */
const VERBS: Readonly<Record<string, Make>> = {
  roles: (subject) => ({ content: player(subject) }),
  check: (subject) => ({ content: { ...recipient(subject), product_id: subject.productId } }),
  grant: (subject, billingNo) => ({ id: billingNo, content: grantBody({ subject } as CheckedGame, billingNo) }),
  unblock: (subject, billingNo) => ({
    id: `${billingNo}-unblock`,
    content: { ...player(subject), replenish_id: billingNo },
  }),
  'real-name': (subject) => ({ content: { ...player(subject), return_url: 'https://shop.example/certifiedReal' } }),
};

/** Calls that name no player, so none has to be there. */
const VERBS_OF_NO_PLAYER: Readonly<Record<string, (call: Call) => Promise<Sent>>> = {
  servers: async ({ readClientId }) => ({ content: { client_id: await readClientId() } }),
  revoke: async ({ billingNo, reason }) => ({ id: `${billingNo}-revoke`, content: { billing_no: billingNo, reason } }),
  applied: async () => ({ content: { since: Math.floor(Date.now() / 1000) - 86_400 } }),
};

export const SENT_VERBS: readonly string[] = [...Object.keys(VERBS), ...Object.keys(VERBS_OF_NO_PLAYER)];

export async function sendCall(terminal: Terminal, gameId: string, verb: string, options: SendOptions): Promise<void> {
  const address = await readGameAddress(terminal, gameId, options);
  const call = createCaller(address.baseUrl, address.secret, () => undefined);
  const { id = `send-${randomUUID()}`, content } = await makeCall(terminal, call, { gameId, verb, options });
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
    `POST ${address.baseUrl.replace(/(?<!\/)\/+$/, '')}/${verb}\nwebhook-id: ${id}\n${JSON.stringify(content, null, 2)}\n`,
  );
  const said = answer.body === undefined ? answer.text : JSON.stringify(answer.body, null, 2);
  terminal.out(`${answer.status} after ${milliseconds} ms\n${said}`);
}

type Asked = { readonly gameId: string; readonly verb: string; readonly options: SendOptions };

async function makeCall(terminal: Terminal, call: Caller, { gameId, options, verb }: Asked): Promise<Sent> {
  const { order: billingNo = ulid(), reason, user } = options;
  const [make, aboutPlayer] = [VERBS_OF_NO_PLAYER[verb], VERBS[verb]];
  if (make) return make({ billingNo, reason, readClientId: () => readClient(terminal, gameId, options) });
  if (!aboutPlayer) throw new InputFault(`There is no verb "${verb}" to send: ${SENT_VERBS.join(', ')}.`);
  if (user === undefined) throw new InputFault(`${verb} is about a player: give --user.`);
  const subject = await readSubject(terminal, call, gameId, { ...options, user });
  return aboutPlayer(subject, billingNo);
}
