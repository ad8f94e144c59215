import { Suspense, useEffect, useMemo } from 'react';
import { graphql, useFragment } from 'react-relay';
import type { pageContent_page$key } from '../../__generated__/pageContent_page.graphql.ts';
import type { pageContent_space$key } from '../../__generated__/pageContent_space.graphql.ts';
import { ErrorBoundary } from '../../app/error-boundary.tsx';
import { emojiOf } from '../../app/format.ts';
import { LinkList } from '../../app/link-list.tsx';
import { Link, useRouter } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { DocumentView } from '../../document/document-view.tsx';
import { type DocumentJson, headingsOf } from '../../document/nodes.ts';
import { PageComments } from '../comments/page-comments.tsx';
import { EditButton } from './edit-button.tsx';
import { Neighbours } from './neighbours.tsx';
import { Outline } from './outline.tsx';

interface Props {
  space: pageContent_space$key;
  page: pageContent_page$key;
}

/** The title, body and surroundings of a page. */
export function PageContent({ space, page }: Props) {
  const {
    id: spaceId,
    organization,
    permissions,
  } = useFragment(
    graphql`
      fragment pageContent_space on Space {
        id organization { id } permissions { comment edit }
      }
    `,
    space,
  );
  const data = useFragment(
    graphql`
      fragment pageContent_page on PageNode {
        __typename pageId title emoji
        ancestors { id title urls { app } }
        revision { id }
        ... on DocumentPage { description document(evaluated: TRUE, dereferenced: TRUE) }
        ... on LinkPage { href target { ref } }
        ... on GroupPage {
          pages { id title urls { app } }
        }
        ...neighbours_page
      }
    `,
    page,
  );
  const document = data.document as DocumentJson | undefined;
  const headings = useMemo(() => (document ? headingsOf(document) : []), [document]);
  const { hash } = useRouter().location;
  useEffect(() => {
    if (hash !== '') window.document.getElementById(idIn(hash))?.scrollIntoView();
  }, [hash]);
  const place = { organizationId: organization?.id, spaceId, contentId: spaceId, revisionId: data.revision.id };
  return (
    <div className="page">
      <article className="page-body">
        {data.ancestors.length > 0 && (
          <nav aria-label="Ancestors" className="crumbs">
            {data.ancestors.map(({ id, title, urls }) => (
              <span key={id}>
                <Link to={urls.app}>{title}</Link>
              </span>
            ))}
          </nav>
        )}
        <div className="page-title">
          <Title text={data.title || 'Untitled'}>
            {emojiOf(data.emoji)} {data.title || 'Untitled'}
          </Title>
          {permissions.edit && data.__typename === 'DocumentPage' && (
            <EditButton spaceId={spaceId} pageId={data.pageId} title={data.title} />
          )}
        </div>
        {data.description && <p className="description">{data.description}</p>}
        {document && <DocumentView document={document} place={place} />}
        {data.href && (
          <p className="card">
            <a href={data.href}>{data.href}</a>
          </p>
        )}
        {!data.href && data.target && <DocumentView document={linkTo(data.target.ref)} place={place} />}
        {data.pages && <LinkList items={data.pages} />}
        {data.__typename === 'ComputedPage' && <p className="muted">The source of this page cannot be read.</p>}
        <Neighbours page={data} />
        <ErrorBoundary resetKey={data.pageId}>
          <Suspense fallback={null}>
            <PageComments spaceId={spaceId} pageId={data.pageId} mayComment={permissions.comment} />
          </Suspense>
        </ErrorBoundary>
      </article>
      {headings.length > 1 && <Outline headings={headings} />}
    </div>
  );
}

/** A document with nothing but a link, whose target is read like those of other documents. */
const linkTo = (ref: unknown): DocumentJson => ({ nodes: [{ object: 'block', type: 'content-ref', data: { ref } }] });

/** The id that the fragment of an address names. One that is not encoded is taken as it is. */
function idIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
