// Whether the page stands inside a page of somebody else.

/**
 * In a frame nobody can see whose page asks, so no password is asked for there. @source OWASP cheat sheet
 * series, Clickjacking Defense
 */
export function isFramed(): boolean {
  return window.self !== window.top;
}
