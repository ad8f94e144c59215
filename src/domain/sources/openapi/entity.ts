import { defineEntity, p } from '@mikro-orm/core';
import type { ChangeSubject, SpecificationChange, SpecificationChangeKind } from '../../../lib/openapi/compare.ts';
import type { SpecificationFault } from '../../../lib/openapi/fault.ts';
import type { LintSeverity } from '../../../lib/openapi/lint.ts';
import type { OperationKind } from '../../../lib/openapi/operations.ts';
import type { Outline } from '../../../lib/openapi/outline.ts';
import type { SourceFormat } from '../../../lib/openapi/read-source.ts';
import {
  changes,
  createdTime,
  flag,
  json,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { LintState, ProcessingErrorCode, ProcessingState, SpecVisibility } from './enums.ts';

/** An OpenAPI specification of an organization, with its source. */
export const OpenApiSpec = defineEntity({
  name: 'OpenApiSpec',
  tableName: 'openapi_spec',
  properties: {
    id: text().primary(),
    organizationId: text(),
    slug: text(),
    /** Exactly one of URL and text is set. */
    sourceUrl: text().nullable(),
    sourceText: text().nullable(),
    /** Counts the sources, so that the outcome of processing a former source is discarded. */
    sourceNumber: p.integer().default(1),
    /** Validators of the last response of the URL (RFC 9110, section 8.8). Null if a version has several files. */
    etag: text().nullable(),
    lastModified: text().nullable(),
    visibility: text().$type<SpecVisibility>().default('private'),
    /** Time when the state last became `pending` or `progress`. */
    processingSince: time().defaultRaw('now()'),
    processingState: text().$type<ProcessingState>().default('pending'),
    latestVersionId: text().nullable(),
    lastProcessedAt: time().nullable(),
    lastProcessErrorCode: text().$type<ProcessingErrorCode>().nullable(),
    lastProcessedErrors: json<SpecificationFault[]>().nullable(),
    createdBy: text().nullable(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    version: changes(),
    organization: reference('Organization', 'organization_id'),
  },
  indexes: [
    { name: 'openapi_spec_organization_index', properties: ['organizationId', 'createdAt', 'id'] },
    { name: 'openapi_spec_processed_index', properties: ['processingState', 'lastProcessedAt'] },
  ],
  uniques: [{ name: 'openapi_spec_slug_unique', properties: ['organizationId', 'slug'] }],
  triggers: [raisesVersion()],
});

/** An immutable version of a specification. */
export const OpenApiSpecVersion = defineEntity({
  name: 'OpenApiSpecVersion',
  tableName: 'openapi_spec_version',
  properties: {
    id: text().primary(),
    organizationId: text(),
    specId: text(),
    /** Null for a source given as text. */
    sourceUrl: text().nullable(),
    /** SHA-256 of all files, in hexadecimal. */
    digest: text(),
    format: text().$type<SourceFormat>(),
    openapiVersion: text(),
    title: text(),
    apiVersion: text(),
    operationsCount: p.integer(),
    schemasCount: p.integer(),
    filesCount: p.integer(),
    /** Compared with the version before. 0 for the first version. */
    changesCount: p.integer(),
    breakingChangesCount: p.integer(),
    outline: json<Outline>(),
    /** What `pageKeysOf` returns for the outline. Links to the pages have their status by it. */
    pageKeys: p.array().columnType('text[]').$type<string[]>().defaultRaw(`'{}'`),
    /** URL that the entry point was received from, after redirects. Null for a source given as text. */
    location: text().nullable(),
    lintState: text().$type<LintState>().default('pending'),
    lintErrorsCount: p.integer().default(0),
    lintWarningsCount: p.integer().default(0),
    /** Error message of linting. */
    lintFailure: text().nullable(),
    /** Time when linting was enqueued or ended. Null for versions from before there was linting. */
    lintUpdatedAt: time().nullable(),
    createdAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    spec: reference('OpenApiSpec', 'spec_id'),
  },
  indexes: [
    { name: 'openapi_spec_version_spec_index', properties: ['specId', 'createdAt', 'id'] },
    { name: 'openapi_spec_version_lint_index', properties: ['lintState', 'lintUpdatedAt'] },
  ],
});

/** A piece of a file of a version, because files may be too large for one row. The entry point has position 0. */
export const OpenApiFile = defineEntity({
  name: 'OpenApiFile',
  tableName: 'openapi_file',
  properties: {
    versionId: text().primary(),
    position: p.integer().primary(),
    /** Number of the piece, from 0. */
    piece: p.integer().primary(),
    organizationId: text(),
    filename: text(),
    references: p.array().columnType('text[]').$type<string[]>(),
    /** Part of the file as received. */
    source: text(),
    /** Part of its content as JSON. That of the entry point is upgraded to OpenAPI 3.1. */
    specification: text(),
    version: reference('OpenApiSpecVersion', 'version_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/** An operation or webhook of a version. */
export const OpenApiOperation = defineEntity({
  name: 'OpenApiOperation',
  tableName: 'openapi_operation',
  properties: {
    id: text().primary(),
    organizationId: text(),
    versionId: text(),
    position: p.integer(),
    kind: text().$type<OperationKind>(),
    method: text(),
    path: text(),
    operationId: text().nullable(),
    summary: text().nullable(),
    tags: p.array().columnType('text[]').$type<string[]>(),
    isDeprecated: flag(false),
    /** The Operation Object as JSON, with unresolved references. */
    body: text(),
    /** Names of all parts that it depends on. */
    parts: p.array().columnType('text[]').$type<string[]>(),
    organization: reference('Organization', 'organization_id'),
    version: reference('OpenApiSpecVersion', 'version_id'),
  },
  indexes: [
    { name: 'openapi_operation_version_index', properties: ['versionId', 'position', 'id'] },
    {
      // Paths may be too long for an entry of an index.
      name: 'openapi_operation_name_index',
      expression: `create index "openapi_operation_name_index" on "openapi_operation" ("version_id", md5("kind" || ' ' || "method" || ' ' || "path"))`,
    },
  ],
});

/** A schema of a version. */
export const OpenApiSchema = defineEntity({
  name: 'OpenApiSchema',
  tableName: 'openapi_schema',
  properties: {
    id: text().primary(),
    organizationId: text(),
    versionId: text(),
    position: p.integer(),
    name: text(),
    title: text().nullable(),
    /** The Schema Object as JSON, with unresolved references. */
    body: text(),
    parts: p.array().columnType('text[]').$type<string[]>(),
    organization: reference('Organization', 'organization_id'),
    version: reference('OpenApiSpecVersion', 'version_id'),
  },
  indexes: [{ name: 'openapi_schema_version_index', properties: ['versionId', 'position', 'id'] }],
});

/** The target of a reference within a version. */
export const OpenApiPart = defineEntity({
  name: 'OpenApiPart',
  tableName: 'openapi_part',
  properties: {
    versionId: text().primary(),
    /** The canonical reference: `#/components/schemas/Pet`. */
    ref: text().primary(),
    organizationId: text(),
    /** The value as JSON, with unresolved references. */
    body: text(),
    version: reference('OpenApiSpecVersion', 'version_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/** Changes of a version since the previous one. */
export const OpenApiChange = defineEntity({
  name: 'OpenApiChange',
  tableName: 'openapi_change',
  properties: {
    versionId: text().primary(),
    position: p.integer().primary(),
    organizationId: text(),
    subject: text().$type<ChangeSubject>(),
    kind: text().$type<SpecificationChangeKind>(),
    name: text(),
    isBreaking: flag(false),
    reasons: json<SpecificationChange['reasons']>(),
    version: reference('OpenApiSpecVersion', 'version_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

/** A problem that linting found in a version. */
export const OpenApiLintProblem = defineEntity({
  name: 'OpenApiLintProblem',
  tableName: 'openapi_lint_problem',
  properties: {
    versionId: text().primary(),
    position: p.integer().primary(),
    organizationId: text(),
    rule: text(),
    severity: text().$type<LintSeverity>(),
    message: text(),
    filename: text(),
    pointer: text(),
    line: p.integer().nullable(),
    column: p.integer().nullable(),
    version: reference('OpenApiSpecVersion', 'version_id'),
    organization: reference('Organization', 'organization_id'),
  },
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    openapi_spec: Table<typeof OpenApiSpec>;
    openapi_spec_version: Table<typeof OpenApiSpecVersion>;
    openapi_file: Table<typeof OpenApiFile>;
    openapi_operation: Table<typeof OpenApiOperation>;
    openapi_schema: Table<typeof OpenApiSchema>;
    openapi_part: Table<typeof OpenApiPart>;
    openapi_change: Table<typeof OpenApiChange>;
    openapi_lint_problem: Table<typeof OpenApiLintProblem>;
  }
}
