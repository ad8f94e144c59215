import { createHash } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import { admitVisitor, asVisitor } from '../audiences/index.ts';
import type { FoundSite } from './find-site.ts';

/** A visitor whom the site admits. */
export interface Admitted {
  /** The context to read with: it shows what the audience may see. */
  ctx: Context;
  /** Identifies what the visitor sees, among all audiences of the site. */
  audience: string;
}

/**
 * Decides on every request whether a site is shown to its visitor. Undefined if it is not, which is answered like a site
 * that does not exist. Sites for anybody are shown; those with share links or visitors' tokens are not read here yet.
 */
export async function admission(ctx: Context, site: FoundSite): Promise<Admitted | undefined> {
  if (site.visibility !== 'public' && site.visibility !== 'unlisted') return undefined;
  const admitted = await admitVisitor(ctx, site.id, {});
  if (!('visit' in admitted)) return undefined;
  const { claims, hiddenIds } = admitted.visit;
  const audience = createHash('sha256')
    .update(JSON.stringify([site.visibility, claims, [...hiddenIds].sort()]))
    .digest('hex');
  return { ctx: asVisitor(ctx, admitted), audience };
}
