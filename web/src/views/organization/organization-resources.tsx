import { graphql, useFragment } from 'react-relay';
import type { organizationResources_organization$key } from '../../__generated__/organizationResources_organization.graphql.ts';
import { languageOf } from '../../app/format.ts';
import { LinkSection } from '../../app/link-list.tsx';

/** Resources with a page of their own: sites, specifications, translations and clusters of issues. */
export function OrganizationResources({ organization }: { organization: organizationResources_organization$key }) {
  const data = useFragment(
    graphql`
      fragment organizationResources_organization on Organization {
        id
        sites(first: 50) {
          nodes { id title urls { app } }
          pageInfo { hasNextPage }
        }
        openApiSpecs(first: 50) {
          nodes { id slug urls { app } }
          pageInfo { hasNextPage }
        }
        translations(first: 50) {
          nodes { id language source { space { title } } }
          pageInfo { hasNextPage }
        }
        issuesClusters(first: 50) {
          nodes { id label urls { app } }
          pageInfo { hasNextPage }
        }
      }
    `,
    organization,
  );
  const { sites, openApiSpecs, translations, issuesClusters } = data;
  return (
    <>
      <LinkSection title="Sites" items={sites.nodes} hasMore={sites.pageInfo.hasNextPage} />
      <LinkSection
        title="OpenAPI specifications"
        items={openApiSpecs?.nodes.map((spec) => ({ ...spec, title: spec.slug })) ?? []}
        hasMore={openApiSpecs?.pageInfo.hasNextPage ?? false}
      />
      <LinkSection
        title="Translations"
        items={translations.nodes.map(({ id, language, source }) => ({
          id,
          title: `${source.space?.title ?? 'Space'} in ${languageOf(language)}`,
          urls: { app: `/orgs/${data.id}/translations/${id}` },
        }))}
        hasMore={translations.pageInfo.hasNextPage}
      />
      <LinkSection
        title="Clusters of issues"
        items={issuesClusters?.nodes.map((cluster) => ({ ...cluster, title: cluster.label })) ?? []}
        hasMore={issuesClusters?.pageInfo.hasNextPage ?? false}
      />
    </>
  );
}
