import { type Versioned, versionOf } from '../version.ts';
import type { FieldsOf } from './builder.ts';

/** The field `version` of a type whose resources count their changes. */
export const versionField = <Row extends Versioned>(t: FieldsOf<Row>) =>
  t.string({
    description:
      "Names its present state, for `expectedVersion` and for REST's `If-Match`. Another one after every change.",
    resolve: (row) => versionOf(row),
  });
