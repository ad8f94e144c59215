import { graphql, useFragment } from 'react-relay';
import type { changes_change$data, changes_change$key } from '../../__generated__/changes_change.graphql.ts';
import { wordsOf } from '../../app/format.ts';
import { Scrollable } from '../../document/scrollable.tsx';
import { BlockChanges } from './block-changes.tsx';

/** One difference between two revisions. */
export function Change({
  change,
  action,
}: {
  change: changes_change$key;
  action?: (pageId: string) => React.ReactNode;
}) {
  const data = useFragment(
    graphql`
      fragment changes_change on SemanticChange {
        __typename targetId
        ... on PageCreated {
          page { __typename pageId title path ... on DocumentPage { markdown } }
        }
        ... on PageEdited {
          page { __typename pageId title path } fields { name before after }
          ...blockChanges_change @alias(as: "edited")
        }
        ... on PageMoved {
          page { __typename pageId title } from { path } to { path }
        }
        ... on PageDeleted { page { pageId title path } }
        ... on FileCreated { file { name } }
        ... on FileEdited { file { name } }
        ... on FileDeleted { file { name } }
      }
    `,
    change,
  );
  const title = data.page?.title ?? data.file?.name ?? '';
  // Only documents have a text to edit.
  const isEditable = data.page?.__typename === 'DocumentPage' && data.__typename !== 'PageDeleted';
  return (
    <section className="change" aria-label={`${wordsOfType(data.__typename)} ${title}`}>
      <header>
        <span className={`chip ${data.__typename}`}>{wordsOfType(data.__typename)}</span>
        <h3>{title || data.targetId}</h3>
        {isEditable && action?.(data.page.pageId)}
      </header>
      <Details data={data} />
    </section>
  );
}

/** `PageEdited` as words. */
const wordsOfType = (type: string) => wordsOf(type.replaceAll(/(?!^)([A-Z])/g, '_$1'));

function Details({ data }: { data: changes_change$data }) {
  switch (data.__typename) {
    case 'PageMoved':
      return (
        <p>
          From <del>{data.from?.path || '/'}</del> to <ins>{data.to?.path || '/'}</ins>
        </p>
      );
    case 'PageCreated':
      return data.page?.markdown ? (
        <Scrollable label="Content of the page" className="block-change added">
          <pre>{data.page.markdown}</pre>
        </Scrollable>
      ) : null;
    case 'PageEdited':
      return (
        <>
          {data.fields
            ?.filter(({ name }) => name !== 'document')
            .map(({ name, before, after }) => (
              <p key={name}>
                {wordsOf(name)}: <del>{textOf(before)}</del> <ins>{textOf(after)}</ins>
              </p>
            ))}
          {data.edited && <BlockChanges change={data.edited} />}
        </>
      );
    default:
      return null;
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
