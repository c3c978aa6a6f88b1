// All of them, in the order of their numbers: the forty, and what later looks at the shop found.
import { ACCOUNT_TESTS } from './accounts.ts';
import { ADDRESS_TESTS } from './addresses.ts';
import { ART_TESTS } from './art.ts';
import { BORDER_TESTS } from './borders.ts';
import { CARD_TESTS } from './cards.ts';
import { CERTIFICATE_TESTS } from './certificates.ts';
import { CHANGING_TESTS } from './changing.ts';
import { FLOOD_TESTS } from './floods.ts';
import { entryCodes } from './entry-codes.ts';
import { ENVIRONMENT_TESTS } from './environments.ts';
import { framing } from './framing.ts';
import { HOSTILE_BODY_TESTS } from './hostile-bodies.ts';
import { IDENTITY_TESTS } from './identities.ts';
import { NARROW_PATH_TESTS } from './narrow-paths.ts';
import { NOISE_TESTS } from './noise.ts';
import { LINK_TESTS } from './links.ts';
import { NETWORK_TESTS } from './networks.ts';
import { PAGE_TESTS } from './pages.ts';
import { PASSWORD_TESTS } from './passwords.ts';
import { persons } from './persons.ts';
import { PROVIDER_TESTS } from './providers.ts';
import { SECRET_TESTS } from './secrets.ts';
import type { SecurityTest } from './security-test.ts';
import { SESSION_TESTS } from './sessions.ts';
import { START_TESTS } from './starts.ts';
import { TOKEN_TESTS } from './tokens.ts';
import { WINDOW_TESTS } from './windows.ts';

export const SECURITY_TESTS: readonly SecurityTest[] = [
  ...SESSION_TESTS,
  ...CHANGING_TESTS,
  ...PASSWORD_TESTS,
  ...FLOOD_TESTS,
  ...CARD_TESTS,
  ...TOKEN_TESTS,
  ...PAGE_TESTS,
  framing,
  ...WINDOW_TESTS,
  ...IDENTITY_TESTS,
  ...SECRET_TESTS,
  ...BORDER_TESTS,
  ...PROVIDER_TESTS,
  ...START_TESTS,
  ...ART_TESTS,
  ...CERTIFICATE_TESTS,
  ...ACCOUNT_TESTS,
  ...ADDRESS_TESTS,
  ...NOISE_TESTS,
  ...ENVIRONMENT_TESTS,
  ...LINK_TESTS,
  entryCodes,
  ...NETWORK_TESTS,
  persons,
  ...HOSTILE_BODY_TESTS,
  ...NARROW_PATH_TESTS,
].toSorted((one, other) => Number(one.number) - Number(other.number));
