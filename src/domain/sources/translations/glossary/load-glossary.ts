import { sql } from 'kysely';
import type { Languages } from '../../../../lib/translation/cut-document.ts';
import { type Glossary, makeGlossary, type TermTranslation } from '../../../../lib/translation/glossary.ts';
import { atLeast } from '../../../../platform/access/roles.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { entityLoader } from '../../../../platform/reads/entity-loader.ts';
import { accessInOrganization } from '../../../people/access/index.ts';
import { GlossaryEntry } from '../entity.ts';
import type { GlossaryRow } from './glossary-resources.ts';

/** The glossary of an organization for a pair of languages. The oldest entry of a term is taken. */
export async function loadGlossary(
  { db }: Context,
  organizationId: string,
  { from, to }: Languages,
): Promise<{ glossary: Glossary; terms: TermTranslation[] }> {
  const { rows } = await sql<TermTranslation>`
    select g.translations ->> ${from} as term, g.translations ->> ${to} as translation
    from glossary_entry g
    where g.organization_id = ${organizationId} and g.translations ->> ${from} is not null and g.translations ->> ${to} is not null
    order by g.created_at, g.id`.execute(db);
  return { glossary: makeGlossary(rows), terms: rows };
}

/** Entries by id, batched. Only those of organizations in which the caller has a role. */
export const loadGlossaryEntry = entityLoader<GlossaryRow>(GlossaryEntry, {
  isShown: async (ctx, { organizationId }) => atLeast((await accessInOrganization(ctx, organizationId))?.role, 'read'),
});
