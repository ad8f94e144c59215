import type { JSONDocument } from '../../../lib/document/document.ts';
import { emptyDocument } from '../../../lib/document/empty.ts';
import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';

/** Instructions as they are shown. Those that were never set are empty and have the time of the organization. */
export interface InstructionsRow {
  /** Of the organization. */
  id: string;
  document: JSONDocument;
  updatedAt: string;
  updatedBy: string | null;
  version: number;
}

interface OfOrganization {
  id: string;
  createdAt: string;
}

const COLUMNS = ['organizationId', 'document', 'updatedAt', 'updatedBy', 'version'] as const;

type Stored = Omit<InstructionsRow, 'id'>;

const loadStored = batchLoader<Stored>('agent-instructions', async ({ db }, ids) => {
  const rows = await db
    .selectFrom('agent_instructions')
    .where('organizationId', '=', anyOf(ids))
    .select(COLUMNS)
    .execute();
  return new Map(rows.map(({ organizationId, ...stored }) => [organizationId, stored]));
});

const instructionsOf = ({ id, createdAt }: OfOrganization, stored: Stored | undefined): InstructionsRow => ({
  id,
  ...(stored ?? { document: emptyDocument(), updatedAt: createdAt, updatedBy: null, version: 0 }),
});

/** The instructions of an organization, batched. Does not check access. */
export const loadInstructions = async (ctx: Context, organization: OfOrganization): Promise<InstructionsRow> =>
  instructionsOf(organization, await loadStored(ctx, organization.id));

/** The instructions of an organization, locked if `lock` is set. */
export async function readInstructions(
  { db }: Context,
  organization: OfOrganization,
  { lock = false } = {},
): Promise<InstructionsRow> {
  const stored = await db
    .selectFrom('agent_instructions')
    .where('organizationId', '=', organization.id)
    .select(COLUMNS)
    .$if(lock, (select) => select.forUpdate())
    .executeTakeFirst();
  return instructionsOf(organization, stored);
}
