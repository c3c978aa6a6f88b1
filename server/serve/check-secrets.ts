// Secrets of a live shop that are none: too short, published, of one letter, or the same as in
// demo. No secret is ever told.
import { DEMO_PASSWORD, PUBLISHED_SECRETS } from '#server/platform/settings/published.ts';
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import type { ScopedSetting } from '#server/platform/settings/scoped-settings.ts';
import type { KnownOwner, KnownSetting } from './known-settings.ts';

/**
 * @source docs/game-server-contract.md, "Requests"; github.com/standard-webhooks/standard-webhooks, "Signature scheme"
 */
const GAME_BYTES = { min: 24, max: 64 };

/** Our choice: below what any provider of ours hands out; their own rules are theirs. */
const LEAST_OF_OTHERS = 8;

/**
 * Our choice: 24 random bytes have about 23 different ones, in hex 15 of 16; a password
 * typed with one finger has fewer.
 */
const LEAST_DIFFERENT = 6;

const MAKE_ONE = 'make one with `openssl rand -base64 32`';

/**
 * Faults of secrets in live. @param scoped settings of both environments, as far as they
 * stand in this process's variables
 */
export function checkSecrets(scoped: readonly ScopedSetting[], owners: readonly KnownOwner[]): Finding[] {
  const declared = new Map(
    owners.flatMap(({ owner, settings }) => settings.map((setting) => [`${owner}/${setting.name}`, setting] as const)),
  );
  const demo = new Map(
    scoped
      .filter(({ environment }) => environment === 'demo')
      .flatMap((one) => splitSecret(one.value).map((part) => [part, one.variable] as const)),
  );
  return scoped
    .filter(({ environment }) => environment === 'live')
    .flatMap((one): Finding[] => {
      const isGame = (one.owner.startsWith('GAME_') || one.owner === 'REALNAME') && one.name === 'SECRETS';
      const setting = declared.get(`${one.owner}/${one.name}`);
      if (!isGame && !setting?.isSecret) return [];
      const parts = splitSecret(one.value);
      const fault =
        parts.length === 0
          ? { reason: 'holds no secret', remedy: MAKE_ONE }
          : parts.map((part) => findFault(part, isGame, setting, demo.get(part))).find((found) => found !== null);
      return fault ? [{ name: one.variable, ...fault }] : [];
    });
}

type OwnSecret = { readonly name: string; readonly purpose: string; readonly secret: string };

/**
 * Faults of the secrets that an operator makes, beside what is said of each in its place: a token that can be guessed,
 * and one secret for two purposes, so that a system which needs the one holds the other. Games may share theirs.
 */
export function checkOwnSecrets(config: Config, owners: readonly KnownOwner[]): Finding[] {
  const isMadeHere = new Set(
    owners.flatMap(({ owner, settings }) =>
      settings.filter((one) => one.isSecret && one.minBytes !== undefined).map(({ name }) => `${owner}/${name}`),
    ),
  );
  const found = [
    ...config.scoped
      .filter(({ environment }) => environment === 'live')
      .flatMap(({ name, owner, value, variable }): OwnSecret[] => {
        const isGame = owner.startsWith('GAME_') && name === 'SECRETS';
        if (!isGame && !isMadeHere.has(`${owner}/${name}`)) return [];
        const purpose = isGame ? 'games' : variable;
        return splitSecret(value).map((secret) => ({ name: variable, purpose, secret }));
      }),
    ...[config.operatorToken].filter(Boolean).map((secret) => ownSecret('REFILL_OPERATOR_TOKEN', secret)),
    ...config.keySecrets.map((secret) => ownSecret('REFILL_KEY_SECRETS', secret)),
  ];
  const weak = new Set(config.operatorToken).size < LEAST_DIFFERENT && config.operatorToken !== '';
  const twice = found.flatMap((one, index): Finding[] => {
    const other = found
      .slice(0, index)
      .find(
        ({ purpose, secret }) =>
          secret.replace(/^whsec_/, '') === one.secret.replace(/^whsec_/, '') && purpose !== one.purpose,
      );
    if (!other) return [];
    const reason = `is the same as ${other.name}: whatever needs the one holds the other`;
    return [{ name: one.name, reason, remedy: MAKE_ONE }];
  });
  const remedy = 'make one with `openssl rand -base64 24`';
  return [...(weak ? [{ name: 'REFILL_OPERATOR_TOKEN', reason: 'repeats a few characters', remedy }] : []), ...twice];
}

const ownSecret = (name: string, secret: string): OwnSecret => ({ name, purpose: name, secret });

/** Several by commas, each perhaps behind the id of its app: `id=secret`. A key in PEM stays whole. */
function splitSecret(value: string): string[] {
  if (value.includes('-----BEGIN')) return [value];
  return value
    .split(/[\n,]/)
    .map((part) => part.trim().replace(/^[\w.-]{1,100}=(?=[^=])/, ''))
    .filter(Boolean);
}

type Fault = { readonly reason: string; readonly remedy: string };

function findFault(
  secret: string,
  isGame: boolean,
  setting: KnownSetting | undefined,
  twin: string | undefined,
): Fault | null {
  const isMadeHere = isGame || setting?.minBytes !== undefined;
  const remedy = isMadeHere ? MAKE_ONE : 'take the one of your live account';
  if (PUBLISHED_SECRETS.has(secret))
    return { reason: 'is published with this project, so it keeps nobody out', remedy };
  if (secret.includes(DEMO_PASSWORD)) return { reason: 'holds the password of the demonstration', remedy };
  if (twin !== undefined)
    return { reason: `is the same as ${twin}: whoever knows the demo secret holds the live one`, remedy };
  if (isGame) {
    const found = findGameFault(secret);
    if (found) return found;
  }
  const least = setting?.minBytes ?? LEAST_OF_OTHERS;
  const bytes = Buffer.byteLength(secret);
  if (bytes < least) return { reason: `has ${bytes} bytes, which is shorter than ${least}`, remedy };
  if (isMadeHere && new Set(secret.replace(/^whsec_/, '')).size < LEAST_DIFFERENT)
    return { reason: 'repeats a few characters', remedy };
  return null;
}

/** Also where it need not be safe: the contract knows no other form. */
export function findGameFault(secret: string): Fault | null {
  const text = secret.replace(/^whsec_/, '');
  const remedy = 'make one with `echo "whsec_$(openssl rand -base64 32)"`';
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return { reason: 'is no base64', remedy };
  const bytes = Buffer.from(text, 'base64').length;
  if (bytes < GAME_BYTES.min) return { reason: `has ${bytes} bytes, which is shorter than ${GAME_BYTES.min}`, remedy };
  if (bytes > GAME_BYTES.max) return { reason: `has ${bytes} bytes, which is longer than ${GAME_BYTES.max}`, remedy };
  return null;
}
