import { resource } from '../../../platform/resource/resource.ts';
import { type ContentPreview, contentPreview } from '../dry-runs/index.ts';

/** The output of applying a template. */
export interface AppliedTemplate {
  spaceId: string;
  /** The new revision, or that of the space if the template was only tried. */
  revisionId: string;
  /** What the template would change, if it was only tried. */
  preview?: ContentPreview;
}

export const TEMPLATE_PREVIEW_DESCRIPTION =
  'Changes that the template would make. Only with `dryRun`: then nothing is changed.';

/** What REST answers if a template is only tried. */
export const triedTemplate = resource<AppliedTemplate>(
  { name: 'TriedTemplate', description: 'Changes that a template would make.' },
  (f) => ({
    revision: f.id('rev')('ID of the current revision, which is not replaced.', ({ revisionId }) => revisionId),
    preview: f.object(() => contentPreview).optional(TEMPLATE_PREVIEW_DESCRIPTION, ({ preview }) => preview),
  }),
);
