import { sql } from 'kysely';
import { z } from 'zod';
import type { LintSeverity } from '../../../../lib/openapi/lint.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { query } from '../../../../platform/operation/operation.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { asc } from '../../../../platform/paging/order.ts';
import { multilineText } from '../../../../platform/shapes/text.ts';
import { permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { lintSeverity } from '../enums.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { versionOfSpec } from '../versions.ts';

export type LintProblemRow = Row<'openapi_lint_problem'>;

export interface LintFilter {
  severity: LintSeverity | null;
  rule: string | null;
}

export const lintProblemsOfVersion = listing<LintFilter, LintProblemRow>({
  name: 'openApiVersion.lintProblems',
  from: 'openapi_lint_problem as p',
  parent: 'versionId',
  where: ({ severity, rule }) => [
    severity !== null && sql`p.severity = ${severity}`,
    rule !== null && sql`p.rule = ${rule}`,
  ],
  order: [asc('position', 'integer')],
});

const needed = permissions.listOpenApiLintProblems.organization;

export const listOpenApiLintProblems = query({
  name: 'listOpenApiLintProblems',
  description:
    "Lists the problems that Redocly's recommended rules report for a version of an OpenAPI specification, errors first, up to 5,000. Empty until `lintState` of the version is `complete`.",
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    severity: lintSeverity.nullish().describe('Only problems of this severity.'),
    rule: multilineText(1, 100)
      .nullish()
      .describe('Only problems of the rule with this ID, such as `operation-operationId`.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { organizationId, slug, openApiSpecVersionId, severity, rule }) {
    const spec = await specFor(ctx, { organizationId, slug }, needed);
    const { id } = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    return lintProblemsOfVersion(ctx, id, { severity: severity ?? null, rule: rule ?? null });
  },
});
