import type { Context } from '../../../../platform/context.ts';
import { embeddedProvider } from './embedded.ts';
import type { Provider } from './provider.ts';

/** The provider of an organization. */
export const providerFor = async (_ctx: Context, _organizationId: string): Promise<Provider> => embeddedProvider;
