/** What all three versions of one place say, by the id of the conflict. */
export interface ShownConflict {
  id: string;
  base: string;
  ours: string;
  theirs: string;
}

/** Somebody who works on a space through the graph, by a token of their own, in one change request. */
export class Author {
  readonly #url: string;
  readonly #token: string;
  #changeRequestId = '';

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** A space with one page, in the first organization of the author. */
  async makeSpace(paragraphs: string[]): Promise<{ spaceId: string; pageId: string }> {
    const { viewer } = await this.#ask('{ viewer { organizations(first: 1) { nodes { id } } } }');
    const input = { organizationId: viewer.organizations.nodes[0]?.id, title: 'How to make tea', empty: true };
    const { space } = await this.#do('createSpace', input, 'space { id }');
    const changes = [{ insertPage: { title: 'Tea', document: { markdown: paragraphs.join('\n\n') } } }];
    const written = await this.#do(
      'updateSpaceContent',
      { spaceId: space.id, changes },
      'space { revision { pages { ... on PageNode { pageId } } } }',
    );
    return { spaceId: space.id, pageId: written.space.revision.pages[0].pageId };
  }

  async begin(spaceId: string, subject: string): Promise<void> {
    const { changeRequest } = await this.#do('createChangeRequest', { spaceId, subject }, 'changeRequest { id }');
    this.#changeRequestId = changeRequest.id;
  }

  /** Writes a page anew, and adds one. */
  async write(pageId: string, paragraphs: string[], added?: { title: string; body: string }): Promise<void> {
    const updatePage = { pageId, document: { markdown: paragraphs.join('\n\n') } };
    const insertPage = added && { title: added.title, document: { markdown: added.body } };
    const changes = [{ updatePage }, ...(insertPage ? [{ insertPage }] : [])];
    await this.#own('updateChangeRequestContent', { changes }, 'changeRequest { id }');
  }

  /** What came of it: `MERGE`, or `CONFLICTS` and nothing written. */
  async merge(): Promise<string> {
    return (await this.#own('mergeChangeRequest', {}, 'result')).result;
  }

  async conflicts(): Promise<ShownConflict[]> {
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

  /** Settles every conflict by one text: `UPDATE`. */
  async settle(conflicts: ShownConflict[], markdown: string): Promise<string> {
    const resolutions = conflicts.map(({ id }) => ({ conflictId: id, markdown }));
    return (await this.#own('resolveChangeRequestConflicts', { resolutions }, 'result')).result;
  }

  /** The text of every page of the primary content. */
  async read(spaceId: string): Promise<string[]> {
    const query = 'query($id: ID!) { space(id: $id) { revision { pages { ... on DocumentPage { markdown } } } } }';
    const { space } = await this.#ask(query, { id: spaceId });
    return space.revision.pages.map(({ markdown }: { markdown?: string }) => markdown ?? '');
  }

  #own(mutation: string, input: object, selection: string) {
    return this.#do(mutation, { changeRequestId: this.#changeRequestId, ...input }, selection);
  }

  async #do(mutation: string, input: object, selection: string) {
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const answer = await this.#ask(`mutation($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`, {
      input,
    });
    return answer[mutation];
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of the query that is sent.
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
