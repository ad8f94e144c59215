import type { z } from 'zod';
import { namedEnum } from '../../../platform/named-enum.ts';

export const partType = namedEnum('ConversationPartType', 'What a part of a conversation is.', {
  message: 'Something that a visitor, an assistant or a member of the team has written.',
});

export const partRole = namedEnum('ConversationPartRole', 'Role of the author of a part of a conversation.', {
  user: 'The visitor.',
  assistant: 'An automatic assistant.',
  'team-member': 'A member of the team that answers.',
});

const STATUSES = {
  pending: 'Created from new issues. The next complete grouping evaluates it.',
  analysing: 'Its issues have changed since it was evaluated. The next complete grouping evaluates it again.',
} as const;

export const clusterStatusFilter = namedEnum('IssuesClusterStatusFilter', 'Filters clusters by status.', STATUSES);

export const clusterStatus = namedEnum('IssuesClusterStatus', 'How far a cluster of issues has been evaluated.', {
  ...STATUSES,
  complete: 'Label, summary and issues are those of the latest complete grouping.',
});

export type ClusterStatus = z.infer<typeof clusterStatus>;

export const clusterOrderField = namedEnum('IssuesClusterOrderField', 'Field that clusters are sorted by.', {
  updatedAt: 'Time when issues were last added.',
  issues: 'Number of issues.',
  conversations: 'Number of conversations.',
  tasksTotal: 'Number of change requests.',
  tasksBacklog: 'Number of draft change requests.',
  tasksStarted: 'Number of open change requests.',
});

export type ClusterOrderField = z.infer<typeof clusterOrderField>;

export const labelOrigin = namedEnum('IssuesLabelOrigin', 'What label and summary of a cluster of issues come from.', {
  words: 'Phrases that distinguish the questions, and the most typical question, within the service.',
  model: 'The chat model that is set with `LABELS_URL`.',
});

export type LabelOrigin = z.infer<typeof labelOrigin>;

export const comparison = namedEnum('IssuesComparison', 'What issues are compared by.', {
  words: 'The words of the questions, within the service.',
  model: 'Vectors of the questions by the model that is set with `EMBEDDINGS_URL`.',
});

export type Comparison = z.infer<typeof comparison>;
