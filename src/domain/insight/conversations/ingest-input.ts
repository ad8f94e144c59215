import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { multilineText } from '../../../platform/shapes/text.ts';
import { timeInput } from '../../../platform/shapes/time.ts';
import { webAddress } from '../../../platform/shapes/web-address.ts';
import { partRole, partType } from './enums.ts';

/** Limits in UTF-16 code units, or numbers of items. */
export const MAX_CONVERSATIONS = 500;
const MAX_PARTS = 1_000;
const MAX_BODY = 100_000;
const MAX_TEXT = 500_000;
const MAX_ATTRIBUTES = 100;

/** Text of any characters; those that cannot be stored are removed later. */
const anyText = (min: number, max: number) =>
  z
    .string()
    .min(min, { error: 'must not be empty', ...withCode('TOO_SHORT') })
    .max(max, { error: `must be at most ${max} characters long`, ...withCode('TOO_LONG') });

const part = z
  .object({
    type: partType.default('message').describe('Type of the part.'),
    role: partRole.describe('Role of the author.'),
    body: anyText(0, MAX_BODY).describe(
      'Text of the message, as plain text, Markdown or HTML. Up to 100,000 characters.',
    ),
  })
  .meta({
    inputName: 'ConversationPartInput',
    description: 'A message in a conversation, with the role of its author.',
  });

const attributes = z
  .record(multilineText(1, 100), anyText(0, 1_000))
  .refine((value) => Object.keys(value).length <= MAX_ATTRIBUTES, {
    error: `must have at most ${MAX_ATTRIBUTES} keys`,
    ...withCode('TOO_MANY'),
  })
  .meta({ scalar: 'JSONObject' });

const createdAt = timeInput
  .refine((value) => value >= '1970', { error: 'must not be before 1970' })
  .meta({ scalar: 'DateTime' });

const metadata = z
  .object({
    url: webAddress().nullish().describe('URL of the conversation in its source.'),
    attributes: attributes
      .nullish()
      .describe('Further attributes as an object of texts: up to 100 keys of 100 and values of 1,000 characters.'),
    createdAt: createdAt.nullish().describe('Time when the conversation began. Default: time of its ingestion.'),
  })
  .meta({
    inputName: 'ConversationMetadataInput',
    description: 'URL, attributes and time of a conversation to ingest.',
  });

export const conversationInput = z
  .object({
    // Without characters that are removed from texts, which would make different IDs the same.
    id: multilineText(1, 255).describe(
      'ID of the conversation in its source, 1 to 255 characters. A conversation with the same ID is replaced.',
    ),
    subject: anyText(0, 512).nullish().describe('Subject of the conversation, up to 512 characters.'),
    metadata: metadata.nullish().describe('URL, attributes and time of the conversation.'),
    parts: z
      .array(part)
      .max(MAX_PARTS)
      .refine((parts) => parts.reduce((sum, { body }) => sum + body.length, 0) <= MAX_TEXT, {
        error: `must have at most ${MAX_TEXT} characters together`,
        ...withCode('TOO_LONG'),
      })
      .describe('Messages of the conversation in order, up to 1,000 and 500,000 characters together.'),
  })
  .meta({ inputName: 'ConversationInput', description: 'A conversation to ingest.' });

export type ConversationInput = z.output<typeof conversationInput>;
