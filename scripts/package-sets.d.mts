// Types of package-sets.mjs for the check that reads it.
export const PROGRAMS: Readonly<Record<'server' | 'demonstration', readonly string[]>>;
export const LOADED_LATER: readonly string[];
export const USED_BY_NAME: Readonly<Record<string, string>>;
export const setOfEntry: (entry: { dev?: boolean; peer?: boolean }) => 'server' | 'demonstration' | 'tests';
