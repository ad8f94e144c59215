import { graphql, useFragment } from 'react-relay';
import type { organizationResources_organization$key } from '../../__generated__/organizationResources_organization.graphql.ts';
import { Link } from '../../app/router.tsx';

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
          nodes {
            id language
            source { space { title } }
          }
        }
        issuesClusters(first: 50) {
          nodes { id label urls { app } }
        }
      }
    `,
    organization,
  );
  const lists = [
    { title: 'Sites', items: data.sites.nodes.map(({ id, title, urls }) => ({ id, title, to: urls.app })) },
    {
      title: 'OpenAPI specifications',
      items: (data.openApiSpecs?.nodes ?? []).map(({ id, slug, urls }) => ({ id, title: slug, to: urls.app })),
    },
    {
      title: 'Translations',
      items: data.translations.nodes.map(({ id, language, source }) => ({
        id,
        title: `${source.space?.title ?? 'Space'} in ${language}`,
        to: `/orgs/${data.id}/translations/${id}`,
      })),
    },
    {
      title: 'Clusters of issues',
      items: (data.issuesClusters?.nodes ?? []).map(({ id, label, urls }) => ({ id, title: label, to: urls.app })),
    },
  ];
  return lists
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul className="list">
          {items.map((item) => (
            <li key={item.id}>
              <Link to={item.to}>{item.title || 'Untitled'}</Link>
            </li>
          ))}
        </ul>
      </section>
    ));
}
