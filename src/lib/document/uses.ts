import { variablesIn } from '../expression/variables-in.ts';
import type { ContentRef } from './content-ref.ts';
import type { AnyNode, JSONDocument } from './document.ts';
import { nodeReferences } from './references.ts';
import { childrenOf } from './walk.ts';

/** An object, other than a page, that content uses. */
export interface Use {
  kind: 'file' | 'reusable-content' | 'tag' | 'openapi' | 'variable';
  /** ID of the file or reusable content, slug of the tag or specification, name of the variable. */
  id: string;
  /** ID of the space that has it, if it is another one. */
  space?: string;
  /** Conditions of the `if` blocks around the use. It is seen by readers who meet all of them. */
  conditions?: string[];
}

/** Objects that a body uses, each once for the same conditions. */
export function usesOf(document: JSONDocument): Use[] {
  const uses = new Map<string, Use>();
  const note = (use: Use | undefined, conditions: readonly string[]) => {
    if (!use) return;
    const noted = conditions.length === 0 ? use : { ...use, conditions: [...conditions] };
    uses.set(JSON.stringify([noted.kind, noted.id, noted.space, noted.conditions]), noted);
  };
  const visit = (node: AnyNode, conditions: readonly string[]): void => {
    for (const ref of nodeReferences(node)) note(useOf(ref), conditions);
    if (node.object === 'inline' && node.type === 'expression') {
      for (const id of variablesIn(node.data.expression)) note({ kind: 'variable', id }, conditions);
    }
    const below = node.object === 'block' && node.type === 'if' ? [...conditions, node.data.expression] : conditions;
    for (const child of childrenOf(node)) visit(child, below);
  };
  for (const node of document.nodes) visit(node, []);
  return [...uses.values()];
}

/** Object that a reference uses. Undefined for pages and other targets, which have their own rules. */
export function useOf(ref: ContentRef): Use | undefined {
  const of = (kind: Use['kind'], id: string, space?: string): Use => ({
    kind,
    id,
    ...(space !== undefined && { space }),
  });
  switch (ref.kind) {
    case 'file':
      return of(ref.kind, ref.file, ref.space);
    case 'reusable-content':
      return of(ref.kind, ref.reusableContent, ref.space);
    case 'tag':
      return of(ref.kind, ref.tag, ref.space);
    case 'openapi':
      return of(ref.kind, ref.spec);
    default:
      return undefined;
  }
}
