// The window of an identity provider, and what its callback page says to us.
import { LOGIN_KINDS } from '#contracts/logins.ts';
import { LOGIN_CHANNEL, type LoginReceived, type LoginMessage } from '#contracts/login-window.ts';
import { openEmptyWindow } from '#web/platform/empty-window.ts';

export type ProviderWindow = {
  /** Sends it to the provider. False when the player has closed it. */
  go: (url: string) => boolean;
  /** True also when the provider's page has cut it off from us: no proof that the player gave up. */
  isClosed: () => boolean;
  close: () => void;
  isSource: (source: MessageEventSource | null) => boolean;
};

/** Our choice: what the sign-in pages are drawn for on a desktop; phones open a tab. */
const FEATURES = 'popup,width=480,height=720';

/**
 * Opens an empty window, on the press itself.
 * @param wait stands in it until the provider's page comes
 * @returns null where windows do not open
 */
export function openProviderWindow(wait: string, page: Pick<Window, 'open'> = window): ProviderWindow | null {
  const opened = openEmptyWindow(page, FEATURES);
  if (!opened) return null;
  const { document } = opened;
  document.title = wait;
  document.documentElement.style.colorScheme = 'light dark';
  document.body.textContent = wait;
  return {
    go: (url) => {
      if (opened.closed) return false;
      opened.location.replace(url);
      return true;
    },
    isClosed: () => opened.closed,
    close: () => opened.close(),
    isSource: (source) => source === opened,
  };
}

/**
 * Waits for the callback page's word about one login and answers it, else that page would finish the
 * login by itself. Heard once.
 * @param state of the login; a message with another one is somebody else's
 * @returns the way to stop
 */
export function onLoginMessage(
  state: string,
  isSource: ProviderWindow['isSource'],
  take: (message: LoginMessage) => void,
): () => void {
  const receipt: LoginReceived = { type: 'refill-login-heard', state };
  // For openers that the provider's page cut off. It reaches our own origin only.
  const channel = new BroadcastChannel(LOGIN_CHANNEL);
  const stop = () => {
    removeEventListener('message', onMessage);
    channel.close();
  };
  const accept = (data: unknown, answer: () => void) => {
    if (!isLoginMessage(data) || data.state !== state) return;
    answer();
    stop();
    take(data);
  };
  const onMessage = ({ data, origin, source }: MessageEvent) => {
    if (origin !== location.origin || !isSource(source)) return;
    accept(data, () => source?.postMessage(receipt, { targetOrigin: origin }));
  };
  addEventListener('message', onMessage);
  channel.addEventListener('message', ({ data }) =>
    accept(data, () => {
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than its own
      channel.postMessage(receipt);
    }),
  );
  return stop;
}

function isLoginMessage(data: unknown): data is LoginMessage {
  if (typeof data !== 'object' || data === null) return false;
  const { type, kind, state, error, fields } = data as Record<string, unknown>;
  return (
    type === 'refill-login' &&
    LOGIN_KINDS.some((one) => one === kind) &&
    typeof state === 'string' &&
    (error === null || error === 'cancelled' || error === 'failed') &&
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((value) => typeof value === 'string')
  );
}
