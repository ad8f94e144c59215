import type { Row } from '../../../platform/database/tables.ts';

/** A stored revision: an immutable state of the content of a space. */
export type RevisionRow = Row<'revision'>;
