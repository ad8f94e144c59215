import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const processingState = namedEnum('OpenApiSpecProcessingState', 'State of processing a specification.', {
  pending: 'The specification waits to be processed.',
  progress: 'The specification is being processed.',
  complete: 'Processing has ended, successfully or with an error.',
});

export const processingErrorCode = namedEnum(
  'OpenApiSpecProcessingErrorCode',
  'An error that prevented processing a specification.',
  {
    FETCH_TIMEOUT: 'The server of the source did not respond in time.',
    FETCH_ERROR: 'The source could not be fetched, or is too large.',
    PARSE_ERROR: 'The source is not an OpenAPI specification that can be processed.',
  },
);

export const specVisibility = namedEnum('OpenApiSpecVisibility', 'Who can read a specification.', {
  private: 'Members of the organization.',
  public: 'Members of the organization, and anyone with a public link.',
});

export const operationKind = namedEnum(
  'OpenApiOperationKind',
  'Whether clients or the API send the requests of an operation.',
  {
    path: 'A request to a path of the API.',
    webhook: 'A request that the API sends.',
  },
);

export const specFormat = namedEnum('OpenApiSpecFormat', 'Serialization of a specification.', {
  json: 'The source begins with a brace.',
  yaml: 'YAML 1.2, in any other style.',
});

export const lintState = namedEnum('OpenApiLintState', 'State of linting a version of a specification.', {
  pending: 'The version waits to be linted.',
  complete: 'The version was linted.',
  failed: 'The version could not be linted.',
});

export const lintSeverity = namedEnum('OpenApiLintSeverity', 'Severity of a problem in a specification.', {
  error: 'The specification is not valid, or misleads its readers.',
  warning: 'The specification is valid, but can be improved.',
});

export const changeSubject = namedEnum('OpenApiChangeSubject', 'Kind of object that changed in a specification.', {
  operation: 'A request to a path.',
  webhook: 'A request that the API sends.',
  schema: 'A named schema.',
  specification: 'The specification as a whole, such as its servers.',
});

export const openApiChangeKind = namedEnum('OpenApiChangeKind', 'Kind of a change in a specification.', {
  added: 'The object is not in the previous version.',
  removed: 'The object is no longer in the version.',
  changed: 'Both versions have the object, with differences.',
});

export type ProcessingState = z.infer<typeof processingState>;
export type ProcessingErrorCode = z.infer<typeof processingErrorCode>;
export type LintState = z.infer<typeof lintState>;
export type SpecVisibility = z.infer<typeof specVisibility>;
