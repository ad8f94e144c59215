import { sql } from 'kysely';
import { changesAsMarkdown } from '../../../../lib/openapi/changes-markdown.ts';
import type { Context } from '../../../../platform/context/context.ts';
import type { OpenApiChangeRow } from './change-resources.ts';

/** Versions with changes that the page shows, and changes of each that it shows. */
const MAX_VERSIONS = 20;
const MAX_CHANGES = 100;

interface ChangedVersion {
  apiVersion: string;
  createdAt: string;
  changesCount: number;
  changes: OpenApiChangeRow[];
}

/**
 * The changes of a version and of those before it, newest first, each below its date and the version of the API, as
 * Markdown.
 */
export async function changelogPage(ctx: Context, versionId: string): Promise<string> {
  const { rows } = await sql<ChangedVersion>`
    select v.api_version, v.created_at, v.changes_count,
      array(
        select json_build_object('subject', c.subject, 'kind', c.kind, 'name', c.name, 'isBreaking', c.is_breaking,
          'reasons', c.reasons)
        from openapi_change c where c.version_id = v.id order by c.position limit ${sql.lit(MAX_CHANGES)}) as changes
    from openapi_spec_version latest
    join openapi_spec_version v on v.spec_id = latest.spec_id
      and (v.created_at, v.id) <= (latest.created_at, latest.id) and v.changes_count > 0
    where latest.id = ${versionId}
    order by v.created_at desc, v.id desc
    limit ${sql.lit(MAX_VERSIONS)}`.execute(ctx.db);
  return rows.length === 0 ? 'There are no changes yet.\n' : rows.map(asMarkdown).join('\n');
}

function asMarkdown({ apiVersion, createdAt, changesCount, changes }: ChangedVersion): string {
  const name = apiVersion.replace(/[^\p{L}\p{N} ._+-]/gu, '');
  const heading = `## ${createdAt.slice(0, 10)}${name === '' ? '' : ` (${name})`}`;
  const more = changesCount > changes.length ? `\n${changesCount - changes.length} further changes.\n` : '';
  return `${heading}\n\n${changesAsMarkdown(changes, 3)}${more}`;
}
