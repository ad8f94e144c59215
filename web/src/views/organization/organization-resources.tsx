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
        }
        openApiSpecs(first: 50) {
          nodes { id slug urls { app } }
        }
        translations(first: 50) {
          nodes { id language source { space { title } } }
        }
        issuesClusters(first: 50) {
          nodes { id label urls { app } }
        }
      }
    `,
    organization,
  );
  const { sites, openApiSpecs, translations, issuesClusters } = data;
  return (
    <>
      <LinkSection title="Sites" items={sites.nodes} />
      <LinkSection
        title="OpenAPI specifications"
        items={openApiSpecs?.nodes.map((spec) => ({ ...spec, title: spec.slug })) ?? []}
      />
      <LinkSection
        title="Translations"
        items={translations.nodes.map(({ id, language, source }) => ({
          id,
          title: `${source.space?.title ?? 'Space'} in ${languageOf(language)}`,
          urls: { app: `/orgs/${data.id}/translations/${id}` },
        }))}
      />
      <LinkSection
        title="Clusters of issues"
        items={issuesClusters?.nodes.map((cluster) => ({ ...cluster, title: cluster.label })) ?? []}
      />
    </>
  );
}
