/** A conflict as the merge returns it. */
export interface ReturnedConflict {
  id: string;
  base: string;
  ours: string;
  theirs: string;
}

/** A person who edits a space in one change request, through the graph and with their own token. */
export class Author {
  readonly #url: string;
  readonly #token: string;
  #changeRequestId = '';

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Creates a space with one page in the author's first organization. */
  async makeSpace(paragraphs: string[]): Promise<{ spaceId: string; pageId: string }> {
    const { viewer } = await this.#ask('{ viewer { organizations(first: 1) { nodes { id } } } }');
    const input = { organizationId: viewer.organizations.nodes[0]?.id, title: 'How to make tea', empty: true };
    const { space } = await this.#do('createSpace', input, 'space { id }');
    const changes = [{ insertPage: { title: 'Tea', document: { markdown: paragraphs.join('\n\n') } } }];
    const response = await this.#do(
      'updateSpaceContent',
      { spaceId: space.id, changes },
      'space { revision { pages { ... on PageNode { pageId } } } }',
    );
    return { spaceId: space.id, pageId: response.space.revision.pages[0].pageId };
  }

  async begin(spaceId: string, subject: string): Promise<void> {
    const { changeRequest } = await this.#do('createChangeRequest', { spaceId, subject }, 'changeRequest { id }');
    this.#changeRequestId = changeRequest.id;
  }

  /** Replaces the content of a page, and adds a page. */
  async write(pageId: string, paragraphs: string[], added?: { title: string; body: string }): Promise<void> {
    const updatePage = { pageId, document: { markdown: paragraphs.join('\n\n') } };
    const insertPage = added && { title: added.title, document: { markdown: added.body } };
    const changes = [{ updatePage }, ...(insertPage ? [{ insertPage }] : [])];
    await this.#doInChangeRequest('updateChangeRequestContent', { changes }, 'changeRequest { id }');
  }

  /** Result of the merge: `MERGE`, or `CONFLICTS` if nothing was merged. */
  async merge(): Promise<string> {
    return (await this.#doInChangeRequest('mergeChangeRequest', {}, 'result')).result;
  }

  async conflicts(): Promise<ReturnedConflict[]> {
    const query = `query($id: ID!) { changeRequest(id: $id) { mergeability {
      conflicts { id base { markdown } ours { markdown } theirs { markdown } } } } }`;
    const { changeRequest } = await this.#ask(query, { id: this.#changeRequestId });
    const textOf = (version: { markdown: string | null } | null) => version?.markdown?.trim() ?? '';
    return changeRequest.mergeability.conflicts.map(({ id, base, ours, theirs }: Record<string, never>) => ({
      id,
      base: textOf(base ?? null),
      ours: textOf(ours ?? null),
      theirs: textOf(theirs ?? null),
    }));
  }

  /** Resolves all conflicts with the same text. Result: `UPDATE`. */
  async settle(conflicts: ReturnedConflict[], markdown: string): Promise<string> {
    const resolutions = conflicts.map(({ id }) => ({ conflictId: id, markdown }));
    return (await this.#doInChangeRequest('resolveChangeRequestConflicts', { resolutions }, 'result')).result;
  }

  /** The text of every page of the primary content. */
  async read(spaceId: string): Promise<string[]> {
    const query = 'query($id: ID!) { space(id: $id) { revision { pages { ... on DocumentPage { markdown } } } } }';
    const { space } = await this.#ask(query, { id: spaceId });
    return space.revision.pages.map(({ markdown }: { markdown?: string }) => markdown ?? '');
  }

  #doInChangeRequest(mutation: string, input: object, selection: string) {
    return this.#do(mutation, { changeRequestId: this.#changeRequestId, ...input }, selection);
  }

  async #do(mutation: string, input: object, selection: string) {
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const response = await this.#ask(`mutation($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`, {
      input,
    });
    return response[mutation];
  }

  // biome-ignore lint/suspicious/noExplicitAny: the shape of a response depends on the query.
  async #ask(query: string, variables: object = {}): Promise<any> {
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
    return data;
  }
}
