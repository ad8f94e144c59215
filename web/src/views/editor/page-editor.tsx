import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';
import type { pageEditor_page$key } from '../../__generated__/pageEditor_page.graphql.ts';
import type { pageEditorMutation } from '../../__generated__/pageEditorMutation.graphql.ts';
import { DocumentView } from '../../document/document-view.tsx';
import type { Place } from '../../document/references.tsx';
import { DraftStatus } from '../../drafts/draft-status.tsx';
import type { Pending } from '../../drafts/stored-draft.ts';
import { useDraft } from '../../drafts/use-draft.ts';
import { commit } from '../../relay/commit.ts';

/** How long the author pauses before the text is saved. */
const PATIENCE_MS = 1_000;

interface Props {
  page: pageEditor_page$key;
  changeRequestId: string;
  place: Place;
}

/**
 * The Markdown of a page beside its preview. The text is saved to the change request whenever the author pauses, and the preview is
 * the page as the service has it.
 */
export function PageEditor({ page, changeRequestId, place }: Props) {
  const environment = useRelayEnvironment();
  const id = useId();
  const data = useFragment(
    graphql`
      fragment pageEditor_page on PageNode {
        pageId
        ... on DocumentPage {
          markdown
          document(evaluated: TRUE, dereferenced: TRUE)
        }
      }
    `,
    page,
  );
  const { pageId, markdown = '', document } = data;
  /** The revision that the text was written upon: the last one that has what the author sees. */
  const base = useRef(place.revisionId);

  const save = async ({ text, idempotencyKey, base: baseRevisionId }: Pending) => {
    const { updateChangeRequestContent } = await commit<pageEditorMutation>(
      environment,
      graphql`
        mutation pageEditorMutation($input: UpdateChangeRequestContentInput!) {
          updateChangeRequestContent(input: $input) {
            pages {
              id
              ...pageEditor_page
            }
            changeRequest {
              id
              revision {
                id
              }
            }
          }
        }
      `,
      {
        input: {
          changeRequestId,
          baseRevisionId,
          changes: [{ updatePage: { pageId, document: { markdown: text } } }],
          idempotencyKey,
        },
      },
    );
    base.current = updateChangeRequestContent?.changeRequest.revision?.id ?? base.current;
  };
  const draft = useDraft({ name: `page:${changeRequestId}:${pageId}`, saved: markdown, send: save });
  const { text, state, error, write, submit, discard } = draft;

  useEffect(() => {
    if (state !== 'kept') return undefined;
    const timer = setTimeout(() => void submit(base.current), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text, state, submit]);

  useEffect(() => {
    if (state === 'acknowledged') return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [state]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit(base.current);
  };
  return (
    <>
      <p className="actions">
        <DraftStatus state={state} error={error} />
        {state === 'rejected' && (
          <>
            <button type="button" className="button" onClick={() => void submit(base.current)}>
              Save again
            </button>
            <button type="button" className="button" onClick={() => discard(markdown)}>
              Discard my text
            </button>
          </>
        )}
      </p>
      <div className="editor">
        <section aria-labelledby={`${id}-source`}>
          <h2 id={`${id}-source`}>Markdown</h2>
          <textarea
            aria-label="Markdown of the page"
            value={text}
            onChange={({ target }) => write(target.value)}
            onKeyDown={onKeyDown}
          />
        </section>
        <section aria-labelledby={`${id}-preview`}>
          <h2 id={`${id}-preview`}>Preview</h2>
          {document && <DocumentView document={document} place={place} />}
        </section>
      </div>
    </>
  );
}
