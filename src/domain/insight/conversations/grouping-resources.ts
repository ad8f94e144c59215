import { resource } from '../../../platform/resource/resource.ts';
import { comparison, labelOrigin } from './enums.ts';
import type { GroupingRow, LabellingRow } from './get-issues-grouping.ts';
import type { ModelUsage } from './model-usage.ts';

const modelUsage = resource<ModelUsage & { month: string }>(
  {
    name: 'IssuesModelUsage',
    description: 'What the service has sent to a model for an organization in a calendar month (UTC).',
  },
  (f) => ({
    month: f.string('The month: `2026-01`.', ({ month }) => month),
    requests: f.count('Number of answered requests.', ({ requests }) => requests),
    texts: f.count('Number of questions.', ({ texts }) => texts),
    characters: f.count('Number of characters.', ({ characters }) => characters),
  }),
);

const issuesLabelling = resource<LabellingRow>(
  {
    name: 'IssuesLabelling',
    description: 'The state of describing clusters by the chat model of the service.',
  },
  (f) => ({
    origin: f.enum(labelOrigin)('`model` if a model is set.', ({ origin }) => origin),
    error: f.string.optional(
      'Why the model has not given labels and summaries of all clusters. Null if it has, or if no model is set.',
      (row) => row.error,
    ),
    failedAt: f.time.optional(
      'Time when the model failed. It is asked again ten minutes later. Null if it has not failed.',
      ({ failedAt }) => failedAt,
    ),
    characterLimit: f.count.optional(
      'Characters of questions that may be sent to the model in a calendar month. Null for no limit.',
      ({ characterLimit }) => characterLimit,
    ),
    usage: f.object(() => modelUsage)('What was sent to the model this month.', ({ usage }) => usage),
  }),
);

export const issuesGrouping = resource<GroupingRow>(
  {
    name: 'IssuesGrouping',
    object: 'issues-grouping',
    description: 'The state of grouping the issues of an organization into clusters.',
  },
  (f) => ({
    comparison: f.enum(comparison)('What the latest complete grouping compared.', (row) => row.comparison),
    issues: f.count('Number of issues that it grouped. 0 before the first one.', ({ issues }) => issues),
    changes: f.count('Number of issues that were added, changed or deleted since.', ({ changes }) => changes),
    groupedAt: f.time.optional(
      'Time of the latest complete grouping. Null before the first one.',
      ({ groupedAt }) => groupedAt,
    ),
    error: f.string.optional(
      'Why the model of the service has not given the vectors of all issues, so that words are compared. Null if it has, ' +
        'or if no model is set.',
      ({ error }) => error,
    ),
    failedAt: f.time.optional(
      'Time when the model failed. It is asked again ten minutes later. Null if it has not failed.',
      ({ failedAt }) => failedAt,
    ),
    characterLimit: f.count.optional(
      'Characters that may be sent to the model in a calendar month. Null for no limit.',
      ({ characterLimit }) => characterLimit,
    ),
    usage: f.object(() => modelUsage)('What was sent to the model this month.', (row) => row),
    labels: f.object(() => issuesLabelling)('The state of labels and summaries by a model.', ({ labels }) => labels),
  }),
);
