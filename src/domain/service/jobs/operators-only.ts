import { requireOperator } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';

export const operatorsOnly = ({ actor }: Context): void => requireOperator(actor, 'manage background jobs');
