import type { SpecificationFault } from '../../../lib/openapi/fault.ts';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import { accessInOrganization } from '../../people/access/index.ts';
import { loadSpec, type SpecRow } from './access.ts';
import { lintState, processingErrorCode, processingState, specFormat, specVisibility } from './enums.ts';
import { loadVersion, type VersionRow } from './versions.ts';

const specPath = ({ organizationId, slug }: Pick<SpecRow, 'organizationId' | 'slug'>) =>
  `/v1/orgs/${organizationId}/openapi/${slug}`;

export const specLocation = (spec: SpecRow, ctx: Context) => locationUrl(ctx, specPath(spec));

/** The URL of a version. A version whose specification was deleted meanwhile has none of its own. */
async function versionLocation({ id, specId, organizationId }: VersionRow, ctx: Context): Promise<string> {
  const spec = await loadSpec(ctx, specId);
  return locationUrl(ctx, `${specPath({ organizationId, slug: spec?.slug ?? specId })}/versions/${id}`);
}

/** The URL of the source: the given one, or that of the text. */
export const sourceUrlOf = async (version: VersionRow, ctx: Context) =>
  version.sourceUrl ?? `${await versionLocation(version, ctx)}/content/raw`;

/** URL where anyone can read the latest version. Null unless the specification is public. */
export const publicUrl = (spec: SpecRow, ctx: Context) =>
  spec.visibility === 'public' ? `${specLocation(spec, ctx)}/versions/latest/content/raw` : null;

const processingError = resource<SpecificationFault>(
  {
    name: 'OpenApiSpecError',
    schemaName: 'OpenAPIErrorObject',
    description: 'An error that prevented processing a specification.',
  },
  (f) => ({
    message: f.string('Description of the error, and how to correct it.', ({ message }) => message),
    code: f.string.optional('Code of the error. Errors of the source have none.', () => null),
    filename: f.string.optional('File with the error. Null if it concerns the whole source.', (row) => row.filename),
    line: f.ordinal.optional('Line of the error, from 1. Null if it is unknown.', ({ line }) => line),
    column: f.ordinal.optional('Column of the error, from 1. Null if it is unknown.', ({ column }) => column),
  }),
);

interface SpecPermissions {
  view: boolean;
  edit: boolean;
}

const specPermissions = resource<SpecPermissions>(
  {
    name: 'OpenApiSpecPermissions',
    schemaName: 'OpenAPISpecPermissions',
    description: 'Your permissions on a specification.',
  },
  (f) => ({
    view: f.boolean('You can read the specification.', ({ view }) => view),
    edit: f.boolean('You can replace, update and delete the specification.', ({ edit }) => edit),
  }),
);

const specUrls = resource<SpecRow>(
  { name: 'OpenApiSpecUrls', schemaName: 'OpenAPISpecUrls', description: 'API and web URLs of a specification.' },
  (f) => ({
    location: f.url('URL of the specification in the REST API.', specLocation),
    app: f.url('URL of the specification in the web application.', ({ organizationId, slug }, ctx) =>
      appUrl(ctx, `/orgs/${organizationId}/openapi/${slug}`),
    ),
    published: f.url.optional(
      'Public URL of the content of the latest version. Null unless `visibility` is `public`.',
      publicUrl,
    ),
  }),
);

