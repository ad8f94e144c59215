import { sql } from 'kysely';
import type { Languages } from '../../../lib/translation/cut-document.ts';
import { type Glossary, makeGlossary, type Term } from '../../../lib/translation/glossary.ts';
import type { Context } from '../../../platform/context/context.ts';

/** The glossary of an organization for a pair of languages. The oldest entry of a term is taken. */
export async function loadGlossary(
  { db }: Context,
  organizationId: string,
  { from, to }: Languages,
): Promise<{ glossary: Glossary; terms: Term[] }> {
  const { rows } = await sql<Term>`
    select g.translations ->> ${from} as term, g.translations ->> ${to} as translation
    from glossary_entry g
    where g.organization_id = ${organizationId} and g.translations ->> ${from} is not null and g.translations ->> ${to} is not null
    order by g.created_at, g.id`.execute(db);
  return { glossary: makeGlossary(rows), terms: rows };
}
