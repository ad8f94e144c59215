import { useEffect } from 'react';
import { graphql, usePaginationFragment } from 'react-relay';
import type { ChangeRequestChangesPaginationQuery } from '../../__generated__/ChangeRequestChangesPaginationQuery.graphql.ts';
import type { changeRequestChanges_changeRequest$key } from '../../__generated__/changeRequestChanges_changeRequest.graphql.ts';
import { LoadMore } from '../../app/load-more.tsx';
import { Link } from '../../app/router.tsx';
import { Change } from '../changes/changes.tsx';
import type { Shown } from './use-change-request-updates.ts';

/** As the fragment has it by default. */
const PAGE_SIZE = 20;

interface Props {
  changeRequest: changeRequestChanges_changeRequest$key;
  base: string;
  mayEdit: boolean;
  /** Where the list notes how many changes it shows. */
  shown: { current: Shown };
}

/** What a change request changes. */
export function ChangeRequestChanges({ changeRequest, base, mayEdit, shown }: Props) {
  const pagination = usePaginationFragment<ChangeRequestChangesPaginationQuery, changeRequestChanges_changeRequest$key>(
    graphql`
      fragment changeRequestChanges_changeRequest on ChangeRequest
      @refetchable(queryName: "ChangeRequestChangesPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 20}, cursor: {type: "String"}) {
        changes(first: $count, after: $cursor) @connection(key: "changeRequestChanges_changes") {
          edges { node { targetId ...changes_change } }
        }
      }
    `,
    changeRequest,
  );
  const { edges } = pagination.data.changes;
  useEffect(() => {
    shown.current.changes = Math.max(PAGE_SIZE, edges.length);
  }, [shown, edges.length]);
  const edit = (pageId: string) =>
    mayEdit && (
      <Link className="small-button" to={`${base}/pages/${pageId}`}>
        Edit
      </Link>
    );
  return (
    <section>
      <h2>Changes</h2>
      {edges.length === 0 && <p className="muted">Nothing has been changed yet.</p>}
      {edges.map(({ node }, index) => (
        <Change key={`${node.targetId}-${index}`} change={node} action={edit} />
      ))}
      <LoadMore pagination={pagination} count={PAGE_SIZE} />
    </section>
  );
}
