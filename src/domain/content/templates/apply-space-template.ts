import { z } from 'zod';
import { withCode } from '../../../lib/validation/issue-code.ts';
import { conflict, notFound } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { lineText } from '../../../platform/shapes/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { dryRun } from '../dry-runs/index.ts';
import { importIntoSpace } from '../import-engine/index.ts';
import { linkTarget } from '../pages/index.ts';
import { readTemplate, TEMPLATES } from './read-template.ts';
import type { AppliedTemplate } from './resources.ts';

const needed = permissions.applySpaceTemplate;

const MAX_REFS = 20;

const params = z
  .object({
    contentRefs: z
      .record(lineText(1, 100), linkTarget)
      .refine((refs) => Object.keys(refs).length <= MAX_REFS, {
        error: `must have at most ${MAX_REFS} references.`,
        ...withCode('TOO_MANY'),
      })
      .meta({
        scalar: 'JSONObject',
        description:
          'Targets for links of the template that lead to other content, by the name of the link, up to 20: `api` and `changelog` for the template `docs`, `reference` and `docs` for `api`, `docs` for `changelog`. Each target is a content reference (`{ kind, … }`). Lines of the template that contain a link without a target are left out. Names that the template does not use are ignored.',
      })
      .nullish(),
  })
  .meta({ inputName: 'SpaceTemplateParams', description: 'Parameters of the template.' });

export const applySpaceTemplate = command({
  name: 'applySpaceTemplate',
  scope: 'write',
  description:
    'Adds the pages of a template to the primary content of a space, after the existing pages. The empty page of a new space is replaced. Templates: `blank` has one page, `docs` the structure of product documentation, `api` the structure of an API guide, and `changelog` a changelog.',
  input: z.object({
    spaceId: idOf('space'),
    templateId: z
      .string()
      .max(100)
      .describe('Name of the template: `blank`, `docs`, `api` or `changelog`. NOT_FOUND for other names.'),
    params: params.nullish().describe('Parameters of the template.'),
    dryRun,
  }),
  versioned: 'spaceId',
  canDryRun: true,
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed.space),
  async prepare(ctx, { spaceId, templateId, params }) {
    const space = await spaceFor(ctx, spaceId, needed.space);
    if (!TEMPLATES.includes(templateId)) throw notFound('template', templateId);
    if (space.editMode === 'locked') {
      throw conflict('The space is locked. Create a change request to edit its content.');
    }
    return readTemplate(ctx, templateId, new Map(Object.entries(params?.contentRefs ?? {})));
  },
  async run(ctx, { spaceId, dryRun: isDryRun }, template): Promise<AppliedTemplate> {
    const { revisionId, preview } = await importIntoSpace(ctx, spaceId, template, { dryRun: isDryRun });
    return { spaceId, revisionId, ...(preview && { preview }) };
  },
});
