import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { listRoute, type Route, rawRoute, resourceResponse, route } from '../../../platform/http/route.ts';
import { urlShape } from '../../../platform/shapes/shapes.ts';
import { locationShape, presentLocation } from '../../content/links/index.ts';
import type { SpecRow } from './access.ts';
import { openApiChange } from './changes/change-resources.ts';
import { getOpenApiSpecChangelog } from './changes/get-openapi-spec-changelog.ts';
import { listOpenApiSpecChanges } from './changes/list-openapi-spec-changes.ts';
import { entryPointSource, printFilesystem, versionFiles, withQuerySlot } from './content.ts';
import { createOpenApiSpec } from './create-openapi-spec.ts';
import { deleteOpenApiSpec } from './delete-openapi-spec.ts';
import { specFormat } from './enums.ts';
import { getOpenApiSpec } from './get-openapi-spec.ts';
import { getOpenApiSpecContent } from './get-openapi-spec-content.ts';
import { getOpenApiSpecVersion } from './get-openapi-spec-version.ts';
import { openApiLintProblem } from './lint/lint-resources.ts';
import { listOpenApiLintProblems } from './lint/list-openapi-lint-problems.ts';
import { listOpenApiSpecBacklinks, type SpecBacklink } from './list-openapi-spec-backlinks.ts';
import { listOpenApiSpecVersions } from './list-openapi-spec-versions.ts';
import { listOpenApiSpecs } from './list-openapi-specs.ts';
import { getOpenApiOperation } from './operations/get-openapi-operation.ts';
import { listOpenApiOperations } from './operations/list-openapi-operations.ts';
import { listOpenApiSchemas } from './operations/list-openapi-schemas.ts';
import { openApiOperation, openApiSchema, operationWithObject } from './operations/operation-resources.ts';
import { openApiSpec, openApiSpecVersion, publicUrl, specLocation } from './resources.ts';
import { setOpenApiSpecSource } from './set-openapi-spec-source.ts';
import { updateOpenApiSpec } from './update-openapi-spec.ts';

const SPECS = '/v1/orgs/:organizationId/openapi';
const SPEC = `${SPECS}/:specSlug`;
const LATEST_VERSION = `${SPEC}/versions/latest`;
const SPEC_VERSION = `${SPEC}/versions/:versionId`;

const rename = { specSlug: 'slug' } as const;
const renameVersion = { ...rename, versionId: 'openApiSpecVersionId' } as const;
const renameBase = { ...renameVersion, base: 'baseVersionId' } as const;
const specResponse = resourceResponse(openApiSpec, (output: { openApiSpec: SpecRow }) => output.openApiSpec);
const location = ({ openApiSpec: spec }: { openApiSpec: SpecRow }, ctx: Context) => ({
  location: specLocation(spec, ctx),
});

const contentShape = () =>
  z
    .object({
      filesystem: z
        .array(
          z.object({
            dir: z.string().describe('Directory of the file.'),
            filename: z.string().describe('Name of the file, relative to the entry point.'),
            isEntrypoint: z.boolean().describe('Whether the file is the entry point.'),
            references: z.array(z.string()).describe('Names of the files that it refers to.'),
            specification: z
              .record(z.string(), z.unknown())
              .describe('Content of the file. The entry point is upgraded to OpenAPI 3.1.'),
          }),
        )
        .describe('Files of the version, the entry point first.'),
      url: urlShape('URL of the source. For a source given as text, its URL in this API.'),
      urls: z
        .object({
          source: urlShape('URL of the source. For a source given as text, its URL in this API.'),
          public: urlShape(
            'URL of the content of the latest version, which anyone can read. Null unless the specification is public.',
          ).nullable(),
        })
        .describe('URLs of the content.'),
    })
    .meta({ id: 'OpenAPISpecContent', description: 'Content of a version of an OpenAPI specification.' });

const rawShape = () =>
  z
    .object({
      text: z.string().describe('The entry point as it was received.'),
      format: specFormat.describe('Its format.'),
    })
    .meta({ id: 'OpenAPISpecRawContent', description: 'Source of a version of an OpenAPI specification.' });

const changelogShape = () =>
  z
    .object({ markdown: z.string().describe('Breaking changes and other changes as lists in Markdown.') })
    .meta({ id: 'OpenAPIChangelog', description: 'Changes of a version of an OpenAPI specification.' });

/**
 * Content may be tens of megabytes of JSON, which is sent as it is stored instead of being parsed and printed again.
 */
const contentRoute = (path: string, operationId: string): Route =>
  rawRoute('GET', path, operationId, sendContent, {
    operation: getOpenApiSpecContent as unknown as NonNullable<Route['operation']>, // routes of all operations are listed together
    about: { rename: renameVersion, shape: contentShape, statuses: [200] },
  });

