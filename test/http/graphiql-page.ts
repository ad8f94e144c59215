import { createContext, runInContext } from 'node:vm';
import type { Root } from 'hast';
import { select } from 'hast-util-select';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';

/** An element of the page, as far as its script uses one. */
class PageElement {
  textContent = '';
  value = '';
  /** Of a dialog. */
  open = false;
  readonly #find: (selector: string) => PageElement | null;
  readonly #listeners = new Map<string, (event: { preventDefault(): void }) => void>();

  constructor(find: (selector: string) => PageElement | null) {
    this.#find = find;
  }

  querySelector(selector: string): PageElement | null {
    return this.#find(selector);
  }

  addEventListener(type: string, listener: (event: { preventDefault(): void }) => void): void {
    this.#listeners.set(type, listener);
  }

  dispatch(type: string): void {
    this.#listeners.get(type)?.({ preventDefault: () => {} });
  }

  showModal(): void {
    this.open = true;
  }

  close(): void {
    this.open = false;
  }

  focus(): void {}
}

interface Opening {
  /** What the tab remembers. */
  stored?: string;
  cookie?: string;
  /** Query of the address. */
  search?: string;
}

/**
 * Runs the script of the GraphiQL page that a service at a URL serves, on the elements of the page. GraphiQL itself is not run:
 * `drawn` has the options of each time that it would be.
 */
export async function openGraphiql(url: string, { stored, cookie, search = '' }: Opening = {}) {
  const page = `${url}/graphql${search}`;
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
  const tree = unified()
    .use(rehypeParse)
    .parse(html.slice(0, html.indexOf('<script>')));
  const script = html.slice(html.lastIndexOf('(() => {'), html.lastIndexOf('</script>'));
  const find = finder(tree);
  const element = (selector: string) => find(selector) ?? noElement(selector);
  const drawn: Record<string, unknown>[] = [];
  const requests: { authorization: string | null }[] = [];
  const kept = new Map(stored === undefined ? [] : [['stemma.token', stored]]);
  let reloads = 0;
  const globals = createContext({
    URL,
    Headers,
    document: { querySelector: find },
    location: { href: page, pathname: '/graphql', reload: () => (reloads += 1) },
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
    fetch(address: string, init: RequestInit) {
      const headers = new Headers(init.headers);
      requests.push({ authorization: headers.get('authorization') });
      if (cookie !== undefined) headers.set('cookie', cookie);
      headers.set('origin', url);
      return fetch(new URL(address, url), { ...init, headers });
    },
    YogaGraphiQL: { renderYogaGraphiQL: (_root: unknown, options: Record<string, unknown>) => drawn.push(options) },
  });
  globals.window = globals;
  runInContext(script, globals);
  return {
    prompt: element('.prompt'),
    alert: element('[role=alert]'),
    who: element('[data-who]'),
    drawn,
    requests,
    reloads: () => reloads,
    stored: () => kept.get('stemma.token'),
    enter(token: string) {
      element('#token').value = token;
      element('.prompt form').dispatch('submit');
    },
    click: (selector: string) => element(selector).dispatch('click'),
    /** Sends a request as GraphiQL does. */
    send: (headers: Record<string, string> = {}): Promise<Response> =>
      globals.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query: '{ viewer { displayName } }' }),
      }),
  };
}

/** Finds elements of a tree, each as one object. */
function finder(tree: Root): (selector: string) => PageElement | null {
  const elements = new Map<unknown, PageElement>();
  return function find(selector) {
    const node = select(selector, tree);
    if (!node) return null;
    const element = elements.get(node) ?? new PageElement(find);
    elements.set(node, element);
    return element;
  };
}

function noElement(selector: string): never {
  throw new Error(`The page has no ${selector}.`);
}
