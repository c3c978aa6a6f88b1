// Checks the calls that only read: servers, characters, check, accounts. Nothing of it changes the game.
import {
  type Case,
  type CheckedGame,
  type Subject,
  NotOffered,
  demand,
  demandDeclined,
  demandId,
  demandOk,
  demandStatus,
  quote,
  recipient,
  bodyOf,
} from './case.ts';

type Body = Readonly<Record<string, unknown>>;

async function list(
  game: CheckedGame,
  verb: 'servers' | 'roles',
  filter: object,
): Promise<{ all: Body[]; body: Body }> {
  const { clientId, userId } = game.subject;
  const asked = { client_id: clientId, ...(verb === 'roles' ? { user_id: userId } : {}), ...filter };
  const body = demandOk(verb, await game.call(verb, asked));
  const all = body[verb];
  demand(Array.isArray(all), `"${verb}" must be a list`);
  return { all: all as Body[], body };
}

const check = (game: CheckedGame, changes: Partial<Subject> = {}, over: object = {}) => {
  const subject = { ...game.subject, ...changes };
  return game.call('check', { ...recipient(subject), product_id: subject.productId, ...over });
};

export const READ_CASES: readonly Case[] = [
  {
    name: 'verb-unknown',
    about: 'a verb that is not offered answers 404',
    section: 'In one minute',
    run: async (game) => demandStatus(await game.call('no-such-verb', {}), 404),
  },
  {
    name: 'body-not-json',
    about: 'a signed body that is not JSON is 400',
    section: 'Answers',
    run: async (game) => demandStatus(await game.call('servers', {}, { text: '{"client_id":' }), 400),
  },
  {
    name: 'field-unknown',
    about: 'a field that is not known is ignored',
    section: 'Requests',
    run: async (game) =>
      void demandOk(
        'servers',
        await game.call('servers', { client_id: game.subject.clientId, of_tomorrow: { a: [1] } }),
      ),
  },
  {
    name: 'servers-shape',
    about: 'servers and areas have ids and names as texts, and a server says whether it is open',
    section: 'servers',
    run: async (game) => {
      const { all, body } = await list(game, 'servers', {});
      demand(Array.isArray(body['areas']), '"areas" must be a list, [] in a game without areas');
      for (const area of body['areas'] as Body[]) demandId(area['id'], 'areas[].id');
      demand(all.length > 0, 'no server at all: nothing could be sold');
      for (const one of all) {
        demandId(one['id'], 'servers[].id');
        demand(typeof one['name'] === 'string', `the name of server ${one['id']} must be a text`);
        demand(typeof one['open'] === 'boolean', `"open" of server ${one['id']} must be true or false`);
      }
      demand(
        all.some((one) => one['id'] === game.subject.serverId),
        `server ${game.subject.serverId} of the checked character is not among them`,
      );
    },
  },
  {
    name: 'servers-area',
    about: 'area_id narrows the servers, not the areas',
    section: 'servers',
    run: async (game) => {
      const whole = await list(game, 'servers', {});
      const areas = whole.body['areas'] as Body[];
      if (areas.length === 0) throw new NotOffered('the game has no areas');
      const area = areas[0]?.['id'];
      const narrow = await list(game, 'servers', { area_id: area });
      const foreign = narrow.all.find((one) => one['area_id'] !== area);
      demand(!foreign, `asked for area ${String(area)}, got a server of ${String(foreign?.['area_id'])}`);
      demand((narrow.body['areas'] as unknown[])?.length === areas.length, 'the areas were narrowed as well');
    },
  },
  {
    name: 'roles-shape',
    about: 'a character has id, name, level and server, and the checked one is among them',
    section: 'roles',
    run: async (game) => {
      const { all } = await list(game, 'roles', {});
      for (const role of all) {
        demandId(role['id'], 'roles[].id');
        demandId(role['server_id'], 'roles[].server_id');
        demand(typeof role['name'] === 'string', `the name of ${role['id']} must be a text`);
        const level = role['level'];
        demand(Number.isInteger(level) && (level as number) >= 0, `the level of ${role['id']} must be a whole number`);
      }
      const { roleId, serverId } = game.subject;
      const isThere = all.some((role) => role['id'] === roleId && role['server_id'] === serverId);
      demand(isThere, `character ${roleId} on server ${serverId} is not among them`);
    },
  },
  {
    name: 'roles-filter',
    about: 'server_id narrows the characters',
    section: 'roles',
    run: async (game) => {
      const { all } = await list(game, 'roles', { server_id: game.subject.serverId });
      const foreign = all.find((role) => role['server_id'] !== game.subject.serverId);
      demand(!foreign, `asked for ${game.subject.serverId}, got a character of ${String(foreign?.['server_id'])}`);
      demand(all.length > 0, 'the checked character is gone when its server is asked for');
    },
  },
  {
    name: 'roles-names',
    about: 'names arrive as they are: UTF-8, whole characters',
    section: 'roles',
    run: async (game) => {
      const { all } = await list(game, 'roles', {});
      const broken = all.find((role) => /\uFFFD|\p{Cc}/u.test(String(role['name'])));
      demand(!broken, `the name of ${String(broken?.['id'])} came broken: ${JSON.stringify(broken?.['name'])}`);
    },
  },
  {
    name: 'roles-none',
    about: 'a player without characters is an empty list, not an error',
    section: 'roles',
    run: async (game) => {
      const answer = await game.call('roles', { client_id: game.subject.clientId, user_id: 'refill-check-nobody' });
      const body = bodyOf('roles', answer);
      const isWell = body['status'] === 'declined' || Array.isArray(body['roles']);
      demand(isWell, `expected "roles": [] or declined, got ${quote(answer)}`);
    },
  },
  {
    name: 'check-ok',
    about: 'a character that may receive the product is ok, without an order number too',
    section: 'check',
    run: async (game) => void demandOk('check', await check(game)),
  },
  {
    name: 'check-twice',
    about: 'asking again changes nothing: the same order may be asked about several times',
    section: 'check',
    run: async (game) => {
      const billingNo = game.billingNo();
      demandOk('check', await check(game, {}, { billing_no: billingNo }));
      demandOk('check', await check(game, {}, { billing_no: billingNo }));
    },
  },
  {
    name: 'check-no-character',
    about: 'a character that does not exist is declined as role_not_found',
    section: 'check',
    run: async (game) => demandDeclined('check', await check(game, { roleId: 'refill-check-none' }), 'role_not_found'),
  },
  {
    name: 'check-other-player',
    about: 'a character of another player is declined',
    section: 'check',
    run: async (game) => demandDeclined('check', await check(game, { userId: 'refill-check-nobody' })),
  },
  {
    name: 'check-odd-character',
    about: 'odd characters in an id are declined like any unknown one, never an error',
    section: 'check',
    run: async (game) => demandDeclined('check', await check(game, { roleId: `'";--\u{1F984}%00\u0301` })),
  },
  {
    name: 'authenticate-wrong',
    about: 'a wrong password and an unknown name get the same answer, wrong_credentials',
    section: 'authenticate',
    run: async (game) => {
      const ask = (username: string) =>
        game.call('authenticate', { client_id: game.subject.clientId, username, password: 'refill-check-wrong' });
      const unknown = await ask('refill-check-nobody');
      demandDeclined('authenticate', unknown, 'wrong_credentials');
      if (!game.subject.login) return;
      const known = await ask(game.subject.login.username);
      demand(known.text === unknown.text, `the answers differ: ${quote(unknown)} and ${quote(known)}`);
    },
  },
  {
    name: 'authenticate-right',
    about: 'the right password tells the account, and the password is nowhere in the answer',
    section: 'authenticate',
    run: async (game) => {
      const { login, clientId, userId } = game.subject;
      if (!login) throw new NotOffered('no --username and --password-file were given');
      const answer = await game.call('authenticate', { client_id: clientId, ...login });
      const body = demandOk('authenticate', answer);
      demandId(body['user_id'], 'user_id');
      demand(body['user_id'] === userId, `it is the account ${body['user_id']}, not ${userId}`);
      demand(typeof body['username'] === 'string', '"username" must be a text');
      demand(!answer.text.includes(login.password), 'the password stands in the answer');
    },
  },
  {
    name: 'identify-unknown',
    about: 'an identity that no account was opened with is declined',
    section: 'identify',
    run: async (game) => {
      const asked = { client_id: game.subject.clientId, provider: 'facebook', subject: '0-refill-check-nobody' };
      const body = bodyOf('identify', await game.call('identify', asked));
      demand(body['status'] === 'declined', `expected "declined", got account ${JSON.stringify(body['user_id'])}`);
    },
  },
  {
    name: 'real-name',
    about: 'says whether the player is verified, and where to verify when not',
    section: 'real-name',
    run: async (game) => {
      const { userId, clientId } = game.subject;
      const asked = { user_id: userId, client_id: clientId, return_url: 'https://shop.example/certifiedReal' };
      const body = demandOk('real-name', await game.call('real-name', asked));
      demand(typeof body['verified'] === 'boolean', '"verified" must be true or false');
      if (body['verified']) return;
      demand(
        URL.canParse(String(body['url'])),
        `"url" must be an address while not verified, got ${String(body['url'])}`,
      );
    },
  },
];
