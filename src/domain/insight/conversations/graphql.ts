import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';

/** Conversations cannot be imported yet. The type exists so that documents which select from any node are valid. */
export const ConversationType = builder.objectRef<{ id: string; subject: string | null }>('Conversation').implement({
  description: 'A conversation with a visitor. Conversations cannot be imported yet, so none exist.',
  interfaces: [Node],
  fields: (t) => ({
    subject: t.exposeString('subject', { nullable: true, description: 'Subject of the conversation.' }),
  }),
});
