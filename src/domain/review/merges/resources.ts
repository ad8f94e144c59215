import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { contentPreview } from '../../content/dry-runs/index.ts';
import type { PageView } from '../../content/pages/index.ts';
import { role } from '../../people/access/index.ts';
import { mergeRuleKind } from '../../people/organizations/index.ts';
import { conflictPage } from './conflict-page.ts';
import { MAX_SHOWN, type ShownConflict } from './conflicts-of.ts';
import { conflictKind, conflictTarget, mergeResult, pullResult } from './enums.ts';
import type { Mergeability } from './mergeability.ts';
import type { MergeResult } from './outcome.ts';
import { type PresentedVersion, presentVersion } from './present-version.ts';
import type { UnmetRule } from './unmet-rules.ts';

/** Description of the preview in both transports. */
export const MERGE_PREVIEW_DESCRIPTION =
  'Changes that the command would make. Only with `dryRun`: then nothing is changed.';

const conflictVersion = resource<PresentedVersion>(
  { name: 'ConflictVersion', description: 'One of the three versions of the object, field or block in conflict.' },
  (f) => ({
    markdown: f.string.optional(
      'Block or body as Markdown, or the text of a field. Null for other values.',
      ({ markdown }) => markdown,
    ),
    document: f.json().optional('Block or body as a document. Null for other values.', ({ document }) => document),
    value: f
      .json()
      .optional(
        'Value of a field, all fields of a page or file, or the parents of pages by page ID. Null for a block.',
        ({ value }) => value,
      ),
  }),
);

/** REST shows a page of a conflict by these fields. In the graph it is the page. */
const conflictingPage = resource<PageView>({ name: 'ConflictingPage', description: 'A page in conflict.' }, (f) => ({
  id: f.id('page')('ID of the page.', ({ page }) => page.pageId),
  title: f.string('Title of the page.', ({ page }) => page.title),
  path: f.string.optional('Path of the page. Left out for links.', ({ page }) => page.path),
}));

export const mergeConflict = resource<ShownConflict>(
  {
    name: 'MergeConflict',
    object: 'merge-conflict',
    description:
      'A conflict between a change request and the primary content: changes of both that cannot be combined.',
  },
  (f) => {
    const version = (side: 'base' | 'ours' | 'theirs', description: string) =>
      f
        .object(() => conflictVersion)
        .nullable(description, (conflict, ctx) =>
          presentVersion(ctx, conflict.versions.theirs.organizationId, conflict[side], conflict.field),
        );
    return {
      id: f.id()(
        'ID of the conflict, to use as `conflictId` in resolutions. It changes when one of the three versions changes.',
        ({ id }) => id,
      ),
      kind: f.enum(conflictKind)('Kind of conflict.', ({ kind }) => kind),
      target: f.enum(conflictTarget)('Type of the object in conflict.', ({ target }) => target.type),
      targetId: f
        .id()
        .optional(
          'ID of the object in conflict. For a page, its `pageId`. Null for the top level of the page tree.',
          ({ target }) => target.id,
        ),
      field: f.string.optional('Name of the field. Null unless the conflict is about a field.', ({ field }) => field),
      block: f.string.optional('Key of the block. Null unless the conflict is about a block.', ({ block }) => block),
      page: f
        .object(() => conflictingPage)
        .optional('The page in conflict.', (conflict, ctx) => conflictPage(ctx, conflict), { graph: false }),
      pages: f.list(types.id('page'))('IDs (`pageId`) of the other pages in the conflict.', ({ pages }) => pages, {
        graph: 'pageIds',
      }),
      base: version('base', 'Common ancestor of the two versions. Null if the object does not exist in it.'),
      ours: version('ours', 'Version of the change request. Null if the object does not exist in it.'),
      theirs: version('theirs', 'Version of the primary content. Null if the object does not exist in it.'),
    };
  },
);

/** The conflicts that are shown where they are not a paged list. */
export const firstConflicts = (conflicts: readonly ShownConflict[]) => conflicts.slice(0, MAX_SHOWN);

/** REST only: in the graph a payload also has the changed objects. */
export const mergeOutcome = resource<MergeResult<'merge'>>(
  { name: 'ChangeRequestMerge', description: 'Result of merging a change request.' },
  (f) => ({
    revision: f.id('rev')(
      'ID of the revision of the space that the merge created, or with `dryRun` of its current revision. If there are conflicts, of the current revision of the change request.',
      ({ revisionId }) => revisionId,
    ),
    result: f.enum(mergeResult)('Whether the change request was merged, or has conflicts.', ({ result }) => result),
    conflicts: conflictsField(f),
    preview: previewField(f),
  }),
);

export const pullOutcome = resource<MergeResult<'update'>>(
  { name: 'ChangeRequestUpdate', description: 'Result of updating a change request with the primary content.' },
  (f) => ({
    revision: f.id('rev')('ID of the current revision of the change request.', ({ revisionId }) => revisionId),
    result: f.enum(pullResult)('Whether the change request was updated, or has conflicts.', ({ result }) => result),
    conflicts: conflictsField(f),
    preview: previewField(f),
  }),
);

function conflictsField<Row extends MergeResult<'merge' | 'update'>>(f: FieldMaker<Row>) {
  return f
    .list(types.object(() => mergeConflict))
    .optional(`Only with the result \`conflicts\`: the first ${MAX_SHOWN} conflicts.`, ({ result, conflicts }) =>
      result === 'conflicts' ? firstConflicts(conflicts) : null,
    );
}

function previewField<Row extends MergeResult<'merge' | 'update'>>(f: FieldMaker<Row>) {
  return f.object(() => contentPreview).optional(MERGE_PREVIEW_DESCRIPTION, ({ preview }) => preview);
}

const unmetRule = resource<UnmetRule>(
  { name: 'UnmetMergeRule', description: 'A merge rule that is not met.' },
  (f) => ({
    rule: f.enum(mergeRuleKind)('Kind of rule.', ({ rule }) => rule),
    message: f.string('Reason why the rule is not met, and how to meet it.', ({ message }) => message),
  }),
);

/** Not in REST: the graph and agents. */
export const mergeability = resource<Mergeability>(
  { name: 'Mergeability', description: 'Whether you can merge a change request now, and what prevents it.' },
  (f) => ({
    mergeable: f.boolean('Whether you can merge the change request now. False once it is merged.', (row) =>
      row.mergeable(),
    ),
    unmetRules: f.list(types.object(() => unmetRule))(
      'Merge rules that are not met. Empty if you cannot see them.',
      (row) => row.unmetRules(),
    ),
    missingPermission: f
      .enum(role)
      .optional('Role on the space that merging requires. Null if you have it.', (row) => row.missingPermission()),
    conflicts: f.list(types.object(() => mergeConflict))(
      `The first ${MAX_SHOWN} conflicts. \`ChangeRequest.conflicts\` lists all of them. Empty if you cannot see them.`,
      async (row) => firstConflicts(await row.conflicts()),
    ),
  }),
);
