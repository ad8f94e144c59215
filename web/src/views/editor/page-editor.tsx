import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { graphql, useFragment, useRelayEnvironment } from 'react-relay';
import type { pageEditor_page$key } from '../../__generated__/pageEditor_page.graphql.ts';
import type { pageEditorMutation } from '../../__generated__/pageEditorMutation.graphql.ts';
import { DocumentView } from '../../document/document-view.tsx';
import type { Place } from '../../document/references.tsx';
import { DraftStatus } from '../../drafts/draft-status.tsx';
import { placeIn } from '../../drafts/rebase.ts';
import type { Pending } from '../../drafts/stored-draft.ts';
import { type Acknowledgement, useDraft } from '../../drafts/use-draft.ts';
import { commit } from '../../relay/commit.ts';

/** How long the author pauses before the text is saved. */
const PATIENCE_MS = 1_000;

interface Props {
  /** Names the draft in this browser. */
  draftName: string;
  page: pageEditor_page$key;
  changeRequestId: string;
  place: Place;
  /** Called when others have edited the same place: the page is read again, to be compared with the text. */
  onConflict: () => void;
}

/**
 * The Markdown of a page beside its preview. The text is saved to the change request whenever the author pauses, and
 * the preview is the page as the service has it.
 */
export function PageEditor({ draftName, page, changeRequestId, place, onConflict }: Props) {
  const environment = useRelayEnvironment();
  const id = useId();
  const data = useFragment(
    graphql`
      fragment pageEditor_page on PageNode {
        pageId
        ... on DocumentPage { markdown document(evaluated: TRUE, dereferenced: TRUE) }
      }
    `,
    page,
  );
  const { pageId, markdown = '', document } = data;

  const save = async ({ text, idempotencyKey, base }: Pending): Promise<Acknowledgement> => {
    const { updateChangeRequestContent } = await commit<pageEditorMutation>(
      environment,
      graphql`
        mutation pageEditorMutation($input: UpdateChangeRequestContentInput!) {
          updateChangeRequestContent(input: $input) {
            pages { id pageId ... on DocumentPage { markdown } ...pageEditor_page }
            revision { id }
            previousRevision { id }
            changeRequest { id revision { id } }
          }
        }
      `,
      {
        input: {
          changeRequestId,
          baseRevisionId: base,
          changes: [{ updatePage: { pageId, document: { markdown: text } } }],
          idempotencyKey,
        },
      },
    );
    const { revision, previousRevision, pages = [] } = updateChangeRequestContent ?? {};
    // The page then has the edits of others too, even if this edit changed nothing.
    const isMerged = previousRevision?.id !== base;
    const merged = isMerged ? pages.find((candidate) => candidate.pageId === pageId)?.markdown : undefined;
    return { base: revision?.id, merged };
  };
  const { text, state, error, write, submit, flush, reset } = useDraft({
    name: draftName,
    saved: markdown,
    base: place.revisionId,
    send: save,
  });

  useEffect(() => {
    if (state !== 'kept') return undefined;
    const timer = setTimeout(() => void submit(), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [text, state, submit]);

  // An author who goes on to another view has not seen the last words being saved.
  useEffect(() => () => void flush(), [flush]);

  useEffect(() => {
    if (state === 'rejected') onConflict();
  }, [state, onConflict]);

  useEffect(() => {
    if (state === 'acknowledged') return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [state]);

  // Browsers move the caret to the end when a text gets the edits of others.
  const area = useRef<HTMLTextAreaElement>(null);
  const selected = useRef({ text, start: 0, end: 0 });
  const noteSelection = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement) => {
    selected.current = { text: value, start: selectionStart, end: selectionEnd };
  };
  useLayoutEffect(() => {
    const { text: former, start, end } = selected.current;
    if (!area.current || former === text || window.document.activeElement !== area.current) return;
    area.current.setSelectionRange(placeIn(text, former, start) ?? start, placeIn(text, former, end) ?? end);
    noteSelection(area.current);
  }, [text]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <>
      <p className="actions">
        <DraftStatus state={state} error={error} />
        {state === 'rejected' && (
          <>
            <button type="button" className="button" onClick={() => void submit(place.revisionId)}>
              Replace the page with my text
            </button>
            <button type="button" className="button" onClick={() => reset(markdown, place.revisionId)}>
              Discard my text
            </button>
          </>
        )}
      </p>
      <div className="editor">
        <section aria-labelledby={`${id}-source`}>
          <h2 id={`${id}-source`}>Markdown</h2>
          <textarea
            ref={area}
            aria-label="Markdown of the page"
            value={text}
            onChange={(event) => {
              noteSelection(event.target);
              write(event.target.value);
            }}
            onSelect={({ currentTarget }) => noteSelection(currentTarget)}
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
