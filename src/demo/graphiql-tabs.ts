import { readFile } from 'node:fs/promises';
import { ownFile } from '../platform/own-files.ts';

/** The operations of the handbook's map of the schema that GraphiQL opens with, one tab for each list. */
const TABS = [
  ['Home'],
  ['Sidebar'],
  ['Page'],
  ['Search'],
  ['SearchEverywhere'],
  ['Link'],
  ['History'],
  ['ChangeRequests'],
  ['Review'],
  ['Comments'],
  ['NewSpace', 'EditSpace', 'Upload'],
  ['Propose', 'Edit', 'Ready', 'Ask', 'Approve', 'Pull', 'Resolve', 'Merge'],
  ['Post', 'Answer', 'ResolveComment', 'Remove'],
] as const;

const MAP = ownFile('src/demo/handbook/interfaces/graph-map.md');
const FENCE = '```';

/** Reads the documents that GraphiQL opens with from the handbook. Throws if the handbook lacks one. */
export async function graphiqlTabs(): Promise<string[]> {
  const documents = documentsIn(await readFile(MAP, 'utf8'));
  return TABS.map((names) => names.map((name) => documentOf(documents, name)).join('\n'));
}

function documentOf(documents: readonly string[], name: string): string {
  const match = documents.find((text) => [' ', '('].some((end) => text.split('\n', 1)[0]?.includes(` ${name}${end}`)));
  if (match === undefined) throw new Error(`The map of the schema has no operation ${name}.`);
  return match;
}

/** The blocks of GraphQL in a page. */
const documentsIn = (markdown: string): string[] =>
  markdown
    .split(`${FENCE}graphql\n`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(FENCE)));
