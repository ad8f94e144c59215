/*
 * Part of the GraphiQL page, before GraphiQL is drawn, which waits for a session, a valid token or the choice to continue without
 * one. All requests of GraphiQL, including subscriptions, carry the token unless "Headers" contains another, and show results as
 * they came.
 */
(() => {
  const KEY = 'stemma.token';
  const NONE = 'none';
  const SESSION = 'session';
  const send = globalThis.fetch.bind(globalThis);
  const find = (selector) => document.querySelector(selector);
  const prompt = find('.prompt');
  const input = find('#token');
  const alert = prompt.querySelector('[role=alert]');
  const draw = YogaGraphiQL.renderYogaGraphiQL;
  let begin = () => {};

  globalThis.fetch = (address, init = {}) => {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem(KEY);
    if (token && token !== NONE && token !== SESSION && !headers.has('authorization'))
      headers.set('authorization', `Bearer ${token}`);
    return send(address, { ...init, headers });
  };

  // Ids of what the caller can see, for the variables of the tabs.
  const examples = { query: 'page', markdown: 'Written in GraphiQL.' };
  const VIEWER =
    '{ viewer { id displayName organizations(first: 1) { nodes { id spaces(first: 1) { nodes { id revision { pages { pageId path urls { app } __typename } } } } } } } }';
  const DISCUSSED =
    'query($id: ID!) { space(id: $id) { changeRequests(first: 1, status: ALL) { nodes { id } } comments(first: 1) { nodes { id } } } }';

  async function ask(token, request) {
    const headers = { 'content-type': 'application/json' };
    if (token !== SESSION) headers.authorization = `Bearer ${token}`;
    const response = await send(location.pathname, { method: 'POST', headers, body: JSON.stringify(request) });
    return response.json();
  }

  async function nameOf(token) {
    const { data, errors } = await ask(token, { query: VIEWER });
    if (!data?.viewer) throw new Error(errors ? errors[0].message : 'The service did not respond.');
    noteExamples(data.viewer);
    if (examples.spaceId) await noteDiscussion(token, examples.spaceId).catch(() => undefined);
    return data.viewer.displayName;
  }

  function noteExamples({ id, organizations }) {
    const [organization] = organizations.nodes;
    const [space] = organization ? organization.spaces.nodes : [];
    const pages = space?.revision ? space.revision.pages : [];
    const page = pages.find(({ __typename }) => __typename === 'DocumentPage');
    examples.userId = id;
    if (organization) examples.organizationId = organization.id;
    if (space) examples.spaceId = space.id;
    if (page) Object.assign(examples, { pageId: page.pageId, path: page.path, url: page.urls.app });
  }

  async function noteDiscussion(token, id) {
    const { data } = await ask(token, { query: DISCUSSED, variables: { id } });
    const [changeRequest] = data.space.changeRequests.nodes;
    const [comment] = data.space.comments.nodes;
    if (changeRequest) examples.changeRequestId = changeRequest.id;
    if (comment) examples.commentId = comment.id;
  }

  function withExamples({ query, variables }) {
    const names = Object.keys(JSON.parse(variables));
    if (names.length === 0) return { query };
    const filled = Object.fromEntries(names.map((name) => [name, examples[name] ?? '']));
    return { query, variables: JSON.stringify(filled, null, 2) };
  }

  // GraphiQL's own requests print documents anew and drop the locations of errors. For a moment after another tab was chosen,
  // GraphiQL names the operation of the former one.
  function request({ query, variables, operationName: named }, { headers, documentAST } = {}) {
    const isDefined =
      named &&
      ['query ', 'mutation ', 'subscription '].some((kind) =>
        query
          .split(kind + named)
          .slice(1)
          .some((rest) => !/^[A-Za-z0-9_]/.test(rest)),
      );
    const operationName = isDefined ? named : undefined;
    const isNamed = ({ name }) => !operationName || (name && name.value === operationName);
    const operation = documentAST?.definitions.find((node) => node.kind === 'OperationDefinition' && isNamed(node));
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables, operationName }),
    };
    if (operation && operation.operation === 'subscription') return follow(init);
    return fetch(location.pathname, init).then((response) => response.json());
  }

  // The results of a subscription. Ending it ends the request.
  function follow(init) {
    const ended = new AbortController();
    const results = resultsOf({
      ...init,
      headers: { ...init.headers, accept: 'text/event-stream' },
      signal: ended.signal,
    });
    return {
      next: () =>
        results.next().catch((error) => {
          if (ended.signal.aborted) return { done: true, value: undefined };
          throw error;
        }),
      return() {
        ended.abort();
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async function* resultsOf(init) {
    const response = await fetch(location.pathname, init);
    if (!response.headers.get('content-type').startsWith('text/event-stream')) {
      yield response.json();
      return;
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const frames = (text + read.value).split('\n\n');
      text = frames.pop();
      for (const frame of frames) {
        const data = frame.split('\n').find((line) => line.startsWith('data: '));
        if (frame.startsWith('event: next') && data) yield JSON.parse(data.slice('data: '.length));
      }
    }
  }

  function open(token, name) {
    sessionStorage.setItem(KEY, token);
    find('[data-who]').textContent = name;
    find('[data-change]').textContent = token === NONE || token === SESSION ? 'Enter a token' : 'Change token';
    prompt.close();
    begin();
    begin = () => location.reload();
  }

  async function tryToken(token) {
    alert.textContent = '';
    try {
      open(token, await nameOf(token));
    } catch (error) {
      alert.textContent = error.message;
      if (!prompt.open) prompt.showModal();
      input.focus();
    }
  }

  // Without a token, the session of the browser is used if there is one.
  async function trySession() {
    try {
      open(SESSION, await nameOf(SESSION));
    } catch {
      sessionStorage.removeItem(KEY);
      prompt.showModal();
    }
  }

  prompt.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    tryToken(input.value.trim().replace(/^Bearer /i, ''));
  });
  find('[data-without]').addEventListener('click', () => open(NONE, 'No token'));
  find('[data-change]').addEventListener('click', () => prompt.showModal());

  // GraphiQL opens the tab with the text and the variables that it stored last, or a new tab if no tab has both. It stores
  // them when they are edited, but not when another tab is chosen.
  function choose({ query, variables }) {
    for (const [name, text] of Object.entries({ query, variables })) {
      if (text) localStorage.setItem(`graphiql:${name}`, text);
      else localStorage.removeItem(`graphiql:${name}`);
    }
  }

  function activeTab() {
    try {
      const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
      return tabs[activeTabIndex];
    } catch {
      return undefined; // no tabs
    }
  }

  // The query of a link opens in a tab of its own. Unlike Yoga's page, this one does not write the edited text into the
  // address: a reload would open it as another link.
  function optionsOf(options) {
    const { searchParams } = new URL(location.href);
    const [query, variables] = [searchParams.get('query'), searchParams.get('variables')];
    const linked = query === null ? undefined : { query, variables };
    const chosen = linked ?? activeTab();
    if (chosen) choose(chosen);
    history.replaceState(null, '', location.pathname);
    history.pushState = () => {};
    const tabs = options.defaultTabs.map(withExamples);
    return { ...options, defaultTabs: linked ? [linked, ...tabs] : tabs, fetcher: request, query: undefined };
  }

  YogaGraphiQL.renderYogaGraphiQL = (root, options) => {
    begin = () => draw(root, optionsOf(options));
    const token = sessionStorage.getItem(KEY);
    if (token === null || token === SESSION) trySession();
    else if (token === NONE) open(NONE, 'No token');
    else tryToken(token);
  };
})();
