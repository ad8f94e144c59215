import { isOperator } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';

export function operatorsOnly({ actor }: Context): void {
  if (!isOperator(actor)) throw forbidden('Only operators of the service can manage background jobs.');
}
