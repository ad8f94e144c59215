import { createHash } from 'node:crypto';
import { redact } from '../../../lib/redact/redact.ts';
import { storableText } from '../../../lib/storable-text.ts';
import type { Yielder } from '../../../lib/tick.ts';
import type { ConversationPart } from './entity.ts';
import type { ConversationInput } from './ingest-input.ts';

/** A conversation as it is stored. */
export interface RedactedConversation {
  externalId: string;
  subject: string | null;
  url: string | null;
  attributes: Record<string, string>;
  parts: ConversationPart[];
  createdAt: string | null;
  /** Hexadecimal. */
  inputHash: string;
}

/**
 * Redacts subject, bodies and values of attributes, and removes characters that PostgreSQL cannot store. Long bodies
 * are redacted by `redactLong`. Calls `pause` after each part and value, and at the end.
 */
export async function redactConversation(
  { id, subject, metadata, parts }: ConversationInput,
  { pause, redactLong }: { pause: Yielder; redactLong: (text: string) => Promise<string> },
): Promise<RedactedConversation> {
  const bodies: ConversationPart[] = [];
  for (const { type, role, body: sent } of parts) {
    const body = sent.length > LONG_TEXT_CHARACTERS ? await redactLong(normal(sent)) : clean(sent);
    bodies.push({ type, role, body });
    await pause();
  }
  const attributes: [key: string, value: string][] = [];
  for (const [key, value] of Object.entries(metadata?.attributes ?? {})) {
    attributes.push([key, clean(value)]);
    await pause();
  }
  const conversation = {
    externalId: id,
    subject: subject == null || subject === '' ? null : clean(subject),
    url: metadata?.url ?? null,
    attributes: Object.fromEntries(attributes),
    parts: bodies,
    createdAt: metadata?.createdAt ?? null,
  };
  await pause();
  return { ...conversation, inputHash: createHash('sha256').update(JSON.stringify(conversation)).digest('hex') };
}

/** Characters from which a text is redacted in a worker. */
const LONG_TEXT_CHARACTERS = 5_000;

const clean = (text: string) => redact(normal(text));

const normal = (text: string) => storableText(text.replaceAll('\r\n', '\n'));
