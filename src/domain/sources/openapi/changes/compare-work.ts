import { compareSpecifications, type SpecificationChange } from '../../../../lib/openapi/compare.ts';
import type { FileBytes } from '../processing/file-bytes.ts';
import { specificationOf } from '../processing/process-work.ts';

/** Runs in a worker: the changes from one version to another. */
export const work = ({ before, after }: { before: FileBytes[]; after: FileBytes[] }): SpecificationChange[] =>
  compareSpecifications(specificationOf(before), specificationOf(after));
