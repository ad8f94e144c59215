import type { Context } from '../../../platform/context/context.ts';
import { appUrl, locationUrl } from '../../../platform/resource/urls.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

export const revisionUrls = ({ id, spaceId }: Pick<RevisionRow, 'id' | 'spaceId'>, ctx: Context) => ({
  location: locationUrl(ctx, `/v1/spaces/${spaceId}/revisions/${id}`),
  app: appUrl(ctx, `/spaces/${spaceId}/revisions/${id}`),
});
