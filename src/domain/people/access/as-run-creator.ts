import type { Context } from '../../../platform/context/context.ts';

/** Who started a run in the background, and the provider that the user had signed in with. */
interface StartedRun {
  createdBy: string;
  organizationId: string;
  samlProviderId: string | null;
}

/**
 * The context of the user who started a run, with the permissions that the user has now, but not those of an operator.
 */
export function asRunCreator(ctx: Context, { createdBy: userId, organizationId, samlProviderId }: StartedRun): Context {
  const actor = { kind: 'user', userId, isOperator: false, by: 'session' } as const;
  // The user could act in the organization, where SSO is enforced too. What a provider gave counts if the user signed
  // in with it.
  return { ...ctx, actor: { ...actor, sso: { organizationId, providerId: samlProviderId ?? '' } } };
}
