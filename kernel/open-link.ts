// Addresses that open a game from a page: https, or a scheme that the game has registered for itself.

/**
 * Schemes that belong to browsers, devices or other programs: a link with one of them would run, read, call
 * or install something that is
 * no game. @source IANA, Uniform Resource Identifier (URI) Schemes; what browsers treat on their own: HTML
 * Standard, "javascript: URLs"
 */
const FOREIGN: ReadonlySet<string> = new Set([
  'about', 'android-app', 'app-settings', 'blob', 'callto', 'cid', 'chrome', 'chrome-extension', 'content', 'data', 'facetime',
  'facetime-audio', 'feed', 'file', 'filesystem', 'ftp', 'ftps', 'geo', 'git', 'http', 'im', 'intent', 'irc', 'itms', 'itms-apps',
  'itms-services', 'jar', 'javascript', 'jdbc', 'ldap', 'magnet', 'mailto', 'maps', 'market', 'mid', 'mms', 'moz-extension',
  'ms-msdt', 'ms-settings', 'news', 'nfs', 'nntp', 'prefs', 'resource', 'rtsp', 'search-ms', 'sftp', 'shortcuts', 'sip', 'sips',
  'skype', 'sms', 'smsto', 'smb', 'ssh', 'steam', 'tel', 'telnet', 'urn', 'vbscript', 'view-source', 'webcal', 'ws', 'wss', 'xmpp',
]); /* a row a line */ // prettier-ignore

/**
 * Returns true when a link may open a game: an https address, or one of a scheme of its own ("emberfall://open"). A
 * scheme has three characters at least: single letters are drives.
 */
export function isOpenLink(link: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]{2,31}):\/\/[^\s/?#]/.exec(link)?.[1];
  return scheme !== undefined && !FOREIGN.has(scheme) && URL.canParse(link);
}
