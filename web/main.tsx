// Starts the page: data of the server, language, session, router, then React over the first picture.
import './libraries.ts';
import './styles/tokens.css';
import './styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { startTransition, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { openLoginPopup } from './features/accounts/login/login.ts';
import { dropWish } from './features/orders/unfinished/pay-wish.ts';
import { Boundary, LostPage } from './platform/lazy/Boundary.tsx';
import { readBoot } from './platform/boot.ts';
import { enterFrame, type FrameKeys, isFramed } from './platform/frame.ts';
import { startLanguage } from './platform/i18n.ts';
import { listenLess } from './platform/listened-events.ts';
import { createLater, whenIdle } from './platform/lazy/later.ts';
import { watchSheets } from './platform/lazy/lazy-part.ts';
import { setLoginOpener } from './platform/visitor/login.ts';
import { PopupHost } from './platform/popups/PopupHost.tsx';
import { usePopups } from './platform/popups/popups.tsx';
import { createQueryClient } from './platform/calls/query.ts';
import { currentUser, startSession } from './platform/visitor/session.ts';
import { useToasts } from './platform/toast.ts';
import { paths } from './paths.ts';
import { createShopRouter, ShopPages } from './routes.tsx';
import { connectReactions, withSeldom } from './reactions-of-page.ts';
import { Toasts } from './ui/Toasts.tsx';

// The router drops keys that are not its own.
const { search } = location;
const frameKeys = isFramed() ? enterFrame() : null;
const queries = createQueryClient();
watchSheets();

// The page in the document says so (server/shell/first-aid.ts), and the fault is reported as any other.
start().catch((error: unknown) => {
  document.getElementById('start')?.dispatchEvent(new Event('error'));
  throw error;
});

/**
 * The server's picture stays until the route is ready, so nothing flashes. No await at the top of the
 * file: a page's own chunk imports from this one and would wait for it for ever.
 */
async function start(): Promise<void> {
  // Reading the scripts has taken its time already: presses and scrolling get their turn in between.
  await nextTask();
  startLanguage();
  startSession();
  setLoginOpener(openLoginPopup);
  dropGivenUp();
  prepareBackup();
  noteArrival();
  const router = createShopRouter();
  connectReactions(router);
  await nextTask();
  await Promise.all([router.load(), frameKeys && startFrame(frameKeys)]);
  // A login by a provider that ended without a player; few ever see one, so its words come when somebody does.
  if (search.includes('login_result=')) withSeldom((part) => part.tellLoginResult(search));
  const place = document.getElementById('root');
  if (!place) return;
  const page = (
    <QueryClientProvider client={queries}>
      <Boundary fallback={(lost) => <LostPage lost={lost} />}>
        <ShopPages router={router} />
      </Boundary>
      <PopupHost />
      <ToastHost />
      <TrackingHost />
    </QueryClientProvider>
  );
  place.after(overSheets);
  const root = createRoot(listenLess(place));
  // A picture stands there already, so this one may be drawn in slices.
  startTransition(() => root.render(page));
  // From here on the page speaks for itself.
  document.getElementById('start')?.remove();
  offerRealName(router);
  addEventListener('scroll', () => withSeldom((part) => part.watchBars()), { once: true, passive: true });
  if (isFocusKept()) withSeldom((part) => part.giveFocusBack());
}

/** A login that Pay led to was given up: by leaving the other company's page, however one came back from it. */
function dropGivenUp(): void {
  const drop = () => {
    // The code of a login is typed in on a page between.
    if (currentUser() === null && location.pathname !== paths.code) dropWish();
  };
  drop();
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) drop();
  });
}

function nextTask(): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Left by a login before its reload; see web/platform/popups/kept-focus.ts. */
function isFocusKept(): boolean {
  try {
    return sessionStorage.getItem('refill.focus') !== null;
  } catch {
    return false;
  }
}

/** The player is asked for before anything is drawn; without an answer the page is nobody's. */
function startFrame(keys: FrameKeys): Promise<void> {
  return import('./platform/embed/embed.ts').then(
    (part) => part.startEmbed(keys, () => void queries.invalidateQueries()),
    () => undefined,
  );
}

/** After a login, where a brand sells to nobody whose real name it does not know. */
function offerRealName(router: ReturnType<typeof createShopRouter>): void {
  if (!readBoot().isRealNameMissing || router.place.path === paths.certifiedReal) return;
  withSeldom((part) => part.offerRealName(() => void router.navigate({ to: paths.certifiedReal })));
}

/** In super mode there is none: its key is a cookie, and goes nowhere else. */
function prepareBackup(): void {
  const { brand, isBeta } = readBoot();
  if (isBeta || brand.backupOrigins.length === 0) return;
  // Our own host answers everything, as without backups, when the code does not come.
  whenIdle(() => withSeldom((part) => part.startBackupToken()));
}

/** Only this address tells the visitor's origin, so it is kept before a purchase asks for it. */
function noteArrival(): void {
  whenIdle(
    () =>
      void import('./platform/visitor/visitor.ts').then(
        ({ trafficSource, visit }) => {
          trafficSource(search);
          visit();
        },
        () => undefined,
      ),
  );
}

const tracking = createLater(() => import('./features/tracking/Tracking.tsx'));

function TrackingHost() {
  useEffect(() => (readBoot().brand.tracking ? whenIdle(tracking.warm) : undefined), []);
  const part = tracking.useModule();
  return part && <part.Tracking />;
}

/** Beside the root, which is one layer with all that is in it, and below every sheet. */
const overSheets = listenLess(document.createElement('div'));

/** Offers beside the page wait while a sheet is open: their button would lie over the sheet's. */
function ToastHost() {
  const isSheet = usePopups().length > 0;
  const toasts = useToasts().filter(({ tone, action }) => !isSheet || !action || tone !== 'plain');
  return createPortal(<Toasts toasts={toasts} />, overSheets);
}
