import { type Versioned, versionOf } from '../operation/version.ts';
import type { FieldsOf } from './builder.ts';

/** The field `version` of versioned types. */
export const versionField = <Row extends Versioned>(t: FieldsOf<Row>) =>
  t.string({
    description:
      'Opaque version of the object, for `expectedVersion` and for `If-Match` in REST. Changes with every update.',
    resolve: (row) => versionOf(row),
  });
