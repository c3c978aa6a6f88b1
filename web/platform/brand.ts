// The brand of this host, as the server told it. It never changes while a page lives.
import type { PageData } from '#contracts/boot.ts';
import { readBoot } from './boot.ts';

export type Brand = PageData['brand'];

/** The brand; a hook by name, so that components do not care that it is a constant. */
export function useBrand(): Brand {
  return readBoot().brand;
}
