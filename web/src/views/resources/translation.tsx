import { graphql, useLazyLoadQuery } from 'react-relay';
import type { translationQuery } from '../../__generated__/translationQuery.graphql.ts';
import { ensure } from '../../app/error-boundary.tsx';
import { formatTime, languageOf, wordsOf } from '../../app/format.ts';
import { Link } from '../../app/router.tsx';
import { spaceTitle } from '../organization/space-title.ts';
import { Resource } from './resource.tsx';

export default function Translation(parameters: { organizationId: string; translationId: string }) {
  const data = useLazyLoadQuery<translationQuery>(
    graphql`
      query translationQuery($organizationId: ID!, $translationId: ID!) {
        organization(id: $organizationId) {
          translation(id: $translationId) {
            status language lastError updatedAt
            source { language space { title emoji urls { app } } }
            result {
              space { title emoji urls { app } }
            }
            progress { pagesDone pagesTotal }
            stats { totalWords untranslatedSegments }
          }
        }
      }
    `,
    parameters,
    { fetchPolicy: 'store-and-network' },
  );
  const { source, result, progress, stats, ...translation } = ensure(data.organization?.translation, 'translation');
  const linkTo = (space: typeof source.space) => space && <Link to={space.urls.app}>{spaceTitle(space)}</Link>;
  return (
    <Resource
      title={`${source.space?.title ?? 'Space'} in ${languageOf(translation.language)}`}
      fields={{
        Status: wordsOf(translation.status),
        Source: linkTo(source.space),
        Result: linkTo(result?.space),
        Pages: `${progress.pagesDone} of ${progress.pagesTotal}`,
        Words: stats.totalWords,
        'Segments to translate': stats.untranslatedSegments,
        Updated: formatTime(translation.updatedAt),
        Error: translation.lastError,
      }}
    />
  );
}
