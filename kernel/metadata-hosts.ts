// Addresses at which a cloud gives a machine its credentials: nothing that an operator types in may lead there.

/**
 * Link-local addresses, and the names and addresses beside them that clouds publish.
 * @param host as `URL.hostname` gives it, IPv6 in brackets
 * @source RFC 3927 (169.254/16), RFC 4291 (fe80::/10); the instance metadata pages of AWS (fd00:ec2::254), Google Cloud
 *   (metadata.google.internal) and Alibaba Cloud (100.100.100.200)
 */
export function isMetadataHost(host: string): boolean {
  return (
    host.startsWith('169.254.') ||
    /^\[(?:fe[89ab][0-9a-f]:|fd00:ec2::254\]|::ffff:a9fe:)/.test(host) ||
    ['metadata', 'metadata.google.internal', '100.100.100.200'].includes(host.replace(/\.$/, ''))
  );
}
