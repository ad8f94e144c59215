import { resource } from '../../../platform/resource/resource.ts';
import { comparison, labelOrigin } from './enums.ts';
import type { GroupingRow, LabellingRow } from './get-issues-grouping.ts';
import type { ModelUsage } from './model-usage.ts';

const modelUsage = resource<ModelUsage & { month: string }>(
  {
    name: 'IssuesModelUsage',
    description: 'Text that the service has sent to a model for an organization in a calendar month (UTC).',
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
    description: "State of describing clusters with the service's chat model.",
  },
  (f) => ({
    origin: f.enum(labelOrigin)('`model` if a model is set.', ({ origin }) => origin),
    error: f.string.optional(
      'Error from the chat model. While it is set, some clusters have no label and summary from it. Null if all have them, or if no model is set.',
      (row) => row.error,
    ),
    failedAt: f.time.optional(
      'Time when the model failed. The service retries after ten minutes. Null if it has not failed.',
      ({ failedAt }) => failedAt,
    ),
    characterLimit: f.count.optional(
      'Maximum number of characters of questions that are sent to the model in a calendar month. Null for no limit.',
      ({ characterLimit }) => characterLimit,
    ),
    usage: f.object(() => modelUsage)('Usage of the model in this calendar month.', ({ usage }) => usage),
  }),
);

export const issuesGrouping = resource<GroupingRow>(
  {
    name: 'IssuesGrouping',
    object: 'issues-grouping',
    description: 'State of grouping the issues of an organization into clusters.',
  },
  (f) => ({
    comparison: f.enum(comparison)(
      'Basis on which issues are compared since the latest complete grouping.',
      (row) => row.comparison,
    ),
    issues: f.count(
      'Number of issues in the latest complete grouping. 0 before the first one.',
      ({ issues }) => issues,
    ),
    changes: f.count(
      'Number of issues that were added, changed or deleted since the latest complete grouping.',
      ({ changes }) => changes,
    ),
    groupedAt: f.time.optional(
      'Time of the latest complete grouping. Null before the first one.',
      ({ groupedAt }) => groupedAt,
    ),
    error: f.string.optional(
      'Error from the embedding model. While it is set, issues are compared by words. Null if the model returned all vectors, or if no model is set.',
      ({ error }) => error,
    ),
    failedAt: f.time.optional(
      'Time when the model failed. The service retries after ten minutes. Null if it has not failed.',
      ({ failedAt }) => failedAt,
    ),
    characterLimit: f.count.optional(
      'Maximum number of characters that are sent to the model in a calendar month. Null for no limit.',
      ({ characterLimit }) => characterLimit,
    ),
    usage: f.object(() => modelUsage)('Usage of the model in this calendar month.', (row) => row),
    labels: f.object(() => issuesLabelling)('State of describing clusters with a model.', ({ labels }) => labels),
  }),
);
