import { type RawBuilder, sql } from 'kysely';

/** The access that a decision was made on: that of an organization, in one version. Rows with access have both. */
export interface AccessSeen {
  organizationId: string;
  accessVersion: string;
}

/**
 * A table for the `from` clause of a `writeStatement`: one row while the organization's access has the version that the
 * command has decided on, and none after it has changed. The row is locked, so that the access cannot change before the
 * write has committed.
 */
export const accessHeld = ({ organizationId, accessVersion }: AccessSeen): RawBuilder<unknown> => sql`(
  select held_av.version from access_version held_av
  where held_av.organization_id = ${organizationId} and held_av.version = ${accessVersion} for share of held_av)`;
