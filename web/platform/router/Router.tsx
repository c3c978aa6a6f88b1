// The router in React: the place that is shown, links to others, and the way to go there.
import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react';
import type { Place, Router, Search, Target } from './router.ts';

const RouterContext = createContext<{ router: Router; place: Place } | null>(null);

function useRouter() {
  const found = useContext(RouterContext);
  if (!found) throw new Error('links and places of the router are for components inside RouterProvider');
  return found;
}

export function RouterProvider({ router, children }: { router: Router; children: ReactNode }) {
  const [place, setPlace] = useState(router.place);
  useEffect(() => {
    // In slices: the page before stays in sight and answers meanwhile.
    const take = (next: Place) => startTransition(() => setPlace(next));
    // It may have moved since it was drawn.
    take(router.place);
    return router.watch(take);
  }, [router]);
  return <RouterContext value={{ router, place }}>{children}</RouterContext>;
}

/** The path that is shown. */
export function usePath(): string {
  return useRouter().place.path;
}

/** The query that is shown: only keys of ours. */
export function useSearch(): Search {
  return useRouter().place.search;
}

export function useNavigate(): Router['navigate'] {
  return useRouter().router.navigate;
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'onClick' | 'target'> & Target;

/** A link to a page of ours. Its code comes ahead when somebody reaches for it. */
export function Link({ to, search, replace, children, ...rest }: LinkProps) {
  const { router, place } = useRouter();
  const target: Target = { to, ...(search && { search }), ...(replace && { replace }) };
  const warm = () => router.preload(to);
  const go = (event: MouseEvent) => {
    // Another tab or window is the browser's business.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate(target);
  };
  return (
    <a {...rest} href={router.hrefOf(target, place)} onClick={go} onFocus={warm} onPointerEnter={warm}>
      {children}
    </a>
  );
}
