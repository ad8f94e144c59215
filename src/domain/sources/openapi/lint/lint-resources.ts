import { resource } from '../../../../platform/resource/resource.ts';
import { lintSeverity } from '../enums.ts';
import type { LintProblemRow } from './list-openapi-lint-problems.ts';

export const openApiLintProblem = resource<LintProblemRow>(
  {
    name: 'OpenApiLintProblem',
    schemaName: 'OpenAPILintProblem',
    object: 'openapi-lint-problem',
    description: 'A violation of a rule in the source of a version of an OpenAPI specification.',
  },
  (f) => ({
    rule: f.string('ID of the rule: `operation-operationId`.', ({ rule }) => rule),
    severity: f.enum(lintSeverity)('Severity of the rule.', ({ severity }) => severity),
    message: f.string('Description of the problem.', ({ message }) => message),
    filename: f.string('File with the problem, relative to the entry point.', ({ filename }) => filename),
    pointer: f.string(
      'JSON Pointer (RFC 6901) to the value in the file. Empty for the whole file.',
      ({ pointer }) => pointer,
    ),
    line: f.ordinal.optional(
      'Line of the value, from 1. Null if it is unknown, as in YAML files of more than 2,000,000 characters.',
      ({ line }) => line,
    ),
    column: f.ordinal.optional('Column of the value, from 1. Null if it is unknown.', ({ column }) => column),
  }),
);
