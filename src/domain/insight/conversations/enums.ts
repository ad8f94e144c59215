import type { z } from 'zod';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';

export const partType = namedEnum('ConversationPartType', 'Kind of a part of a conversation.', {
  message: 'A message from a visitor, an assistant or a member of the team.',
});

export const partRole = namedEnum('ConversationPartRole', 'Role of the author of a part of a conversation.', {
  user: 'The visitor.',
  assistant: 'An automatic assistant.',
  'team-member': 'A member of the answering team.',
});

const STATUSES = {
  pending: 'Created from new issues. The next complete grouping evaluates it.',
  analysing: 'Its issues have changed since it was evaluated. The next complete grouping evaluates it again.',
} as const;

export const clusterStatusFilter = namedEnum('IssuesClusterStatusFilter', 'Filters clusters by status.', STATUSES);

export const clusterStatus = namedEnum('IssuesClusterStatus', 'Progress of evaluating a cluster of issues.', {
  ...STATUSES,
  complete: 'Label, summary and issues are up to date with the latest complete grouping.',
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

export const labelOrigin = namedEnum('IssuesLabelOrigin', 'Source of the label and summary of a cluster of issues.', {
  words: 'Phrases that distinguish the questions, and the most typical question, computed within the service.',
  model: 'The chat model that is set with `LABELS_URL`.',
});

export type LabelOrigin = z.infer<typeof labelOrigin>;

export const comparison = namedEnum('IssuesComparison', 'Basis on which issues are compared.', {
  words: 'The words of the questions, compared within the service.',
  model: 'Vectors of the questions, from the model that is set with `EMBEDDINGS_URL`.',
});

export type IssuesComparison = z.infer<typeof comparison>;
