// Every identity simulator, mounted under `/identity/<name>` with its faults under `/control/login/<name>/faults`.

import type { FastifyInstance } from 'fastify';
import type { Clock } from '#simulators/kit/clock.ts';
import { openAccount } from '#simulators/kit/credentials.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { numberAt, textAt } from '#simulators/kit/read.ts';
import { mountApple } from './apple.ts';
import type { IdentityContext, MountedIdentity } from './context.ts';
import { mountFacebook } from './facebook.ts';
import { mountGoogle } from './google.ts';
import { mountHuawei } from './huawei.ts';
import { mountTwitter } from './twitter.ts';
import { mountVk } from './vk.ts';

/** By its name, which is its path and its control name. */
const mounts: Readonly<Record<string, (context: IdentityContext) => MountedIdentity>> = {
  google: mountGoogle,
  apple: mountApple,
  facebook: mountFacebook,
  twitter: mountTwitter,
  vk: mountVk,
  huawei: mountHuawei,
};

export const identityNames = Object.keys(mounts);

export type Identities = {
  /** `REFILL_LOGIN_<NAME>_SANDBOX_...`, known once the server listens. */
  environment(): Record<string, string>;
};

export function mountIdentities(shared: {
  app: FastifyInstance;
  clock: Clock;
  dataDir: string;
  shopUrl: string;
  apiOrigin: () => string;
  pageOrigin: () => string;
}): Identities {
  const { app, clock, dataDir, shopUrl } = shared;
  const mounted: [name: string, one: MountedIdentity][] = Object.entries(mounts).map(([name, mount]) => {
    const faults = createFaultBook();
    const context: IdentityContext = {
      name,
      app,
      clock,
      faults,
      shopUrl,
      account: (part, make) => openAccount(dataDir, `login-${name}-${part}`, make),
      apiBase: () => `${shared.apiOrigin()}/identity/${name}`,
      pageBase: () => `${shared.pageOrigin()}/identity/${name}`,
    };
    const path = `/control/login/${name}/faults`;
    app.get(path, () => ({ faults: faults.list() }));
    app.post(path, ({ body }) => {
      faults.add({
        on: textAt(body, 'on') ?? 'token',
        fault: textAt(body, 'fault') ?? '',
        times: numberAt(body, 'times') ?? 1,
      });
      return { faults: faults.list() };
    });
    app.delete(path, () => {
      faults.clear();
      return { faults: [] };
    });
    return [name, mount(context)];
  });
  return {
    environment: () =>
      Object.fromEntries(
        mounted.flatMap(([name, one]) =>
          Object.entries(one.settings()).map(([key, value]) => [
            `REFILL_LOGIN_${name.toUpperCase()}_DEMO_${key}`,
            value,
          ]),
        ),
      ),
  };
}
