import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { BacklinkType, ContentLocationType } from '../../content/links/graphql.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { loadOrganization } from '../../people/organizations/index.ts';
import { loadSpec } from './access.ts';
import { filesystemOf, sourceInGraph } from './content.ts';
import { createOpenApiSpec } from './create-openapi-spec.ts';
import { deleteOpenApiSpec } from './delete-openapi-spec.ts';
import { getOpenApiSpec } from './get-openapi-spec.ts';
import { getOpenApiSpecContent } from './get-openapi-spec-content.ts';
import { getOpenApiSpecVersion } from './get-openapi-spec-version.ts';
import { backlinksOfSpec, listOpenApiSpecBacklinks } from './list-openapi-spec-backlinks.ts';
import { listOpenApiSpecVersions, versionsOfSpec } from './list-openapi-spec-versions.ts';
import { listOpenApiSpecs } from './list-openapi-specs.ts';
import { openApiSpec, openApiSpecVersion, sourceUrlOf } from './resources.ts';
import { setOpenApiSpecSource } from './set-openapi-spec-source.ts';
import { visibleSpec } from './spec-targets.ts';
import { updateOpenApiSpec } from './update-openapi-spec.ts';
import { loadVersion, type VersionRow } from './versions.ts';

const SpecType = typeOf(openApiSpec);
export const VersionType = typeOf(openApiSpecVersion);

registerNode(SpecType, 'openapi', loadSpec);
registerNode(VersionType, 'openapiversion', loadVersion);
readInGraph(getOpenApiSpec);
readInGraph(getOpenApiSpecVersion);
readInGraph(getOpenApiSpecContent);

const ContentType = builder.objectRef<VersionRow>('OpenApiSpecContent').implement({
  description: 'Content of a version of an OpenAPI specification.',
  fields: (t) => ({
    filesystem: t.field({
      type: 'JSON',
      nullable: true,
      description:
        'Files of the version: a list of `{ dir, filename, isEntrypoint, references, specification }`. The entry point is ' +
        'upgraded to OpenAPI 3.1. BAD_USER_INPUT if it is larger than 1,000,000 characters: use REST to read it.',
      resolve: (version, _args, ctx) => filesystemOf(ctx, version),
    }),
    source: t.string({
      nullable: true,
      description:
        'The entry point as it was received. BAD_USER_INPUT if it is larger than 1,000,000 characters: use REST to read it.',
      resolve: (version, _args, ctx) => sourceInGraph(ctx, version),
    }),
    url: t.field({
      type: 'URL',
      description: 'URL of the source. For a source given as text, its URL in the REST API.',
      resolve: (version, _args, ctx) => sourceUrlOf(version, ctx),
    }),
  }),
});

builder.objectFields(VersionType, (t) => ({
  content: t.field({ type: ContentType, description: 'Content of the version.', resolve: (version) => version }),
  spec: t.field({
    type: SpecType,
    nullable: true,
    description: 'Specification of the version. Null if it was deleted.',
    resolve: ({ specId }, _args, ctx) => loadSpec(ctx, specId),
  }),
}));

builder.objectFields(SpecType, (t) => ({
  versions: connection(t, {
    type: VersionType,
    operation: listOpenApiSpecVersions,
    without: ['organizationId', 'slug'],
    from: ({ organizationId, slug }) => ({ organizationId, slug }),
    list: ({ id }, _input, ctx) => versionsOfSpec(ctx, id, {}),
  }),
  backlinks: connection(t, {
    type: BacklinkType,
    operation: listOpenApiSpecBacklinks,
    without: ['organizationId', 'slug'],
    from: ({ organizationId, slug }) => ({ organizationId, slug }),
    list: (spec, _input, ctx) => backlinksOfSpec(ctx, spec),
  }),
}));

builder.objectFields(ContentLocationType, (t) => ({
  openApiSpec: t.field({
    type: SpecType,
    nullable: true,
    description: 'The OpenAPI specification. Null for other kinds.',
    resolve: async (location, _args, ctx) =>
      location.kind === 'openapi' ? ((await visibleSpec(ctx, location.organizationId, location.slug)) ?? null) : null,
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  openApiSpecs: connection(t, {
    type: SpecType,
    operation: listOpenApiSpecs,
    description: `${listOpenApiSpecs.description} FORBIDDEN if you are a guest.`,
    nullable: true,
    parent: 'organizationId',
  }),
  openApiSpec: t.field({
    type: SpecType,
    nullable: true,
    description: `${getOpenApiSpec.description} Null if there is none. FORBIDDEN if you are a guest.`,
    args: { slug: t.arg.string({ required: true, description: 'Slug of the specification.' }) },
    resolve: ({ id }, { slug }, ctx) => orNull(getOpenApiSpec(ctx, { organizationId: id, slug })),
  }),
}));

mutation(createOpenApiSpec, {
  openApiSpec: { type: SpecType, description: 'The new specification.', resolve: (created) => created.openApiSpec },
});

mutation(setOpenApiSpecSource, {
  openApiSpec: { type: SpecType, description: 'The specification.', resolve: (replaced) => replaced.openApiSpec },
});

mutation(updateOpenApiSpec, {
  openApiSpec: { type: SpecType, description: 'The updated specification.', resolve: (updated) => updated.openApiSpec },
});

mutation(deleteOpenApiSpec, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the deleted specification. Null if it did not exist.',
    resolve: ({ deletedId }) => deletedId,
  },
  organization: {
    type: OrganizationType,
    nullable: true,
    description: 'Organization that the specification belonged to. Null if nothing was deleted.',
    resolve: ({ organizationId }, ctx) => (organizationId === null ? null : loadOrganization(ctx, organizationId)),
  },
});
