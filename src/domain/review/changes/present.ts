import type { JsonObject } from '../../../lib/canonical.ts';
import type { ContentChange } from '../../../lib/diff/content-diff.ts';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import { documentId } from '../../../platform/ids/ids.ts';
import { present } from '../../../platform/resource/rest.ts';
import { changeRequest as changeRequestResource, loadChangeRequest } from '../../content/change-requests/index.ts';
import { presentFile } from '../../content/files/index.ts';
import { presentReusableContent } from '../../content/reusable-contents/index.ts';
import type { FileEntry, ReusableContentEntry, VariableEntry } from '../../store/manifests/index.ts';
import { toBytes } from '../../store/revisions/index.ts';
import type { ChangeRow } from './change-list.ts';
import { bodyOfEntry, entryFieldChanges, type FieldChange, pageFieldChanges } from './field-changes.ts';
import type { ChangeList } from './list-revision-changes.ts';

/** The first changes and the number of further ones, as REST's `SemanticChanges`. */
export async function presentChanges(list: ChangeList, ctx: Context) {
  const { limit, revision } = list;
  const [{ rows }, total] = await Promise.all([list.page({ size: limit, direction: 'forward' }), list.total()]);
  const { mergedFromId } = revision;
  const changeRequest = mergedFromId === null ? undefined : await loadChangeRequest(ctx, mergedFromId);
  return {
    ...(changeRequest && { mergedFrom: await present(changeRequestResource, changeRequest, ctx) }),
    changes: rows.map((row) => presentRow(row, ctx)),
    more: total - rows.length,
  };
}

function presentRow({ change, after: { organizationId } }: ChangeRow, ctx: Context) {
  switch (change.type) {
    case 'page_created':
    case 'page_deleted':
      return { type: change.type, page: presentPage(change.page) };
    case 'page_moved':
      return { type: change.type, page: presentPage(change.after), parent: parentsOf(change) };
    case 'page_edited': {
      const attributes = attributesOf(pageFieldChanges(ctx, change.fields, change.before, change.after));
      return { type: change.type, page: presentPage(change.after), attributes };
    }
    case 'file_created':
    case 'file_deleted':
      return { type: change.type, file: shownFile(change.entry, ctx, organizationId) };
    case 'file_edited': {
      const [before, after] = [change.before, change.after].map((entry) => shownFile(entry, ctx, organizationId));
      return { type: change.type, file: after, attributes: differing(before, after) };
    }
    case 'reusable_content_created':
    case 'reusable_content_deleted':
      return { type: change.type, reusableContent: presentReusableContent(ctx, change.entry as ReusableContentEntry) };
    case 'reusable_content_edited':
      return presentReusableContentEdit(ctx, change);
    case 'variables_edited':
      return { type: change.type, variables: variablesIn(change.variables) };
  }
}

const presentPage = ({ pageId, kind, title, path }: LoadedPage) => ({
  id: pageId,
  type: kind,
  title,
  ...(path === null ? {} : { path }),
});

function parentsOf({ parents: { before, after } }: ContentChange & { type: 'page_moved' }) {
  return { ...(before && { before: presentPage(before) }), ...(after && { after: presentPage(after) }) };
}

const shownFile = (entry: object, ctx: Context, organizationId: string) =>
  presentFile(entry as FileEntry, ctx, organizationId); // entries of the manifest of files

/** The shown properties of a file that differ. */
function differing(before: JsonObject | undefined, after: JsonObject | undefined) {
  const names = ['name', 'downloadURL', 'size', 'contentType', 'dimensions'];
  const changes = names.map((name) => ({ name, before: before?.[name] ?? null, after: after?.[name] ?? null }));
  return attributesOf(changes.filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after)));
}

const attributesOf = (changes: readonly FieldChange[]) =>
  Object.fromEntries(
    changes.map(({ name, before, after }) => [
      name,
      { ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) },
    ]),
  );

function presentReusableContentEdit(ctx: Context, change: ContentChange & { type: 'reusable_content_edited' }) {
  const [before, after] = [bodyOfEntry(change.before), bodyOfEntry(change.after)].map(
    (hash) => hash && documentId(toBytes(hash)),
  );
  const body: FieldChange[] =
    before === after ? [] : [{ name: 'document', before: before ?? null, after: after ?? null }];
  return {
    type: change.type,
    reusableContent: presentReusableContent(ctx, change.after as ReusableContentEntry), // of the manifest of reusable contents
    attributes: attributesOf([...entryFieldChanges(change.before, change.after), ...body]),
  };
}

const variablesIn = (changes: (ContentChange & { type: 'variables_edited' })['variables']) =>
  Object.fromEntries(
    changes.map(({ id, before, after }) => {
      const [was, is] = [before, after].map((entry) => entry && (entry as VariableEntry).value); // of the manifest of variables
      return [id, { ...(before && { before: was }), ...(after && { after: is }) }];
    }),
  );
