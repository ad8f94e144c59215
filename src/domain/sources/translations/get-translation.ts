import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { translationFor, translationName } from './access.ts';

export const getTranslation = query({
  name: 'getTranslation',
  description: 'Gets a translation of a space that you can read.',
  input: z.object(translationName),
  run: (ctx, name) => translationFor(ctx, name),
});
