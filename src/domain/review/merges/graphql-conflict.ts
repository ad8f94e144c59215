import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { FileType } from '../../content/files/graphql.ts';
import { PageNode } from '../../content/pages/graphql.ts';
import { fileIn } from '../../store/manifests/index.ts';
import { conflictPage } from './conflict-page.ts';
import type { ShownConflict } from './conflicts-of.ts';
import { conflictKind, conflictTarget } from './enums.ts';
import { type ShownVersion, shownVersion } from './shown-version.ts';

const VersionType = builder.objectRef<ShownVersion>('ConflictVersion').implement({
  description: 'What one of the three versions has in the place of a conflict.',
  fields: (t) => ({
    markdown: t.exposeString('markdown', {
      nullable: true,
      description: 'A block or a body as Markdown, a text as it is; null for anything else.',
    }),
    document: t.field({
      type: 'JSON',
      nullable: true,
      description: 'A block or a body as a document; null for anything else.',
      resolve: ({ document }) => document,
    }),
    value: t.field({
      type: 'JSON',
      nullable: true,
      description: 'A field, all fields of a page or file, or the places of pages; null for a block.',
      resolve: ({ value }) => value ?? null,
    }),
  }),
});

export const ConflictType = builder.objectRef<ShownConflict>('MergeConflict').implement({
  description: 'Something that a change request and the primary content changed differently.',
  fields: (t) => {
    const version = (side: 'base' | 'ours' | 'theirs', description: string) =>
      t.field({
        type: VersionType,
        nullable: true,
        description,
        resolve: (conflict, _args, ctx) => shownVersion(ctx, conflict.versions.theirs.organizationId, conflict[side]),
      });
    return {
      id: t.exposeID('id', {
        description:
          'Names it for `resolveChangeRequestConflicts`. Another version on either side makes it another conflict.',
      }),
      kind: t.expose('kind', { type: enumType(conflictKind), description: 'How the two sides contradict each other.' }),
      target: t.field({
        type: enumType(conflictTarget),
        description: 'What kind of thing it is about.',
        resolve: ({ target }) => target.type,
      }),
      targetId: t.id({
        nullable: true,
        description: 'Id of what it is about: of a page its `pageId`. Null for the top level of the tree.',
        resolve: ({ target }) => target.id,
      }),
      field: t.exposeString('field', { nullable: true, description: 'The field, where it is about one.' }),
      block: t.exposeString('block', { nullable: true, description: 'The key of the block, where it is about one.' }),
      page: t.field({
        type: PageNode,
        nullable: true,
        description:
          'The page that it is about, if it is about one: as the primary content has it, where it still does.',
        resolve: (conflict, _args, ctx) => {
          const { type, id } = conflict.target;
          return type === 'page' && id !== null ? conflictPage(ctx, conflict, id) : null;
        },
      }),
      file: t.field({
        type: FileType,
        nullable: true,
        description: 'The file that it is about, if it is about one.',
        resolve: async ({ target, versions: { theirs, ours } }, _args, ctx) => {
          if (target.type !== 'file' || target.id === null) return null;
          return (await fileIn(ctx, theirs, target.id)) ?? (await fileIn(ctx, ours, target.id));
        },
      }),
      pageIds: t.idList({
        description: 'The other pages that take part, by their `pageId`.',
        resolve: ({ pages }) => pages,
      }),
      base: version('base', 'What both sides began with; null where there was nothing.'),
      ours: version('ours', 'What the change request has; null where it has nothing.'),
      theirs: version('theirs', 'What the primary content has; null where it has nothing.'),
    };
  },
});