async function sendContent(request: FastifyRequest, reply: FastifyReply, ctx: Context): Promise<unknown> {
  const { organizationId = '', specSlug = '', versionId } = request.params as Record<string, string>; // of the route
  const input = { organizationId, slug: specSlug, openApiSpecVersionId: versionId };
  const { spec, version } = await getOpenApiSpecContent(ctx, input);
  // Anyone can read a public specification, whose slug the loaders show to members only.
  const url = version.sourceUrl ?? `${specLocation(spec, ctx)}/versions/${version.id}/content/raw`;
  const urls = JSON.stringify({ url, urls: { source: url, public: publicUrl(spec, ctx) } });
  reply.type('application/json; charset=utf-8');
  return withQuerySlot(ctx, version, async () =>
    Buffer.from(`{"filesystem":${printFilesystem(await versionFiles(ctx, version))},${urls.slice(1)}`),
  );
}

const rawContentRoute = (path: string, operationId: string): Route =>
  route('GET', path, getOpenApiSpecContent, {
    operationId,
    description:
      'Gets the source of a version of an OpenAPI specification as it was received. If it has several files, the entry point.',
    rename: renameVersion,
    shape: rawShape,
    present: ({ version }, ctx) => withQuerySlot(ctx, version, () => entryPointSource(ctx, version)),
  });

export const openApiRoutes: Route[] = [
  listRoute(SPECS, listOpenApiSpecs, { operationId: 'listOpenAPISpecs', response: resourceResponse(openApiSpec) }),
  route('POST', SPECS, createOpenApiSpec, {
    operationId: 'createOpenAPISpec',
    status: 201,
    headers: location,
    response: specResponse,
  }),
  route('GET', SPEC, getOpenApiSpec, {
    operationId: 'getOpenAPISpecBySlug',
    rename,
    response: resourceResponse(openApiSpec),
  }),
  route('PUT', SPEC, setOpenApiSpecSource, {
    operationId: 'createOrUpdateOpenAPISpecBySlug',
    rename,
    status: ({ isNew }) => (isNew ? 201 : 200),
    statuses: [200, 201],
    headers: location,
    response: resourceResponse(openApiSpec, (output: { openApiSpec: SpecRow; isNew: boolean }) => output.openApiSpec),
  }),
  route('PATCH', SPEC, updateOpenApiSpec, { operationId: 'updateOpenAPISpecBySlug', rename, response: specResponse }),
  route('DELETE', SPEC, deleteOpenApiSpec, { operationId: 'deleteOpenAPISpecBySlug', rename }),
  listRoute(`${SPEC}/backlinks`, listOpenApiSpecBacklinks, {
    operationId: 'listOpenAPISpecBacklinks',
    rename,
    shape: locationShape,
    present: (backlink: SpecBacklink, ctx: Context) => presentLocation(backlink, ctx),
  }),
  listRoute(`${SPEC}/versions`, listOpenApiSpecVersions, {
    operationId: 'listOpenAPISpecVersions',
    rename,
    response: resourceResponse(openApiSpecVersion),
  }),
  route('GET', LATEST_VERSION, getOpenApiSpecVersion, {
    operationId: 'getLatestOpenAPISpecVersion',
    rename,
    response: resourceResponse(openApiSpecVersion),
  }),
  contentRoute(`${LATEST_VERSION}/content`, 'getLatestOpenAPISpecVersionContent'),
  rawContentRoute(`${LATEST_VERSION}/content/raw`, 'getLatestOpenAPISpecVersionContentRaw'),
  route('GET', SPEC_VERSION, getOpenApiSpecVersion, {
    operationId: 'getOpenAPISpecVersionById',
    rename: renameVersion,
    response: resourceResponse(openApiSpecVersion),
  }),
  contentRoute(`${SPEC_VERSION}/content`, 'getOpenAPISpecVersionContentById'),
  rawContentRoute(`${SPEC_VERSION}/content/raw`, 'getOpenAPISpecVersionContentRawById'),
  listRoute(`${SPEC_VERSION}/operations`, listOpenApiOperations, {
    operationId: 'listOpenAPIOperations',
    rename: renameVersion,
    response: resourceResponse(openApiOperation),
  }),
  route('GET', `${SPEC_VERSION}/operation`, getOpenApiOperation, {
    operationId: 'getOpenAPIOperation',
    rename: renameVersion,
    ...operationWithObject,
  }),
  listRoute(`${SPEC_VERSION}/changes`, listOpenApiSpecChanges, {
    operationId: 'listOpenAPISpecChanges',
    rename: renameBase,
    response: resourceResponse(openApiChange),
  }),
  route('GET', `${SPEC_VERSION}/changelog`, getOpenApiSpecChangelog, {
    operationId: 'getOpenAPISpecChangelog',
    rename: renameBase,
    shape: changelogShape,
    present: (changelog) => changelog,
  }),
  listRoute(`${SPEC_VERSION}/lint`, listOpenApiLintProblems, {
    operationId: 'listOpenAPILintProblems',
    rename: renameVersion,
    response: resourceResponse(openApiLintProblem),
  }),
  listRoute(`${SPEC_VERSION}/schemas`, listOpenApiSchemas, {
    operationId: 'listOpenAPISchemas',
    rename: renameVersion,
    response: resourceResponse(openApiSchema),
  }),
];
