// Origins as a file may name them. Pure.

const HOST = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/**
 * An exact https origin: scheme, host and perhaps a port. No wildcard, path, query or user; nothing that
 * could end a word of a policy.
 * @returns the origin in its canonical form, or null
 */
export function readHttpsOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, protocol, hostname } = new URL(text);
  return protocol === 'https:' && text === origin && HOST.test(hostname) ? origin : null;
}
