import { z } from 'zod';
import { isRecord } from '../../../../lib/is-record.ts';
import type { Issue, IssueInRest } from '../../../../platform/errors/errors.ts';
import type { updateGlossaryEntries } from './update-glossary-entries.ts';

const termsByLanguage = z
  .record(z.string(), z.string())
  .describe('The term by language: `{ "en": "Space", "de": "Bereich" }`.');
const entryId = z.string().describe('ID of the entry.');

/** The body of changes of a glossary. */
export const glossaryBody = z.object({
  operations: z
    .array(
      z.union([
        z.object({ type: z.literal('insert').describe('Adds an entry.'), translations: termsByLanguage }),
        z.object({
          type: z.literal('update').describe('Replaces the terms.'),
          id: entryId,
          translations: termsByLanguage,
        }),
        z.object({ type: z.literal('delete').describe('Deletes an entry.'), id: entryId }),
      ]),
    )
    .describe('The changes, up to 1,000. Either all are applied, in their order, or none.'),
});

/** The input of `updateGlossaryEntries`. */
export function toOperations({
  operations,
  ...input
}: Record<string, unknown>): z.input<typeof updateGlossaryEntries.input> {
  const changes = Array.isArray(operations) ? operations.map(toOperation) : operations;
  return { ...input, operations: changes } as z.input<typeof updateGlossaryEntries.input>; // checked by the operation
}

function toOperation(operation: unknown): unknown {
  if (!isRecord(operation)) return operation;
  const { type, translations, ...others } = operation;
  // Lists, the form of the graph, get names that are no languages, so that they are rejected.
  const terms =
    typeof translations === 'object' && translations !== null
      ? Object.entries(translations).map(([language, text]) => ({ language, text }))
      : translations;
  const members = { ...others, ...(translations !== undefined && { translations: terms }) };
  return type === 'insert' || type === 'update' || type === 'delete' ? { [type]: members } : {};
}

/** In REST, the kind of a change is a member of it, and terms are named by their language. */
export function glossaryIssue({ path, message }: Issue, body: unknown): IssueInRest | undefined {
  const [first, index, _kind, ...rest] = path;
  if (first !== 'operations' || typeof index !== 'number') return undefined;
  const [member, position] = rest;
  if (member !== 'translations' || typeof position !== 'number') return { path: [first, index, ...rest], message };
  const operation = isRecord(body) && Array.isArray(body.operations) ? body.operations[index] : undefined;
  const terms = isRecord(operation) && isRecord(operation.translations) ? Object.keys(operation.translations) : [];
  return { path: [first, index, member, ...terms.slice(position, position + 1)], message };
}
