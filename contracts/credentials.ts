// The encoding of username and password on the login call. It protects nothing (TLS does); it
// is the specification's wire.

/**
 * base64url of UTF-8 of a random 3-character prefix and the value.
 * @param prefix exactly three ASCII characters
 * @source specification section 5: "both are trimmed and sent encoded with a random 3-character prefix"
 */
export function encodeCredential(value: string, prefix: string): string {
  if (!/^[A-Za-z0-9]{3}$/.test(prefix)) throw new RangeError('the prefix must be three letters or digits');
  const bytes = new TextEncoder().encode(prefix + value);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
}

/** Decodes exactly once and drops exactly three characters; null when it is not such a text. */
export function decodeCredential(encoded: string): string | null {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return null;
  try {
    const binary = atob(
      encoded
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/={1,2}$/, ''),
    );
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.length > 3 ? text.slice(3) : null;
  } catch {
    return null;
  }
}