export const openApiSpec = resource<SpecRow>(
  {
    name: 'OpenApiSpec',
    schemaName: 'OpenAPISpec',
    object: 'openapi-spec',
    node: 'openapi',
    isVersioned: true,
    description: 'An OpenAPI specification of an organization. Content refers to it by its slug.',
  },
  (f) => ({
    createdAt: f.time('Time when the specification was created.', ({ createdAt }) => createdAt),
    updatedAt: f.time(
      'Time when the source, the visibility or the latest version last changed.',
      ({ updatedAt }) => updatedAt,
    ),
    slug: f.string('Name in paths and content references, unique in the organization.', ({ slug }) => slug),
    sourceUrl: f.url.optional('URL of the source. Null if it was given as text.', ({ sourceUrl }) => sourceUrl, {
      rest: 'sourceURL',
    }),
    processingState: f.enum(processingState)('State of processing the source.', (row) => row.processingState),
    visibility: f.enum(specVisibility)('Who can read the specification.', ({ visibility }) => visibility),
    latestVersion: f.reference(
      () => openApiSpecVersion,
      'Latest version. Null until a source was processed successfully.',
      {
        prefix: 'openapiversion',
        id: ({ latestVersionId }) => latestVersionId,
        load: ({ latestVersionId: id }, ctx) => (id === null ? null : loadVersion(ctx, id)),
        rest: 'lastVersion',
      },
    ),
    lastProcessedAt: f.time.optional(
      'Time when processing last ended. Null before the first time.',
      ({ lastProcessedAt }) => lastProcessedAt,
    ),
    lastProcessErrorCode: f
      .enum(processingErrorCode)
      .optional('Error code of the last processing. Null if it succeeded.', (row) => row.lastProcessErrorCode),
    lastProcessedErrors: f
      .list(types.object(() => processingError))
      .optional('Errors of the last processing, up to 100. Null if it succeeded.', (row) => row.lastProcessedErrors),
    lastProcessedErrorCount: f.count(
      'Number of errors of the last processing, up to 100. 0 if it succeeded.',
      (row) => row.lastProcessedErrors?.length ?? 0,
    ),
    permissions: f.object(() => specPermissions)('Your permissions on the specification.', permissionsOf),
    urls: f.object(() => specUrls)('URLs of the specification.', (row) => row),
  }),
);

async function permissionsOf({ organizationId }: SpecRow, ctx: Context): Promise<SpecPermissions> {
  const access = await accessInOrganization(ctx, organizationId);
  return { view: atLeast(access?.role, 'read'), edit: atLeast(access?.role, 'create') };
}

const versionUrls = resource<VersionRow>(
  {
    name: 'OpenApiSpecVersionUrls',
    schemaName: 'OpenAPISpecVersionUrls',
    description: 'URLs of a version of a specification.',
  },
  (f) => ({
    location: f.url('URL of the version in the REST API.', versionLocation),
  }),
);

export const openApiSpecVersion = resource<VersionRow>(
  {
    name: 'OpenApiSpecVersion',
    schemaName: 'OpenAPISpecVersion',
    object: 'openapi-spec-version',
    node: 'openapiversion',
    description: 'An immutable version of an OpenAPI specification.',
  },
  (f) => ({
    createdAt: f.time('Time when the version was created.', ({ createdAt }) => createdAt),
    url: f.url('URL of the source. For a source given as text, its URL in the REST API.', sourceUrlOf),
    format: f.enum(specFormat)('Format of the source.', ({ format }) => format),
    openApiVersion: f.string('Version of OpenAPI that the source declares: `3.0.4`.', (row) => row.openapiVersion, {
      rest: 'openapiVersion',
    }),
    title: f.string('Title of the API.', ({ title }) => title),
    apiVersion: f.string('Version of the API. Empty if there is none.', ({ apiVersion }) => apiVersion),
    operationsCount: f.count('Number of operations and webhooks.', (row) => row.operationsCount),
    schemasCount: f.count('Number of schemas.', (row) => row.schemasCount),
    filesCount: f.count('Number of files.', ({ filesCount }) => filesCount),
    changesCount: f.count(
      'Number of changes since the previous version. 0 for the first version.',
      (row) => row.changesCount,
    ),
    breakingChangesCount: f.count(
      'Number of changes since the previous version that are breaking.',
      (row) => row.breakingChangesCount,
    ),
    lintState: f.enum(lintState)('State of linting the source.', (row) => row.lintState),
    lintErrorsCount: f.count(
      'Number of errors that linting found. 0 until linting is complete.',
      (row) => row.lintErrorsCount,
    ),
    lintWarningsCount: f.count(
      'Number of warnings that linting found. 0 until linting is complete.',
      (row) => row.lintWarningsCount,
    ),
    lintFailure: f.string.optional(
      'Error message of linting. Null unless linting failed.',
      ({ lintFailure }) => lintFailure,
    ),
    urls: f.object(() => versionUrls)('URLs of the version.', (row) => row),
  }),
);
