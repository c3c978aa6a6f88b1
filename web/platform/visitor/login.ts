// Opens the login popup from anywhere. The popup belongs to the accounts feature, which the
// start of the page puts in here.

/**
 * @param onDone after a login that went well, before the page starts again
 * @param isEnded the player was logged in a moment ago
 */
export type LoginOpener = (onDone?: () => void, isEnded?: boolean) => void;

let opener: LoginOpener | null = null;

export function setLoginOpener(next: LoginOpener): void {
  opener = next;
}

export function openLogin(onDone?: () => void, isEnded?: boolean): void {
  opener?.(onDone, isEnded);
}
