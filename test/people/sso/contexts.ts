import type { Actor } from '../../../src/platform/access/actor.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import type { Services } from '../../../src/platform/context/services.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';

export type { Context };

/** A context outside of requests that acts for a caller. */
export const jobContextOf = (services: Services, actor: Actor): Context => ({ ...jobContext(services, 'test'), actor });
