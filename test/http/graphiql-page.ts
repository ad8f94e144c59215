import { createContext, runInContext } from 'node:vm';
import type { DocumentNode } from 'graphql';
import type { Root } from 'hast';
import { select } from 'hast-util-select';
import { parseHtml } from '../../src/lib/html/parse-html.ts';

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
  /** What GraphiQL has stored, such as its tabs. */
  tabs?: Map<string, string>;
}

/** The options of GraphiQL that the page sets. */
export interface GraphiqlOptions {
  query?: string;
  defaultTabs: { query: string; variables?: string }[];
  shouldPersistHeaders: boolean;
  fetcher(
    request: { query: string; variables?: object; operationName?: string },
    options: { documentAST?: DocumentNode },
  ): Promise<unknown> | AsyncIterableIterator<unknown>;
}

/**
 * Runs the script of the GraphiQL page that a service at a URL serves, on the elements of the page. GraphiQL itself is
 * not run: `drawn` has the options of each time that it would be.
 */
export async function openGraphiql(url: string, { stored, cookie, search = '', tabs = new Map() }: Opening = {}) {
  const page = `${url}/graphql${search}`;
  const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text();
  const tree = parseHtml(html.slice(0, html.indexOf('<script>')));
  const script = html.slice(html.lastIndexOf('(() => {'), html.lastIndexOf('</script>'));
  const find = finder(tree);
  const element = (selector: string) => find(selector) ?? noElement(selector);
  const drawn: GraphiqlOptions[] = [];
  const requests: { authorization: string | null }[] = [];
  const kept = new Map(stored === undefined ? [] : [['stemma.token', stored]]);
  let [reloads, address] = [0, search];
  const globals = createContext({
    URL,
    Headers,
    document: { querySelector: find },
    AbortController,
    TextDecoderStream,
    location: { href: page, pathname: '/graphql', reload: () => (reloads += 1) },
    history: { replaceState: (_state: null, _title: string, path: string) => (address = path), pushState: () => {} },
    sessionStorage: storageOf(kept),
    localStorage: storageOf(tabs),
    fetch(address: string, init: RequestInit) {
      const headers = new Headers(init.headers);
      requests.push({ authorization: headers.get('authorization') });
      if (cookie !== undefined) headers.set('cookie', cookie);
      headers.set('origin', url);
      return fetch(new URL(address, url), { ...init, headers });
    },
    YogaGraphiQL: { renderYogaGraphiQL: (_root: unknown, options: GraphiqlOptions) => drawn.push(options) },
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
    /** The address that the page shows. */
    address: () => address,
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

const storageOf = (values: Map<string, string>) => ({
  getItem: (key: string) => values.get(key) ?? null,
  setItem: (key: string, value: string) => values.set(key, value),
  removeItem: (key: string) => values.delete(key),
});

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
