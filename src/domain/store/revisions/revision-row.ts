import type { Row } from '../../../platform/database/tables.ts';

/** A revision as it is stored: an immutable state of the content of a space. */
export type RevisionRow = Row<'revision'>;
