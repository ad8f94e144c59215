import { graphql, useFragment } from 'react-relay';
import type { reply_reply$key } from '../../__generated__/reply_reply.graphql.ts';
import { DocumentView } from '../../document/document-view.tsx';
import type { Place } from '../../document/references.tsx';
import { Byline } from './byline.tsx';

export function Reply({ reply, place }: { reply: reply_reply$key; place: Place }) {
  const { postedAt, postedBy, body } = useFragment(
    graphql`
      fragment reply_reply on CommentReply {
        postedAt postedBy { displayName } body { document }
      }
    `,
    reply,
  );
  return (
    <div className="reply">
      <Byline name={postedBy?.displayName} time={postedAt} />
      <DocumentView document={body.document ?? { nodes: [] }} place={place} />
    </div>
  );
}
