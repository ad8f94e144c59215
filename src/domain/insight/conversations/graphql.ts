import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';

/** The type is here so that documents that ask for any node validate; nothing can be ingested yet, so no node has it. */
export const ConversationType = builder.objectRef<{ id: string; subject: string | null }>('Conversation').implement({
  description: 'A conversation with readers. None exists yet: ingesting them comes later.',
  interfaces: [Node],
  fields: (t) => ({
    subject: t.exposeString('subject', { nullable: true, description: 'What it is about.' }),
  }),
});
