import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  useTransition,
} from 'react';

/** Where the application is served, see `urls.app` in the graph. */
export const BASE = '/app';

interface Location {
  /** Path below `/app`, with a leading slash. */
  path: string;
  search: string;
  hash: string;
}

interface Router {
  location: Location;
  /** Opens an address below `/app`, or one of `urls.app`. */
  navigate(to: string, options?: { replace?: boolean }): void;
  /** Whether the next view is loading. The last one is still shown. */
  isPending: boolean;
}

const RouterContext = createContext<Router | undefined>(undefined);

export function useRouter(): Router {
  const router = use(RouterContext);
  if (!router) throw new Error('useRouter() was called outside a RouterProvider.');
  return router;
}

/** The path below `/app` of an address of the graph (`urls.app`), or of a path. */
export function pathOf(address: string): string {
  const { pathname, search, hash } = new URL(address, window.location.href);
  return `${pathname.startsWith(BASE) ? pathname.slice(BASE.length) || '/' : pathname}${search}${hash}`;
}

const currentLocation = (): Location => {
  const { pathname, search, hash } = window.location;
  return { path: pathname.slice(BASE.length).replace(/\/$/, '') || '/', search, hash };
};

/** Keeps the address of the browser and what is shown the same. */
export function RouterProvider({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(currentLocation);
  const [isPending, startTransition] = useTransition();

  useEffect(() => {
    const onPopState = () => startTransition(() => setLocation(currentLocation()));
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);

  const navigate = useCallback<Router['navigate']>((to, { replace = false } = {}) => {
    const before = window.location.pathname;
    window.history[replace ? 'replaceState' : 'pushState'](null, '', `${BASE}${pathOf(to).replace(/^\/$/, '')}`);
    startTransition(() => setLocation(currentLocation()));
    if (window.location.pathname !== before && window.location.hash === '') window.scrollTo(0, 0);
  }, []);

  const router = useMemo(() => ({ location, navigate, isPending }), [location, navigate, isPending]);
  return <RouterContext value={router}>{children}</RouterContext>;
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string };

/** A link within the application: the browser handles new tabs, copying the address and so on as usual. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { navigate } = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(to);
  };
  return <a {...rest} href={`${BASE}${pathOf(to).replace(/^\/$/, '')}`} onClick={follow} />;
}
