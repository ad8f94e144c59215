import type { z } from 'zod';
import type { partRole } from './enums.ts';

/** A stored part of a conversation. */
export interface ConversationPart {
  type: 'message';
  role: z.infer<typeof partRole>;
  body: string;
}
