import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  print,
  visit,
} from 'graphql';
import { documentIdOf } from './trusted-documents.ts';

/** A file with documents. The path is only used in messages. */
export interface DocumentFile {
  path: string;
  text: string;
}

/** A trusted document. Clients send its id, and `operationName` if it has several operations. */
export interface DocumentManifestEntry {
  path: string;
  id: string;
  text: string;
  operations: string[];
}

/**
 * Makes a trusted document from each file with operations. The text of the file is unchanged, so that clients can
 * compute the hash. Fragments of other files are appended.
 */
export function manifestOf(sources: readonly DocumentFile[]): DocumentManifestEntry[] {
  const files = sources.map(({ path, text }) => ({ path, text, document: parsed(path, text) }));
  const fragments = fragmentsOf(files);
  return files.flatMap(({ path, text, document }) => {
    const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length === 0) return [];
    const fullText = [text, ...missingFragments(document, fragments).map((fragment) => print(fragment))].join('\n\n');
    return [{ path, id: documentIdOf(fullText), text: fullText, operations: operations.map(nameOf) }];
  });
}

function parsed(path: string, text: string): DocumentNode {
  try {
    return parse(text, { noLocation: true });
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'The file cannot be parsed.'}`);
  }
}

const nameOf = (node: DefinitionNode) => ('name' in node && node.name ? node.name.value : '(unnamed)');

function fragmentsOf(files: readonly { path: string; document: DocumentNode }[]): Map<string, FragmentDefinitionNode> {
  const byName = new Map<string, FragmentDefinitionNode>();
  const places = new Map<string, string>();
  for (const { path, document } of files) {
    for (const node of document.definitions) {
      if (node.kind !== Kind.FRAGMENT_DEFINITION) continue;
      const name = node.name.value;
      const place = places.get(name);
      if (place !== undefined) throw new Error(`Fragment "${name}" is defined in both ${place} and ${path}.`);
      places.set(name, path);
      byName.set(name, node);
    }
  }
  return byName;
}

/** Fragments that a document uses directly or indirectly but does not define, in the order of their use. */
function missingFragments(
  document: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const local = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const names = new Set(local.map(({ name }) => name.value));
  const missing: FragmentDefinitionNode[] = [];
  const collect = (node: DocumentNode | FragmentDefinitionNode): void => {
    visit(node, {
      [Kind.FRAGMENT_SPREAD]: ({ name }) => {
        const fragment = fragments.get(name.value);
        if (!fragment || names.has(name.value)) return;
        names.add(name.value);
        missing.push(fragment);
        collect(fragment);
      },
    });
  };
  collect(document);
  return missing;
}
