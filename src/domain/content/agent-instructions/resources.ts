import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { publicForm } from '../../../lib/document/public-form.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { loadUser, user } from '../../people/users/index.ts';
import type { InstructionsRow } from './load.ts';

const agentInstructionsUrls = resource<InstructionsRow>(
  { name: 'AgentInstructionsUrls', description: 'URLs of instructions for agents.' },
  (f) => ({
    location: f.url('URL of the instructions in the REST API.', ({ id }, ctx) =>
      locationUrl(ctx, `/v1/orgs/${id}/agent-instructions`),
    ),
  }),
);

export const agentInstructions = resource<InstructionsRow>(
  {
    name: 'AgentInstructions',
    object: 'agent-instructions',
    isVersioned: true,
    description: 'Instructions of an organization for agents that write for it.',
  },
  (f) => ({
    document: f.jsonObject<object>()('The instructions as a document.', ({ document }) => publicForm(document), {
      rest: 'instructions',
    }),
    markdown: f.string('The instructions as Markdown.', ({ document }) => printMarkdown(document), { rest: false }),
    updatedAt: f.time(
      'Time of the last update. If they were never set, the time when the organization was created.',
      ({ updatedAt }) => updatedAt,
    ),
    updatedBy: f.apart({
      graph: f
        .object(() => user)
        .optional('User who last updated the instructions. Null if they were never set.', ({ updatedBy }, ctx) =>
          updatedBy === null ? null : loadUser(ctx, updatedBy),
        ),
      rest: f.string(
        'ID of the user who last updated the instructions. Empty if they were never set.',
        ({ updatedBy }) => updatedBy ?? '',
      ),
    }),
    urls: f.object(() => agentInstructionsUrls)('URLs of the instructions.', (row) => row),
  }),
);
