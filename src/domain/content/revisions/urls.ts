import type { Context } from '../../../platform/context.ts';
import { appUrl, locationUrl } from '../../../platform/urls.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

export const revisionUrls = ({ id, space_id }: Pick<RevisionRow, 'id' | 'space_id'>, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${space_id}/revisions/${id}`),
  app: appUrl(ctx, `/spaces/${space_id}/revisions/${id}`),
});
