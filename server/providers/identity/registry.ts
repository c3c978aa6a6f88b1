// The only file that names the identity adapters. A new one is a file or folder beside this one and a line here.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import { apple } from './apple/provider.ts';
import { facebook } from './facebook.ts';
import { google } from './google.ts';
import { huawei } from './huawei.ts';
import { twitter } from './twitter/provider.ts';
import { vk } from './vk.ts';

export const loginProviders: readonly LoginProvider[] = [google, apple, facebook, twitter, vk, huawei];
