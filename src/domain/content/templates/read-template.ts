import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ContentRef } from '../../../lib/document/content-ref.ts';
import type { Block, JSONDocument } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { mapReferences, referencesOf } from '../../../lib/document/references.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ownFile } from '../../../platform/own-files.ts';
import { deriveFromBody } from '../../store/prepared-bodies/index.ts';
import { inMemory, readOwnFolder, type StoredRepository } from '../import-engine/index.ts';

const TEXTS = fileURLToPath(ownFile('src/domain/content/templates/texts/'));

/** Names of the templates. Each is a folder with texts. */
export const TEMPLATES: readonly string[] = readdirSync(TEXTS).sort();

/** Start of the URL of a link that the caller can provide a target for: `[the reference](ref:reference)`. */
const OPEN_REF = 'ref:';

/** The pages of a template, with targets for its open links. */
export async function readTemplate(
  ctx: Context,
  template: string,
  contentRefs: ReadonlyMap<string, ContentRef>,
): Promise<StoredRepository> {
  const repository = await readOwnFolder(ctx, `${TEXTS}${template}`);
  const pages = [];
  for (const page of repository.pages) {
    const read = await page.body?.unpack();
    const body = read && { document: deriveFromBody(fill(read.body, contentRefs)), source: read.source };
    pages.push({ ...page, body: body && inMemory(body) });
  }
  return { ...repository, pages };
}

/** Blocks with a link that has no target are left out. */
function fill(body: JSONDocument, contentRefs: ReadonlyMap<string, ContentRef>): JSONDocument {
  const isFilled = (block: Block) =>
    referencesOf(documentOf([block])).every(
      ({ ref }) => nameOf(ref) === undefined || contentRefs.has(nameOf(ref) ?? ''),
    );
  return mapReferences(
    { ...body, nodes: body.nodes.filter(isFilled) },
    (ref) => contentRefs.get(nameOf(ref) ?? '') ?? ref,
  );
}

const nameOf = (ref: ContentRef): string | undefined =>
  ref.kind === 'url' && ref.url.startsWith(OPEN_REF) ? ref.url.slice(OPEN_REF.length) : undefined;
