import type { z } from 'zod';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import { parseOptions } from '../../../lib/validation/describe-issue.ts';
import { pageFields, pageTitle, reusableContentTitle } from '../../content/editing/index.ts';
import { fileName } from '../../content/files/index.ts';

/** Validation of text fields, by the type of the object. */
const FIELDS: Partial<Record<Conflict['target']['type'], Record<string, z.ZodType>>> = {
  page: { title: pageTitle, description: pageFields.description, linkTitle: pageFields.linkTitle },
  file: { name: fileName },
  'reusable-content': { title: reusableContentTitle },
};

/** Reason why the text is not valid for the field in conflict. Resolutions follow the same rules as edits. */
export function faultOfText({ target, field }: Conflict, text: string): string | undefined {
  const schema = field === null ? undefined : FIELDS[target.type]?.[field];
  return schema?.safeParse(text, parseOptions).error?.issues[0]?.message;
}
