import type { ChangeSubject } from '../../../../lib/openapi/compare.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { types } from '../../../../platform/resource/field-types.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import { changeSubject, openApiChangeKind } from '../enums.ts';

export type OpenApiChangeRow = Row<'openapi_change'>;

export interface ChangeFilter {
  breaking: boolean | null;
  subject: ChangeSubject | null;
}

type Reason = OpenApiChangeRow['reasons'][number];

const changeReason = resource<Reason>(
  { name: 'OpenApiChangeReason', schemaName: 'OpenAPIChangeReason', description: 'A difference between two versions.' },
  (f) => ({
    message: f.string('Description of the difference and its location.', ({ message }) => message),
    isBreaking: f.boolean('Whether it can break clients of the earlier version.', (row) => row.isBreaking, {
      rest: 'breaking',
    }),
  }),
);

export const openApiChange = resource<OpenApiChangeRow>(
  {
    name: 'OpenApiChange',
    schemaName: 'OpenAPIChange',
    object: 'openapi-change',
    description: 'A change of an operation, a webhook, a schema or the servers since the previous version.',
  },
  (f) => ({
    subject: f.enum(changeSubject)('Kind of the changed object.', ({ subject }) => subject),
    kind: f.enum(openApiChangeKind)('Kind of the change.', ({ kind }) => kind),
    name: f.string('Method and path of an operation or webhook, name of a schema, or `servers`.', ({ name }) => name),
    isBreaking: f.boolean(
      'Whether the change can break clients of the earlier version: their requests may be rejected, or responses may lack values that they rely on.',
      (row) => row.isBreaking,
      { rest: 'breaking' },
    ),
    reasons: f.list(types.object(() => changeReason))(
      'The differences, breaking ones first, up to 50. Empty for added and removed objects.',
      ({ reasons }) => reasons,
    ),
  }),
);
