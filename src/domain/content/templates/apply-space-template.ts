import { z } from 'zod';
import { conflict, notFound } from '../../../platform/errors.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { lineOf } from '../../../platform/text.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { importIntoSpace } from '../imports/index.ts';
import { linkTarget } from '../pages/index.ts';
import { readTemplate, TEMPLATES } from './read-template.ts';

const needed = permissions.applySpaceTemplate;

const MAX_REFS = 20;

const params = z
  .object({
    contentRefs: z
      .record(lineOf(1, 100), linkTarget)
      .refine((refs) => Object.keys(refs).length <= MAX_REFS, { error: `must hold at most ${MAX_REFS} references.` })
      .meta({
        scalar: 'JSONObject',
        description:
          'Where open links of the template lead, by their names: `api` and `changelog` in `docs`, `reference` and `docs` in `api`, `docs` in `changelog`. Each is a content reference (`{ kind, … }`); lines with links that are not given are left out, names that the template does not have are ignored.',
      })
      .nullish(),
  })
  .meta({ inputName: 'SpaceTemplateParams', description: 'What a template is filled with.' });

export const applySpaceTemplate = command({
  name: 'applySpaceTemplate',
  description:
    'Puts the pages of a template into the primary content of a space, behind those that are there; the one empty page that a new space begins with gives way. Templates: `blank`, one page; `docs`, the frame of a documentation; `api`, that of the guide to an API; `changelog`.',
  input: z.object({
    spaceId: idOf('space'),
    templateId: z.string().max(100).describe('Which template: `blank`, `docs`, `api` or `changelog`.'),
    params: params.nullish().describe('What the template is filled with.'),
  }),
  versioned: 'spaceId',
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needed.space),
  async prepare(ctx, { spaceId, templateId, params }) {
    const space = await spaceFor(ctx, spaceId, needed.space);
    if (!TEMPLATES.includes(templateId)) throw notFound('template', templateId);
    if (space.editMode === 'locked') {
      throw conflict('This space is locked against direct edits; write in a change request instead.');
    }
    return readTemplate(ctx, templateId, new Map(Object.entries(params?.contentRefs ?? {})));
  },
  async run(ctx, { spaceId }, template) {
    const { revisionId } = await importIntoSpace(ctx, spaceId, template);
    return { spaceId, revisionId };
  },
});
