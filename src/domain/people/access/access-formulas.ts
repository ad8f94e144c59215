import { text } from '../../../platform/database/columns.ts';

type Columns = Record<string, string>;

/**
 * The version of the access of an organization, whose id is in a column: a lazy property of its entities, so that one
 * statement reads it with the row.
 */
export const accessVersion = (organizationId: string) =>
  text()
    .formula(
      (columns: Columns) =>
        `(select av.version from access_version av where av.organization_id = ${columns[organizationId]})`,
    )
    .lazy()
    .persist(false);

/**
 * Lazy properties of spaces, collections and sites that decide on the access to them, as of the same moment as the row.
 */
export const accessFormulas = {
  accessVersion: accessVersion('organizationId'),
  /** The collection or organization that contains the item. */
  accessParentId: text()
    .formula((columns: Columns) => `(select ap.parent_id from placement ap where ap.item_id = ${columns.id})`)
    .nullable()
    .lazy()
    .persist(false),
  /** Why the organization is read-only. */
  blockedReason: text()
    .formula(
      (columns: Columns) =>
        `(select o.blocked ->> 'reason' from organization o where o.id = ${columns.organizationId})`,
    )
    .nullable()
    .lazy()
    .persist(false),
};
