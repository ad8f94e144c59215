import type { ChangeSubject } from '../../../lib/openapi/compare.ts';
import type { Row } from '../../../platform/database/tables.ts';

export type ChangeRow = Row<'openapi_change'>;

export interface ChangeFilter {
  breaking: boolean | null;
  subject: ChangeSubject | null;
}
