// The passwords that everybody tries first, 49,000 by how often they were found in leaks.
// @source @zxcvbn-ts/language-common (MIT); OWASP ASVS 5.0, 6.2.4 asks for the top 3,000 that fit the length rule

let loaded: Promise<ReadonlySet<string>> | null = null;

/** In lower case. Read when the first password is chosen, so that neither a start nor the memory of a worker pays. */
export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((text) => text.toLowerCase())),
  );
  return loaded;
}
