import { graphql, useLazyLoadQuery, useRelayEnvironment } from 'react-relay';
import type { conflictsQuery } from '../../__generated__/conflictsQuery.graphql.ts';
import conflictsDocument from '../../__generated__/conflictsQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { Link, pathOf } from '../../app/router.tsx';
import { Title } from '../../app/title.tsx';
import { refresh } from '../../relay/refresh.ts';
import { ConflictForm } from './conflict-form.tsx';

/** The conflicts of a change request with its space, side by side. */
export default function Conflicts({ spaceId, number }: { spaceId: string; number: string }) {
  const environment = useRelayEnvironment();
  const variables = { spaceId, number: Number(number) };
  const { space } = useLazyLoadQuery<conflictsQuery>(
    graphql`
      query conflictsQuery($spaceId: ID!, $number: Int!) {
        space(id: $spaceId) {
          changeRequest(number: $number) {
            id subject urls { app }
            ...conflictForm_changeRequest
          }
        }
      }
    `,
    variables,
    { fetchPolicy: 'network-only' },
  );
  const changeRequest = ensure(space?.changeRequest, 'change request');
  return (
    <div className="narrow wide">
      <Link to={pathOf(changeRequest.urls.app)}>
        #{number} {changeRequest.subject}
      </Link>
      <Title text="Conflicts" />
      <ConflictForm
        changeRequest={changeRequest}
        base={pathOf(changeRequest.urls.app)}
        onOutdated={() => refresh<conflictsQuery>(environment, conflictsDocument, variables)}
      />
    </div>
  );
}
